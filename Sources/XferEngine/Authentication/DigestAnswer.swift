internal import XferCrypto

/// An answer to a Digest challenge (RFC 7616). Supports `qop=auth` and servers without `qop`.
struct DigestAnswer: Sendable, Equatable {
  let realm: String
  private let nonce: String
  private let opaque: String?
  private let algorithm: Algorithm
  private let algorithmText: String?
  private let hasQuality: Bool
  private let hashesUser: Bool
  /// The number of requests authorized with this nonce.
  private var count = 0

  private enum Algorithm: String {
    case md5 = "md5"
    case sha256 = "sha-256"
    case md5Session = "md5-sess"
    case sha256Session = "sha-256-sess"

    var isSession: Bool { self == .md5Session || self == .sha256Session }

    private var function: DigestAlgorithm {
      switch self {
      case .md5, .md5Session: .md5
      case .sha256, .sha256Session: .sha256
      }
    }

    /// Returns the digest of a text in hexadecimal digits.
    func hash(_ text: String) -> String { MessageDigest.hash(data: text.utf8, function).hexadecimal }
  }

  /// Makes the answer to a challenge. `nil` for an unsupported algorithm or for a challenge that allows only `auth-int`.
  init?(_ challenge: ChallengeList.Challenge) {
    let parameters = challenge.parameters
    guard let realm = parameters["realm"], let nonce = parameters["nonce"],
      let algorithm = Algorithm(rawValue: (parameters["algorithm"] ?? "MD5").lowercased())
    else { return nil }
    let qualities = parameters["qop"]?.lowercased().split { ", \t".contains($0) }
    if let qualities, !qualities.contains("auth") { return nil }
    self.realm = realm
    self.nonce = nonce
    self.algorithm = algorithm
    algorithmText = parameters["algorithm"]
    opaque = parameters["opaque"]
    hasQuality = qualities != nil
    hashesUser = parameters["userhash"]?.lowercased() == "true"
  }

  /// Whether the challenge only asks for the same credential with a new nonce.
  static func isStale(_ challenge: ChallengeList.Challenge) -> Bool { challenge.parameters["stale"]?.lowercased() == "true" }

  /// Returns the value of the `Authorization` field for the next request.
  ///
  /// - Parameter clientNonce: a nonce that is used for this request only.
  mutating func authorization(
    _ credential: TransferSession.Credential, method: String, target: String, clientNonce: String
  ) -> String {
    count += 1
    let number = String(repeating: "0", count: max(0, 8 - String(count, radix: 16).count)) + String(count, radix: 16)
    var secret = algorithm.hash("\(credential.user):\(realm):\(credential.password)")
    if algorithm.isSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
    let request = algorithm.hash("\(method):\(target)")
    let response =
      hasQuality
      ? algorithm.hash("\(secret):\(nonce):\(number):\(clientNonce):auth:\(request)")
      : algorithm.hash("\(secret):\(nonce):\(request)")
    let user = hashesUser ? algorithm.hash("\(credential.user):\(realm)") : credential.user
    var parts = [
      "username=\(Self.quoted(user))", "realm=\(Self.quoted(realm))", "nonce=\(Self.quoted(nonce))",
      "uri=\(Self.quoted(target))", "response=\"\(response)\"",
    ]
    if let algorithmText { parts.append("algorithm=\(algorithmText)") }
    if hasQuality { parts += ["qop=auth", "nc=\(number)"] }
    if hasQuality || algorithm.isSession { parts.append("cnonce=\"\(clientNonce)\"") }
    if let opaque { parts.append("opaque=\(Self.quoted(opaque))") }
    if hashesUser { parts.append("userhash=true") }
    return "Digest " + parts.joined(separator: ", ")
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
  }
}
