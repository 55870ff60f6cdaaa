package import XferReport
package import XferSQLite

/// An output format for the rows of a query result.
package protocol AnswerDocument {
  mutating func begin(_ columns: [String], to text: inout TextBuffer)
  mutating func append(_ values: [SQLiteValue], to text: inout TextBuffer)
  mutating func end(to text: inout TextBuffer)
}

extension SQLiteValue {
  /// Returns the value as text for a cell of a table. NULL becomes the text in the parameter `null`.
  func cell(null: String) -> String {
    switch self {
    case .null: null
    case .integer(let number): "\(number)"
    case .real(let number): number.description
    case .text(let text): text
    case .blob(let bytes): "x'\(Self.digits(bytes))'"
    }
  }

  static func digits(_ bytes: [UInt8]) -> String {
    var text = TextBuffer(capacity: 2 * bytes.count + 16)
    for byte in bytes { text.append(hexadecimal: UInt64(byte), width: 2) }
    return text.string
  }
}
