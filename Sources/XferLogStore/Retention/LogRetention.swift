import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Removes old segments and events from a log and records the removal in the log.
///
/// A segment is renamed, then its removal is recorded, then the file is deleted. Only one of several processes can rename
/// it. If that process is killed, the next process to apply retention may record the removal twice, but never omits it.
struct LogRetention {
  let directory: String
  let retention: Retention
  let observer: ProcessIdentity
  /// The launch identifier with which this process writes to the log.
  let launch: LaunchID
  /// Writes an event to the log and returns whether that succeeded.
  let record: (_ event: any TransferEvent) -> Bool

  func apply(now: WallTime) {
    removeRetired()
    guard retention != .everything else { return }
    var (segments, others): ([RetentionPlan.Segment], Int) = ([], 0)
    for (number, path) in LogDirectory.segments(in: directory) {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      guard let segment = segment(number, path, status) else {
        others = others.addingClamped(Int(status.st_size))
        continue
      }
      segments.append(segment)
    }
    let plan = RetentionPlan(retention, segments: segments, others: others, now: now)
    for thinning in plan.thinnings { thin(thinning) }
    for reason in [RetentionPlan.Reason.age, .size] {
      let removed = plan.removals.filter { $0.reason == reason }.map(\.segment).filter { retire($0.number) }
      if !removed.isEmpty { recordAndDelete(removed, reason: reason.rawValue) }
    }
  }

  // MARK: Segments

  /// Returns a description of a segment; `nil` if a process may still write to it.
  private func segment(_ number: UInt32, _ path: String, _ status: stat) -> RetentionPlan.Segment? {
    guard let summary = SegmentSummary(path: path), summary.hasNoWriter(seenFrom: observer, launch: launch) else { return nil }
    let content = summary.header.incompatible.contains(.compressed) ? sealedContent(path, summary.header) : nil
    return RetentionPlan.Segment(
      number: number, size: Int(status.st_size), last: content?.last ?? WallTime(modified: status), levels: content?.levels ?? 0)
  }

  private func sealedContent(_ path: String, _ header: SegmentHeader) -> (last: WallTime, levels: UInt8)? {
    guard let file = try? SegmentBytes(path: path), let index = SealedBlocks.index(of: file, nonce: header.nonce) else {
      return nil
    }
    var last = header.clocks.wall
    var levels: UInt8 = 0
    for entry in index.entries where entry.content.firstTime <= entry.content.lastTime {
      last = max(last, entry.block.chunk.clocks.wall &+ entry.content.lastTime)
      // Include only the levels of blocks that can be thinned. Other blocks would cause a futile attempt at every run.
      if entry.block.isThinnable { levels |= entry.content.levels }
    }
    return (WallTime(nanoseconds: last), levels)
  }

  // MARK: Removing segments

  private func retire(_ number: UInt32) -> Bool {
    rename(LogDirectory.path(of: number, in: directory), LogDirectory.path(of: number, in: directory, LogDirectory.retiredSuffix))
      == 0
  }

  /// Records the removal of renamed segments, and deletes them once the record is written.
  private func recordAndDelete(_ segments: [RetentionPlan.Segment], reason: String?) {
    let size = segments.reduce(0) { $0.addingClamped($1.size) }
    guard
      record(
        LogSegmentsRemoved(
          count: Int64(segments.count), size: Int64(size), until: segments.map(\.last).max(), reason: reason,
          segment: segments.map { Int64($0.number) }.max()))
    else { return }
    for segment in segments {
      unlink(LogDirectory.path(of: segment.number, in: directory, LogDirectory.observedSuffix))
      unlink(LogDirectory.path(of: segment.number, in: directory, LogDirectory.retiredSuffix))
    }
  }

  /// Completes the removal of segments that a killed process had renamed.
  private func removeRetired() {
    let retired = LogDirectory.numbered(LogDirectory.retiredSuffix, in: directory).compactMap { number, path in
      var status = stat()
      return stat(path, &status) == 0
        ? RetentionPlan.Segment(number: number, size: Int(status.st_size), last: WallTime(modified: status), levels: 0) : nil
    }
    if !retired.isEmpty { recordAndDelete(retired, reason: nil) }
  }

  // MARK: Removing levels

  private func thin(_ thinning: RetentionPlan.Thinning) {
    let path = LogDirectory.path(of: thinning.segment.number, in: directory)
    let sealer = LogSealer(directory: directory, observer: observer)
    guard let count = try? sealer.thin(path, number: thinning.segment.number, lowest: thinning.lowest), count > 0 else { return }
    _ = record(
      LogLevelsThinned(
        segment: Int64(thinning.segment.number), count: Int64(count), levels: thinning.lowest.name, until: thinning.segment.last))
  }
}
