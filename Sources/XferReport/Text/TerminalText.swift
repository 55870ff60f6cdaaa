/// Text that is safe to show: whatever a log holds, it moves no cursor, rings no bell and turns no line around.
package enum TerminalText {
  /// Whether a terminal would act on the character, or show text in another order because of it: controls (Cc), formats
  /// (Cf, which has the bidi marks) and the two separators of lines and paragraphs.
  package static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x80 { return value < 0x20 || value == 0x7F }
    if value < 0xA0 || value == 0xAD { return true }
    // Most of what people write has neither, and the property is slow to ask for.
    if value < 0x0600 || value >= 0x3000 && value < 0xD800 { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  /// The text with every such character as `\x1b`, `\u202e` or `\U000e0001`, so that one event stays one line.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
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

  /// Columns that a text takes on a terminal.
  package static func width(_ text: some StringProtocol) -> Int {
    var width = 0
    for scalar in text.unicodeScalars { width += columns(scalar) }
    return width
  }

  /// 2 for what East Asian Width calls wide and for emoji, 0 for marks that stand on another character.
  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F900...0x1F9FF,
      0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return 1
    }
  }

  /// The beginning of a text that fits so many columns; with an ellipsis when something is left out.
  package static func cut(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    guard columns > 1 else { return columns == 1 ? "…" : "" }
    var kept = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      let next = used + self.columns(scalar)
      if next > columns - 1 { break }
      kept.append(scalar)
      used = next
    }
    return String(kept) + "…"
  }

  /// The first and the last part of a text, so that it fits so many columns: of an address the host and the file name stay.
  package static func cutMiddle(_ text: String, to columns: Int) -> String {
    let width = width(text)
    guard width > columns else { return text }
    guard columns >= 3 else { return cut(text, to: columns) }
    let front = cut(text, to: (columns - 1) / 2 + 1).dropLast()
    var tail: [Unicode.Scalar] = []
    var used = 0
    for scalar in text.unicodeScalars.reversed() {
      let next = used + self.columns(scalar)
      if next > columns - 1 - self.width(front) { break }
      tail.append(scalar)
      used = next
    }
    return front + "…" + String(String.UnicodeScalarView(tail.reversed()))
  }
}
