import XferEngine
import XferEvents

// What a stored value cannot be, although it decodes: it would be calculated with.

extension CarriedTask {
  /// - Returns: what is wrong, in words; `nil` for nothing.
  func flaw(name: String) -> String? {
    guard let uid = TaskUID(new.uid), "\(uid)" == name else { return "another task's name" }
    let counts = [received, sent, durable ?? 0, new.expectedToSend, new.expectedToReceive, Int64(refetches ?? 0)]
    guard counts.allSatisfy({ (-1...StoredBounds.bytes).contains($0) }) else { return "a count of bytes" }
    guard resumedAt.map({ StoredBounds.times.contains($0) }) ?? true else { return "the time when it was resumed" }
    guard StoredBounds.isDuration(new.requestTimeout), StoredBounds.isDuration(new.resourceTimeout),
      new.earliestBegin.map({ $0.isFinite }) ?? true, new.priority.isFinite
    else { return "a timeout, a date or a priority" }
    guard Set(pending.map(\.id)).count == pending.count else { return "two callbacks of one number" }
    guard pending.allSatisfy({ ($0.record?.size ?? 0) >= 0 }) else { return "the size of a body" }
    return nil
  }
}

extension CarriedApp {
  func flaw(name: String) -> String? {
    guard self.name == name else { return "another app's name" }
    let times = leases.map(\.firesAt)
    guard times.allSatisfy({ StoredBounds.times.contains($0) }), leases.allSatisfy({ (0..<Int(Int32.max)).contains($0.count) })
    else { return "a dead-man switch" }
    return suspended.allSatisfy { $0 > 0 } ? nil : "the number of a process"
  }
}

extension DeviceConditions {
  var flaw: String? {
    // Clocks are added to it.
    guard (0...StoredBounds.times.upperBound).contains(clockAhead) else { return "the clocks' lead" }
    return (freeDisk ?? 0) >= 0 ? nil : "the free room"
  }
}

/// Within these, sums of a few values do not overflow.
enum StoredBounds {
  /// Nanoseconds since 1970, until 2116.
  static let times: ClosedRange<Int64> = 0...(1 << 62)
  static let bytes: Int64 = 1 << 60

  /// Seconds; `nil` is no limit.
  static func isDuration(_ seconds: Double?) -> Bool { seconds.map { $0.isFinite && $0 >= 0 } ?? true }
}
