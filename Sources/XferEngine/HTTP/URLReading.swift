// URLs in the way that the engine reads them, for what is built on it.
extension TransferSession {
  /// - Returns: the URL as it is asked for, without user, password and fragment; `nil` for what is no URL.
  package static func canonicalURLText(_ text: String) -> String? { try? URLFacts(text).text }

  /// - Returns: where a `Location` leads; `nil` for what cannot be read.
  package static func canonicalURLText(_ location: String, relativeTo base: String) -> String? {
    try? URLFacts(base).resolving(location).text
  }

  package static func origin(ofURLText text: String) -> (scheme: String, host: String, port: Int)? {
    (try? URLFacts(text)).map { ($0.scheme, $0.host, $0.effectivePort) }
  }
}
