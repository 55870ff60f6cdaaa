import XferEngine

/// URLs as the engine reads them.
enum URLText {
  /// Written as the engine writes it; as it stands when it cannot be read.
  static func canonical(_ text: String) -> String { TransferSession.canonicalURLText(text) ?? text }

  /// Whether who asks is the URL's own server.
  static func isOrigin(of text: String, _ space: TransferSession.ProtectionSpace) -> Bool {
    guard let origin = TransferSession.origin(ofURLText: text) else { return false }
    return origin == (space.scheme, space.host, space.port)
  }
}
