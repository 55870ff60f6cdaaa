/// Replaces the private values of events whose log stores them in plain text.
///
/// A log of this package stores private values as keyed hashes unless its capture mode is `full`. Logs of other programs contain what
/// these programs wrote. Reports and bundles are meant to be passed on, so they have hashes in both cases. Equal values have equal hashes
/// under one key.
package struct ValueMask {
  private let key: KeyedHash.Key
  private let note: ((String) -> Void)?

  /// - Parameters:
  ///   - key: 128 bits that are not stored in any document.
  ///   - note: called with each value that is masked.
  package init(key: (UInt64, UInt64), note: ((String) -> Void)? = nil) {
    self.key = .init(first: key.0, second: key.1)
    self.note = note
  }

  /// Whether the writer of a source stored private values in plain text.
  package static func isNeeded(for writer: WriterContext) -> Bool { writer.captureMode == .full || writer.captureMode == nil }

  /// Returns a text as a document contains it.
  package func masked(_ text: RecordedText, _ privacy: Privacy, in field: FieldID?) -> RecordedText {
    let plain: String
    switch text {
    case .plain(let value), .cut(let value, _): plain = value
    case .hashed, .redacted: return text
    }
    // A public field should not contain a URL. Private values in `settings` have been replaced.
    let isPublic = privacy == .public && (field == .settings || !LoggedURL.isWithin(plain))
    if isPublic { return text }
    note?(plain)
    // As in a log that never stored the value, parts that grant access are not even hashed.
    let hashed: String? =
      switch field {
      case .path: LoggedURL.path(plain)
      case .urlQuery: LoggedURL.query(plain)
      default: plain
      }
    return hashed.map { .hashed(hash($0)) } ?? .redacted
  }

  /// Returns a message whose texts are masked. Its numbers and its literal text are kept.
  package func masked(_ message: RecordedMessage) -> RecordedMessage {
    RecordedMessage(
      format: message.format,
      arguments: message.arguments.map { argument in
        guard case .text(let text) = argument.value else { return argument }
        let masked = masked(text, .private, in: nil)
        let isSecret = argument.name.map { SecretName.matches(value: $0) } ?? false
        return RecordedArgument(name: argument.name, value: .text(isSecret ? .redacted : masked), style: argument.style)
      })
  }

  private func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { KeyedHash.hash(UnsafeRawBufferPointer($0), key: key) }
  }
}
