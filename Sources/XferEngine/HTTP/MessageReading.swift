package import HTTPTypes
internal import XferEvents

// Message helpers for targets that build on the engine.
extension TransferSession {
  /// Whether a field's value may be a credential.
  package static func isSecretField(_ name: HTTPField.Name) -> Bool { SecretName.matches(field: name.canonicalName) }

  /// Returns the URL as it is requested, without user, password and fragment. `nil` when the text is not a valid URL.
  package static func canonicalURLText(_ text: String) -> String? { try? URLFacts(text).text }

  /// Returns the absolute URL of a `Location` value. `nil` when it cannot be parsed.
  package static func canonicalURLText(_ location: String, relativeTo base: String) -> String? {
    try? URLFacts(base).resolving(location).text
  }

  package static func origin(ofURLText text: String) -> (scheme: String, host: String, port: Int)? {
    (try? URLFacts(text)).map { ($0.scheme, $0.host, $0.effectivePort) }
  }
}
