import XferReading

/// Text as part of a statement.
enum SQLText {
  /// A string literal.
  ///
  /// - Parameter escapesBackslash: Whether the engine reads backslashes as escapes, as Spark and ClickHouse do and DuckDB does not.
  static func literal(_ text: String, escapesBackslash: Bool = true) -> String {
    let inside =
      escapesBackslash ? text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") : text.replacing("'", with: "''")
    return "'\(inside)'"
  }

  /// A name in Spark's quotation marks.
  static func quotedName(_ name: String) -> String { "`\(name.replacing("`", with: "``"))`" }

  /// Checks a name that statements contain without quotation marks.
  static func checkName(_ name: String, option: String) throws {
    let isName = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
    }
    guard isName, let first = name.first, !first.isNumber else {
      throw CommandExit(.wrongUsage, "\(option) '\(name)' is not a name; use letters, digits and underscores")
    }
  }

  /// Checks a path that statements contain. A statement with a line feed or another control character could not be read.
  static func checkPath(_ path: String, option: String) throws {
    if path.isEmpty || path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw CommandExit(.wrongUsage, "\(option) is empty or has control characters; name a path")
    }
  }

  /// A word of a shell's command line.
  static func shellWord(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      "_-./=,:@%+".utf8.contains(byte)
        || (byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber))
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
