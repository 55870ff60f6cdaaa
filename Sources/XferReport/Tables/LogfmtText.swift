/// A writer for logfmt: pairs `key=value` that are separated by spaces, one line for each event or row.
///
/// A value with a space, a quotation mark, an equals sign or a character outside ASCII is a quoted string with the escapes of JSON,
/// so that text from a log can neither add a pair nor control a terminal.
struct LogfmtText {
  private var isFirst = true

  mutating func append(_ key: String, _ value: String, to text: inout TextBuffer) {
    if !isFirst { text.append(UInt8(ascii: " ")) }
    isFirst = false
    if key.utf8.allSatisfy(Self.isPlain) { text.append(key) } else { text.append(Self.harmless(key)) }
    text.append(UInt8(ascii: "="))
    let isBare = !value.isEmpty && value.utf8.allSatisfy(Self.isPlain)
    if isBare { text.append(value) } else { text.appendJSON { $0.string(value) } }
  }

  /// Appends a pair, unless the value is missing.
  mutating func append(_ key: String, _ value: (some CustomStringConvertible)?, to text: inout TextBuffer) {
    if let value { append(key, value.description, to: &text) }
  }

  mutating func endLine(in text: inout TextBuffer) {
    isFirst = true
    text.append(UInt8(ascii: "\n"))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
  }

  /// Returns a key of a foreign vocabulary with an underscore for each character that a key cannot have.
  private static func harmless(_ key: String) -> String {
    key.isEmpty ? "_" : String(decoding: key.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }
}
