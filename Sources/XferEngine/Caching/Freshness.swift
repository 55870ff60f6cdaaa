internal import HTTPTypes

/// How old a stored response is, and how old it may become (RFC 9111 §4.2); seconds.
struct Freshness: Sendable, Equatable {
  let age: Int64
  let lifetime: Int64

  /// Negative when it is stale.
  var left: Int64 { lifetime.subtractingClamped(age) }
  var isFresh: Bool { left > 0 }

  /// - Parameter now: seconds since 1970.
  init(_ head: StoredHead, now: Int64) {
    lifetime = Self.lifetime(of: head)
    // The times are from a file.
    let apparent = max(0, head.responseTime.subtractingClamped(head.date))
    let told = head.fields[.init("Age")!].flatMap { Int64($0) }.map { min(max(0, $0), 1 << 31) } ?? 0
    let initial = max(apparent, told.addingClamped(max(0, head.responseTime.subtractingClamped(head.requestTime))))
    // A clock that was set back says nothing about age; the server is asked then.
    age = now < head.responseTime ? max(initial, lifetime) : initial.addingClamped(now.subtractingClamped(head.responseTime))
  }

  private static func lifetime(of head: StoredHead) -> Int64 { explicit(head.control, head) ?? heuristic(head) }

  private static func explicit(_ control: CacheControl, _ head: StoredHead) -> Int64? {
    if let maxAge = control.maxAge { return maxAge }
    guard let expires = head.fields[.expires] else { return nil }
    // What is no date has passed, above all `0`.
    return HTTPDate.seconds(expires).map { max(0, Int64($0).subtractingClamped(head.date)) } ?? 0
  }

  /// Statuses of which a server that says nothing allows to keep the response for a while (RFC 9110 §15.1).
  static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
  /// A resource that was not changed for long is believed for a day, not for a year.
  private static let longest: Int64 = 24 * 3600

  /// A tenth of the time for which the resource had not been changed (RFC 9111 §4.2.2).
  private static func heuristic(_ head: StoredHead) -> Int64 {
    guard let modified = head.lastModified, heuristicStatuses.contains(head.status) || head.control.isPublic else { return 0 }
    return min(max(0, head.date.subtractingClamped(modified)) / 10, longest)
  }

  /// Whether the server has said how long the response is good, or that it may be kept.
  static func isDeclared(_ head: StoredHead) -> Bool {
    let control = head.control
    return control.maxAge != nil || head.fields.contains(.expires) || control.isPublic || control.isPrivate
  }
}
