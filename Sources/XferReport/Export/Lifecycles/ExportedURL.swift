package import XferEvents

/// A URL as a log contains it. Masked parts are written as `REDACTED`, so that the text is a valid URL.
package struct ExportedURL: Hashable, Sendable {
  package var scheme: String?
  package var host: String?
  package var port: Int?
  package var path: RecordedText?
  package var query: RecordedText?

  package init(
    scheme: String? = nil, host: String? = nil, port: Int? = nil, path: RecordedText? = nil, query: RecordedText? = nil
  ) {
    (self.scheme, self.host, self.port, self.path, self.query) = (scheme, host, port, path, query)
  }

  /// Returns the URL that the fields of an event describe; `nil` if the event has no host.
  package init?(_ event: RecordedEvent) {
    guard let host = event.host else { return nil }
    self.init(scheme: event.scheme, host: host, port: event.port, path: event.path, query: event.urlQuery)
  }

  /// The scheme, the host and the port.
  package var origin: String {
    "\(scheme ?? "http")://\(HostText.text(Self.encoded(host ?? "unknown.invalid"), port: port, scheme: scheme))"
  }

  /// The absolute URL without the query.
  package var withoutQuery: String {
    guard let path else { return origin + "/" }
    let text = Self.text(path)
    return origin + (text.hasPrefix("/") ? text : "/" + text)
  }

  /// The absolute URL.
  package var text: String { withoutQuery + (query.map { "?" + Self.text($0) } ?? "") }

  /// The path and the query, as in the first line of a request.
  package var target: String { String(text.dropFirst(origin.count)) }

  /// The names and values of the query; empty if the query is masked.
  package var queryItems: [(name: String, value: String)] {
    guard case .plain(let text)? = query, !text.isEmpty else { return [] }
    return text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  private static func text(_ text: RecordedText) -> String {
    switch text {
    case .plain(let text), .cut(let text, _): encoded(text)
    case .hashed(let hash): "REDACTED-\(hash.hexadecimal)"
    case .redacted: "REDACTED"
    }
  }

  /// Percent-encodes the characters that no URL may contain.
  private static func encoded(_ text: String) -> String {
    func isAllowed(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && !#""<>\^`{|}"#.utf8.contains(byte) }
    if text.utf8.allSatisfy(isAllowed) { return text }
    var result = TextBuffer(capacity: 256)
    for byte in text.utf8 {
      if isAllowed(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append(hexadecimal: UInt64(byte), width: 2)
      }
    }
    return result.string
  }
}
