import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a new log with everything that can be recovered from damaged logs. The old logs are only read.
///
/// The new segments are sealed and keep their numbers, lanes and positions, so references into the old log remain valid.
package struct LogSalvager {
  private let inputs: [LogReader.Input]
  private let output: String

  /// The result of salvaging one segment.
  package struct Outcome {
    package let number: UInt32
    package let path: String
    package let result: Result<Salvage, LogError>
  }

  package struct Salvage: Equatable, Sendable {
    /// The number of events in the new segment.
    package var events = 0
    /// The number of positions that are known to be missing.
    package var missing = 0
    /// The number of bytes that could not be decoded. The new segment keeps them.
    package var unreadableBytes = 0
    /// The number of valid records that were left out because they could not be attributed to a lane.
    package var unplaced = 0
    package var bytesBefore = 0
    package var bytesAfter = 0

    package init() {}

    package static func + (left: Self, right: Self) -> Self {
      var sum = left
      sum.events += right.events
      sum.missing = sum.missing.addingClamped(right.missing)
      sum.unreadableBytes += right.unreadableBytes
      sum.unplaced += right.unplaced
      sum.bytesBefore = sum.bytesBefore.addingClamped(right.bytesBefore)
      sum.bytesAfter += right.bytesAfter
      return sum
    }
  }

  /// - Parameter output: The path of the directory to create.
  package init(_ inputs: [LogReader.Input], to output: String) {
    self.inputs = inputs
    self.output = output
  }

  /// Salvages all segments.
  ///
  /// - Returns: The result for each segment, in order.
  /// - Throws: `LogError` if the new log cannot be written.
  package func salvage() throws(LogError) -> [Outcome] {
    let segments = try self.segments()
    let parent = LogDirectory.parent(of: output)
    if !parent.isEmpty {
      do throws(LogError) {
        try LogDirectory.create(parent)
      } catch {
        throw LogError(
          error.code, place: output, problem: error.problem, advice: "Choose another path with --output.", osError: error.osError)
      }
    }
    guard mkdir(output, 0o700) == 0 else {
      let problem = errno
      throw problem == EEXIST
        ? LogError(
          .exists, place: output, problem: "it already exists and was not changed",
          advice: "Choose a path that does not exist yet.")
        : cannotWrite(output, problem)
    }
    var outcomes: [Outcome] = []
    for (number, path) in segments {
      do throws(LogError) {
        outcomes.append(Outcome(number: number, path: path, result: .success(try salvage(path, number: number))))
      } catch {
        guard error.code != .cannotSalvage else {
          remove(segments.map(\.number))
          throw error
        }
        outcomes.append(Outcome(number: number, path: path, result: .failure(error)))
      }
    }
    LogDirectory.synchronise(output)
    if outcomes.allSatisfy({ (try? $0.result.get()) == nil }) { remove([]) }
    return outcomes
  }

  private func remove(_ numbers: [UInt32]) {
    for number in numbers { unlink(LogDirectory.path(of: number, in: output)) }
    rmdir(output)
  }

  /// Returns all segments of the inputs, ordered by the numbers of the new segments.
  private func segments() throws(LogError) -> [(number: UInt32, path: String)] {
    var segments: [(number: UInt32, path: String)] = []
    for input in inputs {
      switch input {
      case .directory(let directory): segments += LogDirectory.segments(in: directory)
      case .segment(let path):
        let name = path.fileName ?? path
        segments.append((SegmentSummary(path: path)?.header.number ?? LogDirectory.number(of: name) ?? 1, path))
      }
    }
    segments.sort { $0.number < $1.number }
    for (one, other) in zip(segments, segments.dropFirst()) where one.number == other.number {
      throw LogError(
        .cannotSalvage, place: other.path, problem: "\(one.path) has the same number, \(one.number)",
        advice: "Salvage one log at a time.")
    }
    return segments
  }

  // MARK: Single segments

  private func salvage(_ path: String, number: UInt32) throws(LogError) -> Salvage {
    let name = LogDirectory.name(of: number)
    let file: SegmentBytes
    do throws(SystemError) {
      file = try SegmentBytes(path: path).loaded()
    } catch {
      throw SegmentReader.cannotOpen(path, error)
    }
    let (segment, source) = try SegmentReader.open(
      file, number: number, path: path, name: name, index: 0, rebuildsHeader: true)
    defer { withExtendedLifetime(source) {} }
    let salvager = SegmentSalvager(segment)
    let written = LogDirectory.path(of: number, in: output)
    let size = try write(segment, salvager, source: source, to: written)
    let observed = String(path.dropLast(LogDirectory.segmentSuffix.count)) + LogDirectory.observedSuffix
    if access(observed, F_OK) == 0 { mark(number) }
    var salvage = Salvage()
    (salvage.bytesBefore, salvage.bytesAfter) = (segment.size, size)
    salvage.unplaced = salvager.unplaced
    salvage.unreadableBytes = salvager.residues.reduce(0) { $0 + $1.bytes.count }
    for member in LogReader([.segment(written)]) {
      switch member {
      case .event: salvage.events += 1
      // Positions missing before a lane's first one in this segment may be in an earlier segment.
      case .gap(let gap):
        if gap.cause != .missingHead { salvage.missing = salvage.missing.addingClamped(gap.sequences?.count ?? 0) }
      }
    }
    return salvage
  }

  /// Writes the new segment.
  ///
  /// - Returns: The number of bytes written.
  private func write(
    _ segment: SegmentReader, _ salvager: SegmentSalvager, source: RecordSource, to path: String
  ) throws(LogError) -> Int {
    let descriptor = xp_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw cannotWrite(path, errno) }
    defer { close(descriptor) }
    var (problem, offset): (Int32?, Int) = (nil, 0)
    let previous = HashChain.Link.last(of: segment.header.previous, in: output)
    var sealer = segment.sealer(of: salvager, source: source, after: previous) { piece in
      problem = writeAll(piece, to: descriptor, at: offset)
      offset += piece.count
      return problem == nil
    }
    guard sealer.seal(salvager) else { throw cannotWrite(path, problem ?? EIO) }
    let syncProblem = xp_sync_file(descriptor)
    guard syncProblem == 0 else { throw cannotWrite(path, syncProblem) }
    return offset
  }

  /// Marks the writer's end as recorded, so that the next process that opens the new log for writing does not record it
  /// again.
  private func mark(_ number: UInt32) {
    let path = String(LogDirectory.path(of: number, in: output).dropLast(LogDirectory.segmentSuffix.count))
    let descriptor = xp_open(path + LogDirectory.observedSuffix, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  private func cannotWrite(_ path: String, _ problem: Int32) -> LogError {
    LogError(
      .cannotSalvage, place: path, problem: "it cannot be written (\(systemText(problem)))",
      advice: [ENOSPC, EDQUOT].contains(problem)
        ? "Free disk space, or choose another path with --output."
        : "Choose another path with --output, in a directory that you may write to.", osError: problem)
  }
}

extension HashChain.Link {
  /// Returns the last link of a segment of the log; `none` if the segment is not sealed or does not exist.
  static func last(of number: UInt32, in directory: String) -> HashChain.Link {
    guard number != 0, let file = try? SegmentBytes(path: LogDirectory.path(of: number, in: directory)) else { return .none }
    return SealTrailer.decode(endOf: file)?.last ?? .none
  }
}
