/// Which events a power loss may destroy. A killed process loses no events under any policy.
public enum Durability: Sendable, Equatable {
  /// Events that the system has not yet written to disk by itself may be lost. This policy costs nothing.
  case process
  /// Events of about the last interval may be lost, plus those emitted while a sync was running.
  ///
  /// A background thread syncs the log, so emitting costs nothing more. The minimum interval is one millisecond.
  case interval(Duration)
  /// No event is lost: `emit` returns when the event is on disk.
  case always
}

extension Durability {
  /// The nanoseconds between background syncs; `nil` if the policy has none.
  var interval: Int64? {
    guard case .interval(let duration) = self else { return nil }
    let (seconds, attoseconds) = duration.components
    // Longer intervals are limited to one year, which cannot overflow.
    guard seconds < 31_536_000 else { return 31_536_000_000_000_000 }
    return max(1_000_000, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
