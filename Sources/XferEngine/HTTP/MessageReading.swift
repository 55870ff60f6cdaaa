package import HTTPTypes
internal import XferEvents

// What the engine knows of messages, for what is built on it.
extension TransferSession {
  /// Whether a field's value says who asks, or may.
  package static func isSecretField(_ name: HTTPField.Name) -> Bool { SecretName.matches(field: name.canonicalName) }

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
