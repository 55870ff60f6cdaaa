/// Texts without differences of case and of diacritical marks, for the options `[c]` and `[d]`.
enum FoldedText {
  static func fold(_ text: String, _ options: TextOptions) -> String {
    var text = text
    if options.contains(.ignoresMarks) { text = withoutMarks(text) }
    return options.contains(.ignoresCase) ? lowercased(text) : text
  }

  /// Returns a text in lower case, with one letter for both forms of the Greek sigma, which have the same capital letter.
  private static func lowercased(_ text: String) -> String {
    let text = text.lowercased()
    return text.utf8.allSatisfy { $0 < 0x80 } ? text : text.replacing("ς", with: "σ")
  }

  private static func withoutMarks(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isMark(scalar) { continue }
      plain.append(scalar.value < 0xC0 ? scalar : bases[scalar] ?? scalar)
    }
    return String(plain)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36F).contains(scalar.value) || (0x1AB0...0x1AFF).contains(scalar.value) || (0x20D0...0x20FF).contains(scalar.value)
  }

  /// The letters of composed characters. A composed character equals its letter followed by its marks, because strings are compared by
  /// canonical equivalence.
  private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
    let letters = [0x41...0x5A, 0x61...0x7A, 0x391...0x3C9, 0x410...0x44F].joined().compactMap(Unicode.Scalar.init)
    let marks = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F, 0x311, 0x313, 0x314, 0x31B,
      0x323,
      0x324, 0x325, 0x326, 0x327, 0x328, 0x32D, 0x32E, 0x330, 0x331, 0x342, 0x345,
    ].compactMap(Unicode.Scalar.init)
    var letterOfText: [String: Unicode.Scalar] = [:]
    func note(_ text: String, _ letter: Unicode.Scalar) { letterOfText[text] = letter }
    for letter in letters { for mark in marks { note(String(String.UnicodeScalarView([letter, mark])), letter) } }
    var bases: [Unicode.Scalar: Unicode.Scalar] = [:]
    let composed = [0xC0...0x24F, 0x386...0x45F, 0x1E00...0x1FFF].joined().compactMap(Unicode.Scalar.init)
    // Characters with two or three marks equal characters with one fewer, followed by a mark.
    for _ in 0..<3 {
      for scalar in composed where bases[scalar] == nil {
        guard let letter = letterOfText[String(scalar)] else { continue }
        bases[scalar] = letter
        for mark in marks { note(String(String.UnicodeScalarView([scalar, mark])), letter) }
      }
    }
    return bases
  }()
}
