internal import CCurl

/// The components of a URL as libcurl parses them, so that logging, comparing and connecting agree on the URL's meaning.
///
/// User, password and fragment are dropped; they are neither sent nor logged.
struct URLFacts: Sendable, Hashable {
  /// The scheme in lower case.
  let scheme: String
  /// The host with ASCII letters in lower case. An IPv6 address is in brackets; non-ASCII names are not converted.
  let host: String
  /// The IPv6 zone identifier. `nil` when the URL has none.
  let zone: String?
  /// The port. `nil` for the scheme's default port.
  let port: Int?
  /// The percent-encoded path, at least `/`.
  let path: String
  /// The query without its question mark. `nil` when there is none.
  let query: String?
}

extension URLFacts {
  /// Parses an absolute URL. Unsupported schemes are parsed too, so that error messages can name them.
  init(_ text: String) throws(TransferError) {
    let handle = curl_url()
    defer { curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS | CURLU_URLENCODE)
    try self.init(handle, setting: text, flags: flags)
  }

  /// Parses a `Location` value, which may be relative to this URL (RFC 3986 §5).
  func resolving(_ location: String) throws(TransferError) -> URLFacts {
    let handle = curl_url()
    defer { curl_url_cleanup(handle) }
    curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS))
    return try URLFacts(handle, setting: location, flags: UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE))
  }

  private init(_ handle: OpaquePointer?, setting text: String, flags: UInt32) throws(TransferError) {
    let code = curl_url_set(handle, CURLUPART_URL, text, flags)
    guard code == CURLUE_OK, !text.utf8.contains(0) else {
      throw .badURL(String(cString: curl_url_strerror(code)))
    }
    func part(_ part: CURLUPart) -> String? {
      var bytes: UnsafeMutablePointer<CChar>?
      guard curl_url_get(handle, part, &bytes, 0) == CURLUE_OK, let bytes else { return nil }
      defer { curl_free(bytes) }
      return String(cString: bytes)
    }
    let scheme = (part(CURLUPART_SCHEME) ?? "").lowercased()
    let port = part(CURLUPART_PORT).flatMap { Int($0) }
    self.scheme = scheme
    host = Self.lowercasingASCII(part(CURLUPART_HOST) ?? "")
    zone = part(CURLUPART_ZONEID)
    self.port = port == Self.defaultPort(of: scheme) ? nil : port
    path = part(CURLUPART_PATH) ?? "/"
    query = part(CURLUPART_QUERY).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Lowercases ASCII letters only; libcurl's IDN conversion handles other scripts.
  private static func lowercasingASCII(_ text: String) -> String {
    String(decoding: text.utf8.map { 65...90 ~= $0 ? $0 + 32 : $0 }, as: UTF8.self)
  }

  fileprivate static func defaultPort(of scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }
}

extension URLFacts {
  /// Whether the engine supports the URL's scheme.
  var isSupported: Bool { scheme == "http" || scheme == "https" }

  /// The value of a `Host` field: the host, and the port if it is not the scheme's default port.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  var effectivePort: Int { port ?? Self.defaultPort(of: scheme) ?? 0 }

  /// Path and query, as in a request line.
  var target: String { query.map { "\(path)?\($0)" } ?? path }

  /// The complete URL text that is passed to libcurl.
  var text: String {
    guard let zone, host.last == "]" else { return "\(scheme)://\(authority)\(target)" }
    let zoned = "\(host.dropLast())%25\(zone)]"
    return "\(scheme)://\(port.map { "\(zoned):\($0)" } ?? zoned)\(target)"
  }

  /// The origin (RFC 6454), within which credentials are shared.
  var origin: Origin { Origin(scheme: scheme, host: host, zone: zone, port: port) }

  struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let zone: String?
    let port: Int?
  }
}
