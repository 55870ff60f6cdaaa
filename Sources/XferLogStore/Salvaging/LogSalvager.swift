import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a new log of what can be had of damaged ones: sealed segments with the same numbers, lanes and positions, so that what
/// points into the old log points into the new one. The old log is only read.
package struct LogSalvager {
  private let inputs: [LogReader.Input]
  private let output: String

  /// What became of one segment.
  package struct Outcome {
    package let number: UInt32
    package let path: String
    package let result: Result<Salvage, LogError>
  }

  package struct Salvage: Equatable, Sendable {
    /// Events that the new segment has.
    package var events = 0
    /// Positions that are known to be missing in it.
    package var missing = 0
    /// Bytes of which nothing could be made; the new segment keeps them.
    package var unreadableBytes = 0
    /// Records that are whole, but of which nobody knows whose they are: they are left out.
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

  /// - Parameter output: the directory to make.
  package init(_ inputs: [LogReader.Input], to output: String) {
    self.inputs = inputs
    self.output = output
  }

  /// - Returns: what became of each segment, in their order.
  package func salvage() throws(LogError) -> [Outcome] {
    let segments = try self.segments()
    let parent = output.lastIndex(of: "/").map { String(output[..<$0]) } ?? "."
    if !parent.isEmpty { try LogDirectory.create(parent) }
    guard mkdir(output, 0o700) == 0 else {
      let problem = errno
      throw problem == EEXIST
        ? LogError(
          .exists, place: output, problem: "it exists, and is left as it is", advice: "Name a directory that is not there yet.")
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

  /// All segments of the inputs by the numbers that they will have.
  private func segments() throws(LogError) -> [(number: UInt32, path: String)] {
    var segments: [(number: UInt32, path: String)] = []
    for input in inputs {
      switch input {
      case .directory(let directory): segments += LogDirectory.segments(in: directory)
      case .segment(let path):
        let name = path.split(separator: "/").last.map(String.init) ?? path
        segments.append((SegmentGlance(path: path)?.header.number ?? LogDirectory.number(of: name) ?? 1, path))
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

  // MARK: One segment

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
    salvage.unreadableBytes = salvager.rests.reduce(0) { $0 + $1.bytes.count }
    for member in LogReader([.segment(written)]) {
      switch member {
      case .event: salvage.events += 1
      // What is missing before a lane's first position here may be in an earlier segment.
      case .gap(let gap):
        if gap.cause != .missingHead { salvage.missing = salvage.missing.addingClamped(gap.sequences?.count ?? 0) }
      }
    }
    return salvage
  }

  /// - Returns: how many bytes were written.
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
    guard fsync(descriptor) == 0 else { throw cannotWrite(path, errno) }
    return offset
  }

  /// Whoever opens the new log for writing need not observe that writer's end again.
  private func mark(_ number: UInt32) {
    let path = String(LogDirectory.path(of: number, in: output).dropLast(LogDirectory.segmentSuffix.count))
    let descriptor = xp_open(path + LogDirectory.observedSuffix, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  private func cannotWrite(_ path: String, _ problem: Int32) -> LogError {
    LogError(
      .cannotSalvage, place: path, problem: "it cannot be written (\(systemText(problem)))",
      advice: "Make room, or name another place.", osError: problem)
  }
}

extension HashChain.Link {
  /// The last link of a segment of a log; `none` where that is not sealed, or there is none.
  static func last(of number: UInt32, in directory: String) -> HashChain.Link {
    guard number != 0, let file = try? SegmentBytes(path: LogDirectory.path(of: number, in: directory)) else { return .none }
    return SealTrailer.decode(endOf: file)?.last ?? .none
  }
}
