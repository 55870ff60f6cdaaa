/// Rows as RFC 4180 has them, but lines end with a line feed alone.
///
/// What a log holds must not become a formula in somebody's spreadsheet (CWE-1236): a text that begins like one gets an
/// apostrophe in front, unless it is a number.
package struct CSVText: Sendable {
  /// Texts stay as they are.
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
    let safe = isRaw || !Self.looksLikeFormula(cell) ? cell : "'" + cell
    guard safe.utf8.contains(where: Self.mustQuote) else { return text.append(safe) }
    text.append(UInt8(ascii: "\""))
    for byte in safe.utf8 {
      if byte == UInt8(ascii: "\"") { text.append(byte) }
      text.append(byte)
    }
    text.append(UInt8(ascii: "\""))
  }

  private static func looksLikeFormula(_ cell: String) -> Bool {
    guard let first = cell.utf8.first, "=+-@\t\r\0".utf8.contains(first) else { return false }
    return Double(cell) == nil
  }

  private static func mustQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
