internal import Crypto
internal import HTTPTypes

/// What a cache has to know of a request.
struct CacheRequest: Sendable {
  let method: HTTPRequest.Method
  let key: CacheKey
  let fields: HTTPFields
  /// Who asks: a credential, a certificate; `nil` for nobody in particular.
  let identity: String?
  /// The cookies that go along, as text; `nil` when there are none.
  let cookies: String?
  /// Whether content encodings are undone.
  let decodes: Bool

  var control: CacheControl { CacheControl(fields) }

  /// Fields with which the caller asks for a part, or on a condition of his own: the answer is his, and no cache's.
  private static let own: [HTTPField.Name] = [.range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]

  /// Whether a cache has anything to do with the request.
  static func applies(to plan: RequestPlan) -> Bool {
    (plan.method == .get || plan.method == .head) && plan.body == .none && !own.contains(where: plan.fields.contains)
  }

  /// The name of what says who asks, among the names of fields.
  private static let identityName = ":identity"

  /// What decides about the response, by its own `Vary`; `nil` when it says that nobody can know.
  ///
  /// A response to somebody in particular is given to nobody else, unless it says that it is for all.
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

  /// Values may be secret, and only have to be compared.
  private func digest(of name: String) -> String {
    let value: String? =
      switch name {
      case Self.identityName: identity
      case "cookie": fields[.cookie] ?? cookies
      default: HTTPField.Name(name).flatMap { fields[$0] }
      }
    return value.map { CacheKey.hex(SHA256.hash(data: Array($0.utf8))) } ?? "-"
  }

  /// Whether the stored response answers this request, too (RFC 9111 §4.1).
  func matches(_ stored: StoredHead) -> Bool {
    let isEncoded = stored.fields[.contentEncoding].map { !$0.isEmpty && $0.lowercased() != "identity" } ?? false
    guard !isEncoded || stored.isDecoded == decodes else { return false }
    return stored.selection.allSatisfy { digest(of: $0.name) == $0.digest }
  }
}

/// Under which name a response is kept: a digest, so that no URL stands on the disk.
struct CacheKey: Sendable, Hashable {
  /// 64 hexadecimal digits.
  let name: String

  /// - Parameter trust: what decides whom a session believes. A session that believes everybody must not answer for one that
  ///   looks closely.
  init(urlText: String, trust: String) { name = Self.hex(SHA256.hash(data: Array("\(urlText)\n\(trust)".utf8))) }

  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension TransferSession.ServerTrust {
  /// What a response that came under it depends on; empty for the system's authorities.
  func partition(for scheme: String) -> String {
    guard scheme == "https", self != Self() else { return "" }
    return "\(allowsAnyServer) \(authoritiesFile ?? "-") \(pinnedPublicKeys.joined(separator: ";"))"
  }
}
