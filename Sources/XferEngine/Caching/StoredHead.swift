internal import HTTPTypes

/// The head of a cached response, with the facts that decide whether it may be reused.
struct StoredHead: Sendable, Equatable {
  let status: Int
  let reason: String
  let protocolName: String
  var fields: HTTPFields
  /// The time at which the request was sent and, in `responseTime`, the time at which the response was received, in seconds since
  /// 1970.
  var requestTime: Int64
  var responseTime: Int64
  /// The request properties that selected this response (see `Vary`): their names, with digests of their values.
  var selection: [Selector]
  /// Whether the stored body was decoded from the content coding that the fields name.
  let isDecoded: Bool

  struct Selector: Sendable, Equatable {
    let name: String
    let digest: String
  }

  /// Fields that are not stored, because they concern one connection or one exchange (RFC 9111 §3.1).
  private static let unstored: Set<String> = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "proxy-connection",
    "te", "trailer", "transfer-encoding", "upgrade",
    // Cookies are kept in the cookie storage. If they were replayed from the cache, they would overwrite newer cookies.
    "set-cookie", "set-cookie2",
  ]

  /// Returns the response fields that may be stored.
  static func kept(_ fields: HTTPFields) -> HTTPFields {
    let named = fields[values: .connection].flatMap { $0.split(separator: ",") }.map { name in
      name.filter { !$0.isWhitespace }.lowercased()
    }
    return HTTPFields(fields.filter { !unstored.contains($0.name.canonicalName) && !named.contains($0.name.canonicalName) })
  }

  var control: CacheControl { CacheControl(fields) }
  var date: Int64 { fields[.date].flatMap(HTTPDate.seconds).map(Int64.init) ?? responseTime }
  var lastModified: Int64? { fields[.lastModified].flatMap(HTTPDate.seconds).map(Int64.init) }

  /// The conditional fields that validate the response. `nil` when it has no validator.
  ///
  /// A weak entity tag suffices, because the complete stored body is reused.
  var conditions: HTTPFields? {
    var conditions: HTTPFields = [:]
    conditions[.ifNoneMatch] = fields[.eTag]
    conditions[.ifModifiedSince] = fields[.lastModified].flatMap { HTTPDate.seconds($0) == nil ? nil : $0 }
    return conditions.isEmpty ? nil : conditions
  }
}

// Updating a stored head from a 304 response (RFC 9111 §4.3.4).
extension StoredHead {
  /// Fields that describe the stored body and that a response without a body must not change.
  private static let fixed: Set<String> = ["content-encoding", "content-length", "content-range", "content-type"]

  /// Returns the head updated from a 304 response. `nil` when the 304 describes another version of the resource.
  ///
  /// - Parameters:
  ///   - fields: the fields of the 304 response.
  ///   - requestTime: the time at which the validating request was sent, in seconds since 1970.
  ///   - responseTime: the time at which the 304 response was received, in seconds since 1970.
  func freshened(by fields: HTTPFields, requestTime: Int64, responseTime: Int64) -> StoredHead? {
    if let tag = fields[.eTag], let own = self.fields[.eTag], Self.opaque(tag) != Self.opaque(own) { return nil }
    if let text = fields[.lastModified], let own = lastModified, HTTPDate.seconds(text).map(Int64.init) != own { return nil }
    var head = self
    let new = Self.kept(fields).filter { !Self.fixed.contains($0.name.canonicalName) }
    for name in Set(new.map(\.name)) { head.fields[fields: name] = new.filter { $0.name == name } }
    // The age of the response restarts with the 304, so a stored `Age` no longer applies.
    if !fields.contains(.init("Age")!) { head.fields[values: .init("Age")!] = [] }
    (head.requestTime, head.responseTime) = (requestTime, responseTime)
    return head
  }

  /// Returns an entity tag without its weakness prefix (RFC 9110 §8.8.3.2).
  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
