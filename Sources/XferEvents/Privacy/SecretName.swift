/// Names that announce a secret: what stands under them is kept only by a log that keeps everything, and hashed by none.
///
/// A name that merely looks like one is taken for one. That costs a value of a log; the contrary costs a password.
package enum SecretName {
  /// Whether a header field of this name carries a credential.
  package static func matches(field name: some StringProtocol) -> Bool {
    !harmlessFields.contains(name.lowercased()) && names(name, anyOf: wordsOnTheWire)
  }

  /// Whether a query parameter of this name, as it stands in a URL, grants access: it reaches the server and nothing else.
  package static func matches(parameter name: some StringProtocol) -> Bool {
    let name = PercentEncoding.decoded(name)
    let lowercased = name.lowercased()
    return parameters.contains(lowercased) || prefixes.contains { lowercased.hasPrefix($0) }
      || names(name, anyOf: wordsOnTheWire)
  }

  /// Whether a named value of a log message is a secret by its name.
  package static func matches(value name: some StringProtocol) -> Bool { names(name, anyOf: words) }

  /// Wherever such a word stands by itself: `X-Auth-Token`, `clientSecret`, `user.password`.
  private static let words: Set<String> = [
    "apikey", "authorization", "bearer", "cookie", "cookies", "credential", "credentials", "jwt", "otp", "passphrase", "passwd",
    "password", "passwords", "pwd", "secret", "secrets", "token", "tokens",
  ]

  /// Words that mean something else in a program's own messages.
  private static let wordsOnTheWire = words.union([
    "assertion", "auth", "authentication", "cookie2", "csrf", "dpop", "hmac", "key", "saml", "session", "sessionid", "sid",
    "sig", "signature", "ticket", "xsrf",
  ])

  /// Of what is left of a name without its marks: `api_key`, `accesstoken`.
  private static let endings = ["accesskey", "apikey", "passwd", "password", "secret", "secretkey", "sessionid", "token"]

  /// With a key that opens nothing.
  private static let harmlessFields: Set<String> = ["idempotency-key", "sec-websocket-key", "surrogate-key"]

  private static let parameters: Set<String> = [
    "awsaccesskeyid", "code", "code_verifier", "expires", "googleaccessid", "hash-algorithm", "hdnea", "hdnts", "key-pair-id",
    "nonce", "ossaccesskeyid", "pass", "policy", "samlrequest", "samlresponse",
  ]

  /// Of parameters that sign a URL for an object store: Amazon, Google, Alibaba, Tencent (two), Azure.
  private static let prefixes = ["x-amz-", "x-goog-", "x-oss-", "x-cos-", "q-", "x-ms-"]

  private static func names(_ name: some StringProtocol, anyOf wanted: Set<String>) -> Bool {
    let words = words(of: name)
    if words.contains(where: wanted.contains) { return true }
    let joined = words.joined()
    return wanted.contains(joined) || endings.contains { joined.hasSuffix($0) }
  }

  /// A name's words in lower case, split at marks and where a capital follows a small letter.
  private static func words(of name: some StringProtocol) -> [String] {
    var words = [""]
    var followsSmall = false
    for character in name {
      let isCapital = character.isUppercase
      let isPart = character.isLetter || character.isNumber
      if !isPart || isCapital && followsSmall { words.append("") }
      if isPart { words[words.count - 1] += character.lowercased() }
      followsSmall = isPart && !isCapital
    }
    return words
  }
}
