import XferEngine

/// Functions for URLs in the engine's canonical form.
enum URLText {
  /// Returns the URL in the engine's canonical form, or unchanged when it cannot be parsed.
  static func canonical(_ text: String) -> String { TransferSession.canonicalURLText(text) ?? text }

  /// Returns whether an authentication challenge comes from the URL's own server.
  static func isOrigin(of text: String, _ space: TransferSession.ProtectionSpace) -> Bool {
    guard let origin = TransferSession.origin(ofURLText: text) else { return false }
    return origin == (space.scheme, space.host, space.port)
  }
}
