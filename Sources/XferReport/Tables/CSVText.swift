/// A writer for CSV as in RFC 4180, except that lines end with a line feed alone.
///
/// Text from a log must neither control a terminal nor become a formula in a spreadsheet (CWE-1236): control characters are
/// escaped, and a text that begins like a formula gets a leading apostrophe, unless it is a number.
package struct CSVText: Sendable {
  /// Whether texts are written unchanged.
  private let isRaw: Bool

  package init(isRaw: Bool = false) { self.isRaw = isRaw }

  package func append(_ cells: [String], to text: inout TextBuffer) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      append(cell, to: &text)
    }
    text.append(UInt8(ascii: "\n"))
  }

  private func append(_ cell: String, to text: inout TextBuffer) {
    if Self.isPlain(cell) { return text.append(cell) }
    let cell = isRaw ? cell : Self.harmless(cell)
    guard cell.utf8.contains(where: Self.mustQuote) else { return text.append(cell) }
    text.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { text.append(byte) }
      text.append(byte)
    }
    text.append(UInt8(ascii: "\""))
  }

  /// Whether a text is written as it is: printable ASCII without separators and quotation marks that does not begin like a formula. Most
  /// cells are. A loop without an exit checks many bytes at once.
  private static func isPlain(_ cell: String) -> Bool {
    let others = cell.utf8.withContiguousStorageIfAvailable { bytes in
      var others: UInt8 = bytes.first.map(beginsFormula) ?? false ? 1 : 0
      for byte in bytes {
        let isPlain = byte &- 0x20 < 0x5F && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
        others |= isPlain ? 0 : 1
      }
      return others
    }
    return others == 0
  }

  private static func beginsFormula(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "@")
  }

  private static func harmless(_ cell: String) -> String {
    // A leading tab or line break would be dangerous, too, but those are escaped.
    let isFormula = cell.utf8.first.map(beginsFormula) ?? false && Double(cell) == nil
    let escaped = TerminalText.escaped(cell)
    return isFormula ? "'" + escaped : escaped
  }

  private static func mustQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
