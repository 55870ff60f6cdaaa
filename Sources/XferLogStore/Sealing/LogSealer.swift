import CXferPlatform
import Synchronization
package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Seals the segments that no process writes to any more. Each sealed copy replaces its original.
///
/// The copy is synced, read back and compared with the original before it replaces the original. Several processes may seal
/// one log at the same time, because they produce the same bytes.
package struct LogSealer {
  private let directory: String
  private let observer: ProcessIdentity
  private let launch: LaunchID?
  private let isCancelled: () -> Bool

  /// The result of sealing one segment.
  package struct Outcome {
    package let number: UInt32
    package let path: String
    package let result: Result<Sizes, LogError>
  }

  package struct Sizes: Equatable, Sendable {
    package let before: Int
    package let after: Int
  }

  /// Creates a sealer.
  ///
  /// - Parameters:
  ///   - directory: The log directory.
  ///   - observer: The current process, which checks whether writers have terminated.
  ///   - launch: The launch identifier of this process if it writes to the log itself; `nil` otherwise.
  ///   - isCancelled: Returns whether to stop; polled between steps. A segment that is being sealed at that time stays
  ///     unsealed.
  package init(
    directory: String, observer: ProcessIdentity = .current(), writing launch: LaunchID? = nil,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.directory = directory
    self.observer = observer
    self.launch = launch
    self.isCancelled = isCancelled
  }

  package func seal() -> [Outcome] {
    removeLeftovers()
    var outcomes: [Outcome] = []
    for (number, path) in LogDirectory.segments(in: directory) where !isCancelled() && isSealable(path) {
      do throws(LogError) {
        guard let sizes = try seal(path, number: number) else { continue }
        outcomes.append(Outcome(number: number, path: path, result: .success(sizes)))
      } catch {
        outcomes.append(Outcome(number: number, path: path, result: .failure(error)))
      }
    }
    return outcomes
  }

  // MARK: Eligibility

  /// Returns whether the segment has a valid header, is not sealed, and will not change any more.
  private func isSealable(_ path: String) -> Bool {
    guard let summary = SegmentSummary(path: path), !summary.header.incompatible.contains(.compressed) else { return false }
    return summary.hasNoWriter(seenFrom: observer, launch: launch)
  }

  // MARK: Single segments

  /// Seals one segment.
  ///
  /// - Returns: `nil` if sealing was cancelled, or if the segment is sealed already.
  private func seal(_ path: String, number: UInt32) throws(LogError) -> Sizes? {
    // Another sealer may have replaced the segment since it was examined.
    let sizes = try replace(path, number: number) { $0.segment.sealed == nil && $0.seal() }
    return sizes.map { Sizes(before: $0.before, after: $0.after) }
  }

  /// Removes events below a level from a sealed segment.
  ///
  /// - Returns: The number of removed events; 0 if the segment was not changed.
  func thin(_ path: String, number: UInt32, lowest: Level) throws(LogError) -> Int {
    try replace(path, number: number, lowest: lowest) { $0.thin() && $0.thinned > 0 }?.thinned ?? 0
  }

  private func replace(
    _ path: String, number: UInt32, lowest: Level = .debug, _ make: (inout SegmentSealer) -> Bool
  ) throws(LogError) -> (before: Int, after: Int, thinned: Int)? {
    let (segment, source) = try SegmentReader.open(number: number, path: path, name: LogDirectory.name(of: number), index: 0)
    defer { withExtendedLifetime(source) {} }
    // The draft's name must be unique, because several sealers may run concurrently, even in one process.
    let draft = "\(path).\(observer.pid)-\(Self.drafts.add(1, ordering: .relaxed).oldValue)\(LogDirectory.draftSuffix)"
    let descriptor = xp_open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw cannotSeal(path, errno) }
    var isKept = false
    defer {
      close(descriptor)
      if !isKept { unlink(draft) }
    }
    var (problem, offset): (Int32?, Int) = (nil, 0)
    let previous = HashChain.Link.last(of: segment.header.previous, in: directory)
    var sealer = SegmentSealer(segment, source: source, after: previous, lowest: lowest) { bytes in
      if isCancelled() { return false }
      problem = writeAll(bytes, to: descriptor, at: offset)
      offset += bytes.count
      return problem == nil
    }
    guard make(&sealer) else {
      if let problem { throw cannotSeal(path, problem) }
      return nil
    }
    let syncProblem = xp_sync_file(descriptor)
    guard syncProblem == 0 else { throw cannotSeal(path, syncProblem) }
    guard Self.reads(draft, like: path, lowest: lowest) else {
      throw LogError(
        .sealDiffers, place: path, problem: "the sealed copy differs from the segment; the segment was not changed",
        advice: "Please report this, and attach the segment if possible.")
    }
    guard !isCancelled() else { return nil }
    guard rename(draft, path) == 0 else { throw cannotSeal(path, errno) }
    isKept = true
    LogDirectory.synchronise(directory)
    return (segment.size, offset, sealer.thinned)
  }

  private func cannotSeal(_ path: String, _ problem: Int32) -> LogError {
    LogError(
      .cannotSeal, place: path, problem: "it cannot be sealed (\(systemText(problem)))",
      advice: ([ENOSPC, EDQUOT].contains(problem) ? "Free disk space." : "Make the log's directory writable.")
        + " The segment was not changed.", osError: problem)
  }

  /// Returns whether two segments yield the same events and gaps, ignoring events below a level.
  static func reads(_ copy: String, like original: String, lowest: Level = .debug) -> Bool {
    let (copy, original) = (LogReader([.segment(copy)]), LogReader([.segment(original)]))
    guard copy.problems.isEmpty, original.problems.isEmpty else { return false }
    func next(_ reader: LogReader) -> LogMember? {
      var member = reader.next()
      while case .event(let event)? = member, event.level < lowest { member = reader.next() }
      return member
    }
    while true {
      switch (next(copy), next(original)) {
      case (nil, nil): return true
      case (.event(let one)?, .event(let other)?): guard one.hasSameContent(as: other) else { return false }
      case (.gap(let one)?, .gap(let other)?):
        guard one.cause == other.cause, one.sequences == other.sequences else { return false }
      default: return false
      }
    }
  }

  /// The number of draft files that this process has created.
  private static let drafts = Atomic<UInt64>(0)

  // MARK: Leftover drafts

  private func removeLeftovers() {
    for name in LogDirectory.names(in: directory) where name.hasSuffix(LogDirectory.draftSuffix) {
      let parts = name.split(separator: ".")
      guard parts.count == 4, let pid = parts[2].split(separator: "-").first.flatMap({ Int32($0) }), pid != observer.pid,
        !xp_process_exists(pid)
      else { continue }
      unlink("\(directory)/\(name)")
    }
  }
}
