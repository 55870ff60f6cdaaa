import CXferPlatform
import Synchronization
import XferEvents
import XferThreads

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Detection of a log that is deleted while it is being written. Without it, events would be written to the unlinked
/// segment, and lost, until the segment is full.
extension LogWriter {
  /// The nanoseconds between checks whether the log's file still exists.
  private static let removalCheckInterval: Int64 = 1_000_000_000

  /// Abandons a segment whose file was deleted, so that the next event starts a new log at the same path.
  ///
  /// - Parameter now: The monotonic time in nanoseconds.
  func detectRemoval(now: Int64) {
    let due = nextRemovalCheck.load(ordering: .relaxed)
    guard now >= due,
      nextRemovalCheck.compareExchange(
        expected: due, desired: now.addingClamped(Self.removalCheckInterval), ordering: .relaxed
      ).exchanged
    else { return }
    let (segment, dropped, live) = state.withLock { ($0.segment?.file, $0.dropped, $0.written.live) }
    guard let segment, !isClosed else { return }
    if segment.isRemoved, !segment.isAbandoned {
      segment.abandon(dropped: dropped)
      retryAt.store(.min, ordering: .relaxed)
      raise(.abandoned)
    } else if isRaised(.abandoned), !isSynchronised, !live.contains(where: \.isAbandoned) {
      _ = lower(.abandoned)
    }
  }

  /// Records in the new log that the previous one was deleted. The lanes' first positions show how many events are lost.
  func reportRemoval(on lane: Lane) {
    let mustReport = state.withLock { state in
      defer { state.mustReportRemoval = false }
      return state.mustReportRemoval
    }
    guard mustReport else { return }
    let fault = MessageFault(
      subsystem: "xferlog", category: "store",
      eventMessage: "The log was deleted while it was being written. Its events are lost; a new log begins here.")
    if lane.append(fault) { return }
    state.withLock { $0.mustReportRemoval = true }
    raise(.reports)
  }
}
