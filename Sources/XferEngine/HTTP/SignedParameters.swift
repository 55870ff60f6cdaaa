/// Query parameters that grant access: they reach the server and nothing else.
///
/// A log must not hold them, not even hashed, so the query and the digest of a URL are made without them.
enum SignedParameters {
  private static let prefixes = ["x-amz-", "x-goog-", "x-oss-", "x-cos-", "x-ms-"]

  private static let names: Set<String> = [
    "access_token", "api-key", "api_key", "apikey", "auth", "auth_token", "authorization", "awsaccesskeyid", "client_secret",
    "code", "credential", "expires", "googleaccessid", "hdnea", "hdnts", "hmac", "id_token", "jwt", "key", "key-pair-id",
    "passwd", "password", "policy", "pwd", "refresh_token", "secret", "session", "sessionid", "sid", "sig", "signature",
    "ticket", "token",
  ]

  /// Whether a parameter of this name, as it stands in the URL, is kept out of the log.
  static func contains(_ name: some StringProtocol) -> Bool {
    let plain = decoded(name).lowercased()
    return names.contains(plain) || prefixes.contains { plain.hasPrefix($0) }
  }

  /// The query without them; `nil` when nothing is left.
  static func removed(from query: String) -> String? {
    let kept = query.split(separator: "&").filter { !contains($0.prefix { $0 != "=" }) }
    return kept.isEmpty ? nil : kept.joined(separator: "&")
  }

  /// An encoded letter must not hide a name.
  private static func decoded(_ name: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension URLFacts {
  /// The query as a log may have it; `nil` when there is none, or nothing else in it.
  var loggedQuery: String? { query.flatMap(SignedParameters.removed) }

  /// What tells one resource from another: the URL without what only grants access to it.
  var resource: String {
    let base = "\(scheme)://\(authority)\(path)"
    return loggedQuery.map { "\(base)?\($0)" } ?? base
  }
}
