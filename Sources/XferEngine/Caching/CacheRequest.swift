internal import HTTPTypes
internal import XferCrypto

/// The properties of a request that matter to the cache.
struct CacheRequest: Sendable {
  let method: HTTPRequest.Method
  let key: CacheKey
  let fields: HTTPFields
  /// The requester's credential and client certificate. `nil` for an anonymous request.
  let identity: String?
  /// The text of the cookies sent with the request. `nil` when there are none.
  let cookies: String?
  /// Whether the response's content codings are decoded.
  let decodes: Bool

  var control: CacheControl { CacheControl(fields) }

  /// Range and conditional fields. A request in which the caller sets one of them bypasses the cache.
  private static let conditional: [HTTPField.Name] = [
    .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
  ]

  /// Whether the cache handles a request: a GET or HEAD request without a body, a range or conditions.
  static func applies(to plan: RequestPlan) -> Bool {
    (plan.method == .get || plan.method == .head) && plan.body == .none && !conditional.contains(where: plan.fields.contains)
  }

  /// The selector name for the requester's identity. Cannot collide with a field name.
  private static let identityName = ":identity"

  /// Returns the request properties that the response's `Vary` field names. `nil` for `Vary: *`.
  ///
  /// A response that is not marked `public` also depends on the requester's identity.
  func selection(for response: HTTPFields) -> [StoredHead.Selector]? {
    let names = Set(
      response[values: .vary].flatMap { $0.split(separator: ",") }.map { $0.filter { !$0.isWhitespace }.lowercased() })
    guard !names.contains("*") else { return nil }
    var selection = names.filter { !$0.isEmpty }.sorted().map { StoredHead.Selector(name: $0, digest: digest(of: $0)) }
    if !CacheControl(response).isPublic {
      selection.append(.init(name: Self.identityName, digest: digest(of: Self.identityName)))
    }
    return selection
  }

  /// Returns a digest of a request property, because values may be secret and only need to be compared.
  private func digest(of name: String) -> String {
    let value: String? =
      switch name {
      case Self.identityName: identity
      case "cookie": fields[.cookie] ?? cookies
      default: HTTPField.Name(name).flatMap { fields[$0] }
      }
    return value.map { SHA256.hash(data: $0.utf8).hexadecimal } ?? "-"
  }

  /// Whether this request has the values for which the response was stored: the fields that `Vary` names (RFC 9111 §4.1), the
  /// requester's identity, and content decoding if the body has a content coding.
  func matches(_ stored: StoredHead) -> Bool {
    let isEncoded = stored.fields[.contentEncoding].map { !$0.isEmpty && $0.lowercased() != "identity" } ?? false
    guard !isEncoded || stored.isDecoded == decodes else { return false }
    return stored.selection.allSatisfy { digest(of: $0.name) == $0.digest }
  }
}

/// The key of a cached response: a digest, so that file names do not reveal URLs.
struct CacheKey: Sendable, Hashable {
  /// The SHA-256 digest in 64 hexadecimal digits.
  let name: String

  /// - Parameter trust: the text from `ServerTrust.partition(for:)`. Because it is part of the key, sessions that verify servers
  ///   never find responses of a session that trusts any server.
  init(urlText: String, trust: String) { name = SHA256.hash(data: "\(urlText)\n\(trust)".utf8).hexadecimal }
}

extension TransferSession.ServerTrust {
  /// Returns the text that partitions the cache by server trust. Empty for `http` and for the default trust.
  func partition(for scheme: String) -> String {
    guard scheme == "https", self != Self() else { return "" }
    return "\(allowsAnyServer) \(authoritiesFile ?? "-") \(pinnedPublicKeys.joined(separator: ";"))"
  }
}
