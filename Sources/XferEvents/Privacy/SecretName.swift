/// Recognizes names that suggest a secret. Their values are stored only by a log whose capture mode is `full`, and never
/// hashed.
///
/// A name that merely resembles one counts as a secret, because losing a value is better than storing a password.
package enum SecretName {
  /// Whether a header field of this name carries a credential.
  package static func matches(field name: some StringProtocol) -> Bool {
    !harmlessFields.contains(name.lowercased()) && names(name, anyOf: wordsOnTheWire)
  }

  /// Whether a query parameter of this name, as written in a URL, grants access.
  package static func matches(parameter name: some StringProtocol) -> Bool {
    let name = PercentEncoding.decoded(name)
    let lowercased = name.lowercased()
    return parameters.contains(lowercased) || prefixes.contains { lowercased.hasPrefix($0) }
      || names(name, anyOf: wordsOnTheWire)
  }

  /// Whether a named argument of a log message is a secret according to its name.
  package static func matches(value name: some StringProtocol) -> Bool { names(name, anyOf: words) }

  /// Words that suggest a secret as a separate word of a name, as in `X-Auth-Token`, `clientSecret` and `user.password`.
  private static let words: Set<String> = [
    "apikey", "authorization", "bearer", "cookie", "cookies", "credential", "credentials", "jwt", "otp", "passphrase", "passwd",
    "password", "passwords", "pwd", "secret", "secrets", "token", "tokens",
  ]

  /// Words that suggest a secret in a header field or a query parameter, but mean something else in a program's own messages.
  private static let wordsOnTheWire = words.union([
    "assertion", "auth", "authentication", "cookie2", "csrf", "dpop", "hmac", "key", "saml", "session", "sessionid", "sid",
    "sig", "signature", "ticket", "xsrf",
  ])

  /// Endings that suggest a secret in a name without its punctuation, as in `api_key` and `accesstoken`.
  private static let endings = ["accesskey", "apikey", "passwd", "password", "secret", "secretkey", "sessionid", "token"]

  /// Header fields that contain the word `key` but no credential.
  private static let harmlessFields: Set<String> = ["idempotency-key", "sec-websocket-key", "surrogate-key"]

  private static let parameters: Set<String> = [
    "awsaccesskeyid", "code", "code_verifier", "expires", "googleaccessid", "hash-algorithm", "hdnea", "hdnts", "key-pair-id",
    "nonce", "ossaccesskeyid", "pass", "policy", "samlrequest", "samlresponse",
  ]

  /// Prefixes of the parameters that sign a URL for an object store: Amazon, Google, Alibaba, Tencent (two) and Azure.
  private static let prefixes = ["x-amz-", "x-goog-", "x-oss-", "x-cos-", "q-", "x-ms-"]

  private static func names(_ name: some StringProtocol, anyOf wanted: Set<String>) -> Bool {
    let words = words(of: name)
    if words.contains(where: wanted.contains) { return true }
    let joined = words.joined()
    return wanted.contains(joined) || endings.contains { joined.hasSuffix($0) }
  }

  /// Returns the words of a name in lowercase, split at punctuation and before a capital that follows a lowercase letter.
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
