internal import CCurl

/// What a URL says, as libcurl reads it: what is logged, compared and connected to comes from one parser.
///
/// User and password are dropped: they are neither sent nor logged. So is the fragment.
struct URLFacts: Sendable, Hashable {
  /// Lower case.
  let scheme: String
  /// Lower case; an IPv6 address stands in brackets, a name in other scripts as it was written.
  let host: String
  /// IPv6 zone; `nil` when there is none.
  let zone: String?
  /// `nil` for the scheme's own.
  let port: Int?
  /// At least `/`, percent-encoded.
  let path: String
  /// Without the question mark; `nil` when there is none.
  let query: String?
}

extension URLFacts {
  /// Reads an absolute URL; a scheme that is not carried is read too, so that it can be named.
  init(_ text: String) throws(TransferError) {
    let handle = curl_url()
    defer { curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS | CURLU_URLENCODE)
    try self.init(handle, setting: text, flags: flags)
  }

  /// Reads a `Location`, which may be relative to this URL (RFC 3986 §5).
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

  /// Leaves other scripts to libcurl's IDN conversion.
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
  /// Whether the engine carries the scheme.
  var isCarried: Bool { scheme == "http" || scheme == "https" }

  /// The host with its port where that is not the scheme's own, as a `Host` field has it.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  var effectivePort: Int { port ?? Self.defaultPort(of: scheme) ?? 0 }

  /// Path and query, as a request line has them.
  var target: String { query.map { "\(path)?\($0)" } ?? path }

  /// The whole URL, as libcurl is given it.
  var text: String {
    guard let zone, host.last == "]" else { return "\(scheme)://\(authority)\(target)" }
    let zoned = "\(host.dropLast())%25\(zone)]"
    return "\(scheme)://\(port.map { "\(zoned):\($0)" } ?? zoned)\(target)"
  }

  /// Two URLs with one origin may see each other's credentials (RFC 6454).
  var origin: Origin { Origin(scheme: scheme, host: host, zone: zone, port: port) }

  struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let zone: String?
    let port: Int?
  }
}
