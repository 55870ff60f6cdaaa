/// The parts of a URL, or of as much of one as a log contains.
package struct URLParts: Hashable, Sendable {
  package var scheme: String?
  package var host: String?
  package var port: Int?
  package var path: String?
  package var query: String?

  package init(scheme: String? = nil, host: String? = nil, port: Int? = nil, path: String? = nil) {
    (self.scheme, self.host, self.port, self.path) = (scheme, host, port, path)
  }

  /// - Returns: `nil` if the text has neither a scheme nor a path.
  package init?(_ text: some StringProtocol) {
    var rest = Substring(text)
    // Credentials and fragments are dropped.
    if let mark = rest.firstIndex(of: "#") { rest = rest[..<mark] }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://"),
      rest[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == "." })
    {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(colon, offsetBy: 3)...]
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      setAuthority(rest[..<slash])
      rest = rest[slash...]
    } else if !rest.hasPrefix("/") {
      // A data URL has a scheme and no host.
      guard let colon = rest.firstIndex(of: ":") else { return nil }
      scheme = rest[..<colon].lowercased()
      (path, query) = (nil, nil)
      return
    }
    path = rest.isEmpty ? (host == nil ? nil : "/") : String(rest)
  }

  /// Sets the host and the port from text such as `example.com:8443` or `[::1]:80`.
  package mutating func setAuthority(_ text: some StringProtocol) {
    var rest = Substring(text)
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    if rest.hasPrefix("["), let close = rest.firstIndex(of: "]") {
      host = String(rest[rest.index(after: rest.startIndex)..<close])
      rest = rest[rest.index(after: close)...]
      if rest.hasPrefix(":") { port = Int(rest.dropFirst()) }
    } else if let colon = rest.lastIndex(of: ":"), let number = Int(rest[rest.index(after: colon)...]) {
      host = String(rest[..<colon])
      port = number
    } else {
      host = rest.isEmpty ? nil : String(rest)
    }
    host = host?.lowercased()
  }

  /// The URL without its query, for messages.
  package var text: String {
    guard let scheme else { return path ?? "" }
    let name = (host ?? "").contains(":") ? "[\(host ?? "")]" : host ?? ""
    return "\(scheme)://\(name)\(port.map { ":\($0)" } ?? "")\(path ?? "")"
  }

  /// Returns the absolute URL of a redirect's location.
  package func resolving(_ location: String) -> URLParts? {
    if location.hasPrefix("//") { return URLParts("\(scheme ?? "https"):\(location)") }
    if location.contains("://") { return URLParts(location) }
    var result = self
    let target = location.prefix { $0 != "#" }
    let mark = target.firstIndex(of: "?") ?? target.endIndex
    result.query = mark < target.endIndex ? String(target[target.index(after: mark)...]) : nil
    if target.hasPrefix("/") {
      result.path = String(target[..<mark])
    } else if mark > target.startIndex {
      let base = path ?? "/"
      result.path = base[...(base.lastIndex(of: "/") ?? base.startIndex)] + String(target[..<mark])
    }
    result.path = result.path.map(Self.withoutDotSegments)
    return result
  }

  /// Removes the steps `.` and `..` from a path, as RFC 3986 (5.2.4) demands.
  private static func withoutDotSegments(_ path: String) -> String {
    guard path.contains("/.") else { return path }
    var kept: [Substring] = []
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    for (place, step) in steps.enumerated() {
      let isLast = place == steps.count - 1
      switch step {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(step)
      }
    }
    return kept.joined(separator: "/")
  }

  /// The URL without a port that is the default of its scheme, for comparisons.
  package var withoutDefaultPort: URLParts {
    var result = self
    if (scheme, port) == ("http", 80) || (scheme, port) == ("https", 443) { result.port = nil }
    return result
  }
}
