internal import HTTPTypes

/// The age and the freshness lifetime of a stored response, in seconds (RFC 9111 §4.2).
struct Freshness: Sendable, Equatable {
  let age: Int64
  let lifetime: Int64

  /// The remaining lifetime, in seconds. Negative for a stale response.
  var left: Int64 { lifetime.subtractingClamped(age) }
  var isFresh: Bool { left > 0 }

  /// - Parameter now: the current time, in seconds since 1970.
  init(_ head: StoredHead, now: Int64) {
    lifetime = Self.lifetime(of: head)
    // Saturating arithmetic, because the times were read from a file and may have any value.
    let apparent = max(0, head.responseTime.subtractingClamped(head.date))
    let told = head.fields[.init("Age")!].flatMap { Int64($0) }.map { min(max(0, $0), 1 << 31) } ?? 0
    let initial = max(apparent, told.addingClamped(max(0, head.responseTime.subtractingClamped(head.requestTime))))
    // After the clock was set back, the age is unknown, and the response is treated as stale.
    age = now < head.responseTime ? max(initial, lifetime) : initial.addingClamped(now.subtractingClamped(head.responseTime))
  }

  private static func lifetime(of head: StoredHead) -> Int64 { explicit(head.control, head) ?? heuristic(head) }

  private static func explicit(_ control: CacheControl, _ head: StoredHead) -> Int64? {
    if let maxAge = control.maxAge { return maxAge }
    guard let expires = head.fields[.expires] else { return nil }
    // An invalid date, such as the common `0`, counts as expired.
    return HTTPDate.seconds(expires).map { max(0, Int64($0).subtractingClamped(head.date)) } ?? 0
  }

  /// Statuses whose responses may be cached without explicit permission (RFC 9110 §15.1).
  static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
  /// The maximum heuristic lifetime, in seconds.
  private static let longest: Int64 = 24 * 3600

  /// Returns the heuristic lifetime: a tenth of the time since the last modification (RFC 9111 §4.2.2).
  private static func heuristic(_ head: StoredHead) -> Int64 {
    guard let modified = head.lastModified, heuristicStatuses.contains(head.status) || head.control.isPublic else { return 0 }
    return min(max(0, head.date.subtractingClamped(modified)) / 10, longest)
  }

  /// Whether the response declares its lifetime or explicitly permits caching.
  static func isDeclared(_ head: StoredHead) -> Bool {
    let control = head.control
    return control.maxAge != nil || head.fields.contains(.expires) || control.isPublic || control.isPrivate
  }
}
