import XferEvents

/// Splits a query into tokens. Copying a scanner is cheap, so looking ahead is reading from a copy.
package struct Scanner: Sendable {
  package let text: String
  private let bytes: [UInt8]
  /// The offset of the next byte to read.
  package private(set) var offset = 0

  /// The maximum length of a query in bytes.
  package static let limit = 32 << 10

  package init(_ text: String) throws(QueryError) {
    self.text = text
    bytes = Array(text.utf8)
    guard bytes.count <= Self.limit else {
      throw QueryError(
        .tooLong, String(text.prefix(60)), 0..<0, "the query is longer than \(ByteCount(Int64(Self.limit)))",
        "Shorten the query, or select the events in several steps.")
    }
  }

  /// Whether no whitespace separates the next token from the last one.
  package var touchesNext: Bool { offset < bytes.count && !Self.isSpace(bytes[offset]) }

  /// Returns the source text of a range.
  package func source(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  package func peek() throws(QueryError) -> Token {
    var copy = self
    return try copy.next()
  }

  /// Reads the next token. At the end of the text, returns `end` again and again.
  package mutating func next() throws(QueryError) -> Token {
    while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
    let start = offset
    guard start < bytes.count else { return Token(content: .end, range: start..<start) }
    for (spelling, content) in Self.signs where bytes[start...].starts(with: spelling) {
      offset += spelling.count
      return Token(content: content, range: start..<offset)
    }
    let byte = bytes[start]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try string(quote: byte) }
    if byte == UInt8(ascii: "!") {
      offset += 1
      return Token(content: .not, range: start..<offset)
    }
    // A byte that begins no other token is a word by itself, so that the scanner always advances.
    offset += 1
    while offset < bytes.count, continuesWord(isValue: false) { offset += 1 }
    return Token(content: .word(source(start..<offset)), range: start..<offset)
  }

  /// Reads the value after a comparison sign. An unquoted value may contain signs; it ends at white space, a comma, a pipe, a quotation
  /// mark, a brace, a parenthesis or `&&`.
  package mutating func nextValue() throws(QueryError) -> Token {
    while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
    let start = offset
    guard start < bytes.count, bytes[start] != UInt8(ascii: "\""), bytes[start] != UInt8(ascii: "'"), continuesWord(isValue: true)
    else { return try next() }
    while offset < bytes.count, continuesWord(isValue: true) { offset += 1 }
    return Token(content: .word(source(start..<offset)), range: start..<offset)
  }

  /// Reads options such as `[cd]` directly after an operator.
  ///
  /// - Returns: `nil`, without reading anything, if no options follow.
  package mutating func options() -> TextOptions? {
    for (spelling, options) in Self.optionSpellings where bytes[offset...].starts(with: spelling.utf8) {
      offset += spelling.utf8.count
      return options
    }
    return nil
  }

  package static let optionSpellings: [(String, TextOptions)] = [
    ("[cd]", [.ignoresCase, .ignoresMarks]), ("[dc]", [.ignoresCase, .ignoresMarks]), ("[c]", .ignoresCase),
    ("[d]", .ignoresMarks),
  ]

  // MARK: Words

  /// The signs, the longer ones before their beginnings.
  private static let spellings: [(String, Token.Content)] = [
    ("~~=", .sign(.finds)), ("=~", .sign(.finds)), ("==", .sign(.equal)), ("!=", .sign(.notEqual)), ("<>", .sign(.notEqual)),
    ("<=", .sign(.lessOrEqual)),
    ("=<", .sign(.lessOrEqual)), (">=", .sign(.greaterOrEqual)), ("=>", .sign(.greaterOrEqual)), ("!~", .sign(.findsNot)),
    ("~=", .sign(.contains)), ("?=", .sign(.equalOrMissing)), ("&&", .and), ("||", .or), ("=", .sign(.equal)),
    ("<", .sign(.less)),
    (">", .sign(.greater)), ("~", .sign(.finds)), ("(", .open), (")", .close), ("{", .openBrace), ("}", .closeBrace),
    (",", .comma),
    ("|", .pipe),
  ]
  private static let signs: [(spelling: [UInt8], content: Token.Content)] = spellings.map { (Array($0.0.utf8), $0.1) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

  private static func isWord(_ byte: UInt8) -> Bool {
    !isSpace(byte) && !"(){},\"'=<>~|".utf8.contains(byte)
  }

  /// Whether the next byte belongs to the word that is being read.
  private func continuesWord(isValue: Bool) -> Bool {
    let byte = bytes[offset]
    func precedes(_ letters: String) -> Bool { offset + 1 < bytes.count && letters.utf8.contains(bytes[offset + 1]) }
    if byte == UInt8(ascii: "&") { return !precedes("&") }
    if isValue { return !Self.isSpace(byte) && !"(){},\"|".utf8.contains(byte) }
    if byte == UInt8(ascii: "!") { return !precedes("=~") }
    if byte == UInt8(ascii: "?") { return !precedes("=") }
    return Self.isWord(byte)
  }

  // MARK: Quoted texts

  private mutating func string(quote: UInt8) throws(QueryError) -> Token {
    let start = offset
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count, bytes[offset] != quote {
      guard bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count else {
        content.append(bytes[offset])
        offset += 1
        continue
      }
      switch bytes[offset + 1] {
      case quote, UInt8(ascii: "\\"): content.append(bytes[offset + 1])
      case UInt8(ascii: "n"): content.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): content.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "r"): content.append(UInt8(ascii: "\r"))
      // Other backslashes are kept, so that a regular expression needs no doubled ones.
      default: content += [bytes[offset], bytes[offset + 1]]
      }
      offset += 2
    }
    guard offset < bytes.count else {
      throw QueryError(.syntax, text, start..<bytes.count, "the quoted text does not end", "Add a closing quotation mark.")
    }
    offset += 1
    return Token(content: .string(String(decoding: content, as: UTF8.self)), range: start..<offset)
  }
}
