import XferEvents

/// Functions that make text from logs safe for terminals.
package enum TerminalText {
  /// Whether the character can control a terminal or reorder text: control characters (Cc), formatting characters (Cf, which
  /// include the bidirectional marks), and the separators of lines and paragraphs.
  package static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x80 { return value < 0x20 || value == 0x7F }
    if value < 0xA0 || value == 0xAD { return true }
    // These ranges contain most characters of ordinary text and none to escape, so the slow lookup of the category is skipped.
    if value < 0x0600 || value >= 0x3000 && value < 0xD800 { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  /// Returns the text with control and formatting characters escaped, as in `\x1b`, `\u202e` or `\U000e0001`. Line breaks are
  /// escaped too, so an event stays on one line.
  package static func escaped(_ text: String) -> String {
    // Each line of output passes this check. A loop without an exit checks many bytes at once.
    let others = text.utf8.withContiguousStorageIfAvailable { bytes in
      var others: UInt8 = 0
      for byte in bytes { others |= byte &- 0x20 < 0x5F ? 0 : 1 }
      return others
    }
    if others == 0 || !text.unicodeScalars.contains(where: mustEscape) { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if mustEscape(scalar) { escaped += escape(scalar) } else { escaped.unicodeScalars.append(scalar) }
    }
    return escaped
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    func padded(_ width: Int) -> String { String(repeating: "0", count: max(0, width - digits.count)) + digits }
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      return scalar.value < 0x80 ? "\\x" + padded(2) : scalar.value <= 0xFFFF ? "\\u" + padded(4) : "\\U" + padded(8)
    }
  }

  // MARK: Width

  /// Returns the number of terminal columns of a text.
  package static func width(_ text: some StringProtocol) -> Int { DisplayWidth.columns(of: text) }

  /// Returns the text, or, if it is wider than `columns`, its beginning and an ellipsis.
  package static func cut(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    guard columns > 1 else { return columns == 1 ? "…" : "" }
    var kept = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      let next = used + DisplayWidth.columns(of: scalar)
      if next > columns - 1 { break }
      kept.append(scalar)
      used = next
    }
    return String(kept) + "…"
  }

  /// Returns the text shortened in the middle so that it fits a width. A URL thereby keeps its host and its file name.
  package static func cutMiddle(_ text: String, to columns: Int) -> String {
    let width = width(text)
    guard width > columns else { return text }
    guard columns >= 3 else { return cut(text, to: columns) }
    let front = cut(text, to: (columns - 1) / 2 + 1).dropLast()
    var tail: [Unicode.Scalar] = []
    var used = 0
    for scalar in text.unicodeScalars.reversed() {
      let next = used + DisplayWidth.columns(of: scalar)
      if next > columns - 1 - self.width(front) { break }
      tail.append(scalar)
      used = next
    }
    return front + "…" + String(String.UnicodeScalarView(tail.reversed()))
  }
}
