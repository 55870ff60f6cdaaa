import XferEvents

/// Replaces the private values of events whose log stores them in plain text.
///
/// A log of this package stores private values as keyed hashes unless its capture mode is `full`. Logs of other programs contain what
/// these programs wrote. A report is meant to be passed on, so it has hashes in both cases. Equal values have equal hashes within one
/// report.
package struct ReportMask: Sendable {
  private let key: KeyedHash.Key

  /// - Parameter key: 128 random bits that are not stored anywhere.
  package init(key: (UInt64, UInt64)) { self.key = .init(first: key.0, second: key.1) }

  /// Whether the writer of a source stored private values in plain text.
  static func isNeeded(for writer: WriterContext) -> Bool { writer.captureMode == .full || writer.captureMode == nil }

  /// Returns a text as a report contains it.
  func masked(_ text: RecordedText, _ privacy: Privacy, in field: FieldID?) -> RecordedText {
    let plain: String
    switch text {
    case .plain(let value), .cut(let value, _): plain = value
    case .hashed, .redacted: return text
    }
    // A public field should not contain a URL. Private values in `settings` have been replaced.
    let isPublic = privacy == .public && (field == .settings || !LoggedURL.isWithin(plain))
    return isPublic ? text : .hashed(hash(plain))
  }

  /// Returns a message whose texts are masked. Its numbers and its literal text are kept.
  func masked(_ message: RecordedMessage) -> RecordedMessage {
    RecordedMessage(
      format: message.format,
      arguments: message.arguments.map { argument in
        guard case .text(let text) = argument.value else { return argument }
        return RecordedArgument(name: argument.name, value: .text(masked(text, .private, in: nil)), style: argument.style)
      })
  }

  /// Returns a sentence about a finding without the URLs that an app used as names. A log that is not in the mode `full` has none.
  static func withoutURLs(_ sentence: String) -> String {
    guard LoggedURL.isWithin(sentence) else { return sentence }
    return sentence.split(separator: " ", omittingEmptySubsequences: false)
      .map { LoggedURL.isWithin(String($0)) ? "<private>" : String($0) }.joined(separator: " ")
  }

  private func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { KeyedHash.hash(UnsafeRawBufferPointer($0), key: key) }
  }
}
