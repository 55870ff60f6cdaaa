extension TransferSession {
  /// A cookie, as defined in RFC 6265.
  public struct Cookie: Sendable, Hashable {
    /// The domain, in lower case and without a leading dot.
    public var domain: String
    public var includesSubdomains: Bool
    public var path: String
    public var isSecure: Bool
    public var isHTTPOnly: Bool
    /// The expiry time, in seconds since 1970. `nil` for a session cookie.
    public var expires: Int64?
    public var name: String
    public var value: String

    public init(
      domain: String, includesSubdomains: Bool = false, path: String = "/", isSecure: Bool = false, isHTTPOnly: Bool = false,
      expires: Int64? = nil, name: String, value: String
    ) {
      self.domain = domain
      self.includesSubdomains = includesSubdomains
      self.path = path
      self.isSecure = isSecure
      self.isHTTPOnly = isHTTPOnly
      self.expires = expires
      self.name = name
      self.value = value
    }
  }

  /// The policy for storing received cookies. Has the two cases of `HTTPCookie.AcceptPolicy` that do not depend on a main
  /// document.
  public enum CookieAcceptPolicy: String, Sendable, CaseIterable {
    case always, never
  }
}

extension TransferSession.Cookie {
  private static let onlyHTTP = "#HttpOnly_"

  /// Reads a line of a cookie file in Netscape's format, which libcurl and most tools write.
  ///
  /// Returns `nil` for comments, empty lines and malformed lines.
  public init?(netscapeLine line: String) {
    var text = Substring(line)
    isHTTPOnly = text.hasPrefix(Self.onlyHTTP)
    if isHTTPOnly { text = text.dropFirst(Self.onlyHTTP.count) }
    guard !text.hasPrefix("#") else { return nil }
    let parts = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 7, !parts[0].isEmpty, let expires = Int64(parts[4]) else { return nil }
    domain = (parts[0].hasPrefix(".") ? String(parts[0].dropFirst()) : parts[0]).lowercased()
    includesSubdomains = parts[1].uppercased() == "TRUE"
    path = parts[2]
    isSecure = parts[3].uppercased() == "TRUE"
    self.expires = expires == 0 ? nil : expires
    name = parts[5]
    value = parts[6]
  }

  /// The cookie as a line of a file in Netscape's format.
  public var netscapeLine: String {
    let truth = { (value: Bool) in value ? "TRUE" : "FALSE" }
    let fields = [
      (isHTTPOnly ? Self.onlyHTTP : "") + (includesSubdomains ? "." : "") + domain, truth(includesSubdomains), path,
      truth(isSecure), "\(expires ?? 0)", name, value,
    ]
    return fields.joined(separator: "\t")
  }

  /// Whether the cookie contains no control characters, which would end its line or field in Netscape's format.
  var isWritable: Bool { [domain, path, name, value].allSatisfy { $0.utf8.allSatisfy { $0 >= 32 && $0 != 127 } } }

  /// Returns whether a request for the URL carries the cookie, judged by the URL's host, path and scheme.
  func matches(_ url: URLFacts) -> Bool {
    let isDomain = url.host == domain || includesSubdomains && url.host.hasSuffix(".\(domain)")
    let isPath = path == url.path || url.path.hasPrefix(path.hasSuffix("/") ? path : "\(path)/")
    return isDomain && isPath && (!isSecure || url.scheme == "https" || ["localhost", "127.0.0.1"].contains(url.host))
  }
}
