import CXferPlatform
import Synchronization
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A log that is removed while it is written would take events until its segment is full, and keep none of them.
extension LogWriter {
  /// How often somebody looks whether the log is still there.
  private static let placeInterval: Int64 = 1_000_000_000

  /// Leaves a segment whose file was removed; the next event goes to a new log at the same path.
  ///
  /// - Parameter now: monotonic nanoseconds.
  func lookAtPlace(now: Int64) {
    let due = nextPlaceLook.load(ordering: .relaxed)
    guard now >= due,
      nextPlaceLook.compareExchange(
        expected: due, desired: now.addingClamped(Self.placeInterval), ordering: .relaxed
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

  /// Says in the new log that there was another. How much is lost shows where its lanes begin.
  func reportRemoval(on lane: Lane) {
    let mustReport = state.withLock { state in
      defer { state.mustReportRemoval = false }
      return state.mustReportRemoval
    }
    guard mustReport else { return }
    let fault = MessageFault(
      subsystem: "xferlog", category: "store",
      eventMessage: "This log was removed while it was written: what it held is lost, and a new one begins here.")
    if lane.append(fault) { return }
    state.withLock { $0.mustReportRemoval = true }
    raise(.reports)
  }
}
