/// Typographic quotation marks, which text editors and web pages put where a shell needs plain ones.
enum TypographicQuote {
  private static let marks: Set<Unicode.Scalar> = ["\u{2018}", "\u{2019}", "\u{201A}", "\u{201C}", "\u{201D}", "\u{201E}"]

  static func begins(_ text: some StringProtocol) -> Bool { text.unicodeScalars.first.map(marks.contains) ?? false }

  /// Warns if an argument begins with a typographic quotation mark, as curl does. The argument itself may be secret.
  ///
  /// - Parameter place: The argument, such as `--header`.
  static func warn(about text: some StringProtocol, place: String) {
    guard begins(text), let mark = text.unicodeScalars.first else { return }
    Remarks.say("\(place) begins with the typographic quotation mark \(mark), which does not quote: use \" or ' instead")
  }
}
