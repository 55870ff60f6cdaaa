import XferEngine
import XferEvents

// Range checks for decoded database values, so that later arithmetic on them cannot overflow or trap.

extension CarriedTask {
  /// Returns a description of the invalid value, or `nil` when all values are valid.
  func flaw(name: String) -> String? {
    guard let uid = TaskUID(new.uid), "\(uid)" == name else { return "the name of another task" }
    let counts = [received, sent, durable ?? 0, new.expectedToSend, new.expectedToReceive, Int64(refetches ?? 0)]
    guard counts.allSatisfy({ (-1...StoredBounds.bytes).contains($0) }) else { return "a count of bytes" }
    guard resumedAt.map({ StoredBounds.times.contains($0) }) ?? true else { return "the time when it was resumed" }
    guard StoredBounds.isDuration(new.requestTimeout), StoredBounds.isDuration(new.resourceTimeout),
      new.earliestBegin.map({ $0.isFinite }) ?? true, new.priority.isFinite
    else { return "a timeout, a date or a priority" }
    guard Set(pending.map(\.id)).count == pending.count else { return "two callbacks with the same ID" }
    guard pending.allSatisfy({ ($0.record?.size ?? 0) >= 0 }) else { return "the size of a body" }
    return nil
  }
}

extension CarriedApp {
  func flaw(name: String) -> String? {
    guard self.name == name else { return "the name of another app" }
    let times = leases.map(\.firesAt)
    guard times.allSatisfy({ StoredBounds.times.contains($0) }), leases.allSatisfy({ (0..<Int(Int32.max)).contains($0.count) })
    else { return "a dead-man switch" }
    return suspended.allSatisfy { $0 > 0 } ? nil : "a process ID"
  }
}

extension DeviceConditions {
  var flaw: String? {
    // The offset is added to clock values, which must not overflow.
    guard (0...StoredBounds.times.upperBound).contains(clockAhead) else { return "the clock offset" }
    return (freeDisk ?? 0) >= 0 ? nil : "the free disk space"
  }
}

/// The valid ranges of stored values. Sums of a few values within these ranges do not overflow.
enum StoredBounds {
  /// Valid times, in nanoseconds since 1970 (until the year 2116).
  static let times: ClosedRange<Int64> = 0...(1 << 62)
  static let bytes: Int64 = 1 << 60

  /// Returns whether a timeout in seconds is valid. `nil` means unlimited and is valid.
  static func isDuration(_ seconds: Double?) -> Bool { seconds.map { $0.isFinite && $0 >= 0 } ?? true }
}
