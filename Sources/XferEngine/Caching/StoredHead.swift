internal import HTTPTypes

/// The head of a response that is kept, with what it takes to judge whether it may be given again.
struct StoredHead: Sendable, Equatable {
  let status: Int
  let reason: String
  let protocolName: String
  var fields: HTTPFields
  /// Seconds since 1970, when the request went out and when the response came.
  var requestTime: Int64
  var responseTime: Int64
  /// What of the request decided about the response: names with digests of their values.
  var selection: [Selector]
  /// Whether the content encoding that the fields name was undone before the body was stored.
  let isDecoded: Bool

  struct Selector: Sendable, Equatable {
    let name: String
    let digest: String
  }

  /// Fields of one connection and one exchange (RFC 9111 §3.1).
  private static let passing: Set<String> = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "proxy-connection",
    "te", "trailer", "transfer-encoding", "upgrade",
    // The cookie storage has them, under rules of its own; given again, they would undo later ones.
    "set-cookie", "set-cookie2",
  ]

  /// What of a response's fields is kept.
  static func kept(_ fields: HTTPFields) -> HTTPFields {
    let named = fields[values: .connection].flatMap { $0.split(separator: ",") }.map { name in
      name.filter { !$0.isWhitespace }.lowercased()
    }
    return HTTPFields(fields.filter { !passing.contains($0.name.canonicalName) && !named.contains($0.name.canonicalName) })
  }

  var control: CacheControl { CacheControl(fields) }
  var date: Int64 { fields[.date].flatMap(HTTPDate.seconds).map(Int64.init) ?? responseTime }
  var lastModified: Int64? { fields[.lastModified].flatMap(HTTPDate.seconds).map(Int64.init) }

  /// Fields that ask whether the response is still good; `nil` when it has nothing that could be asked with.
  ///
  /// A weak tag will do here: what is given again is the whole that was stored.
  var conditions: HTTPFields? {
    var conditions: HTTPFields = [:]
    conditions[.ifNoneMatch] = fields[.eTag]
    conditions[.ifModifiedSince] = fields[.lastModified].flatMap { HTTPDate.seconds($0) == nil ? nil : $0 }
    return conditions.isEmpty ? nil : conditions
  }
}

// What the word of a server changes that it is still good (RFC 9111 §4.3.4).
extension StoredHead {
  /// Fields that describe the stored bytes: an answer without a body says nothing of them.
  private static let fixed: Set<String> = ["content-encoding", "content-length", "content-range", "content-type"]

  /// - Parameters:
  ///   - fields: of the 304.
  ///   - requestTime: seconds since 1970; so is the next.
  /// - Returns: `nil` when the server describes another version than the one that it was asked about.
  func freshened(by fields: HTTPFields, requestTime: Int64, responseTime: Int64) -> StoredHead? {
    if let tag = fields[.eTag], let own = self.fields[.eTag], Self.opaque(tag) != Self.opaque(own) { return nil }
    if let text = fields[.lastModified], let own = lastModified, HTTPDate.seconds(text).map(Int64.init) != own { return nil }
    var head = self
    let new = Self.kept(fields).filter { !Self.fixed.contains($0.name.canonicalName) }
    for name in Set(new.map(\.name)) { head.fields[fields: name] = new.filter { $0.name == name } }
    // The age is that of the 304.
    if !fields.contains(.init("Age")!) { head.fields[values: .init("Age")!] = [] }
    (head.requestTime, head.responseTime) = (requestTime, responseTime)
    return head
  }

  /// A tag without the sign of its weakness (RFC 9110 §8.8.3.2).
  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
