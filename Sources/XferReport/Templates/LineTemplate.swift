package import XferPredicate

/// The text of a line with fields in braces, such as `{time} {task.name} {message}`.
///
/// `{field}` is the value in readable form, `{field:raw}` the exact value. `{{` and `}}` are braces, `\t`, `\n` and `\\` a tab, a line feed
/// and a backslash.
package struct LineTemplate: Sendable {
  enum Piece: Sendable {
    case text(String)
    case field(QueryField, isRaw: Bool)
  }

  let pieces: [Piece]

  /// The fields that the template names.
  package var fields: [QueryField] { pieces.compactMap { if case .field(let field, _) = $0 { field } else { nil } } }

  /// - Parameter context: the fields that the template can name.
  package init(_ text: String, _ context: QueryContext) throws(QueryError) {
    var parser = TemplateParser(text, context)
    pieces = try parser.pieces()
  }
}

/// Splits a template into texts and fields.
private struct TemplateParser {
  private let text: String
  private let bytes: [UInt8]
  private let context: QueryContext
  private var found: [LineTemplate.Piece] = []
  private var literal: [UInt8] = []
  private var place = 0

  init(_ text: String, _ context: QueryContext) { (self.text, bytes, self.context) = (text, Array(text.utf8), context) }

  mutating func pieces() throws(QueryError) -> [LineTemplate.Piece] {
    while place < bytes.count {
      switch (bytes[place], place + 1 < bytes.count ? bytes[place + 1] : nil) {
      case (UInt8(ascii: "{"), UInt8(ascii: "{")), (UInt8(ascii: "}"), UInt8(ascii: "}")),
        (UInt8(ascii: "\\"), UInt8(ascii: "\\")):
        take(bytes[place], 2)
      case (UInt8(ascii: "\\"), UInt8(ascii: "t")): take(UInt8(ascii: "\t"), 2)
      case (UInt8(ascii: "\\"), UInt8(ascii: "n")): take(UInt8(ascii: "\n"), 2)
      case (UInt8(ascii: "{"), _): try takeField()
      case (UInt8(ascii: "}"), _): throw failure(.syntax, place..<place + 1, "`}` without `{`", "Write }} for a brace.")
      case (let byte, _): take(byte, 1)
      }
    }
    endLiteral()
    if found.isEmpty {
      throw failure(.syntax, 0..<0, "the template is empty", "Name fields in braces, for example '{time} {task} {message}'.")
    }
    return found
  }

  private mutating func take(_ byte: UInt8, _ length: Int) {
    literal.append(byte)
    place += length
  }

  private mutating func endLiteral() {
    if !literal.isEmpty { found.append(.text(String(decoding: literal, as: UTF8.self))) }
    literal = []
  }

  private mutating func takeField() throws(QueryError) {
    let start = place
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "}")) else {
      throw failure(.syntax, start..<bytes.count, "`{` without `}`", "Close the field, or write {{ for a brace.")
    }
    endLiteral()
    let content = String(decoding: bytes[start + 1..<end], as: UTF8.self).filter { $0 != " " }
    let parts = content.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts[0].isEmpty {
      throw failure(.syntax, start..<end + 1, "no field in the braces", "Name a field, or write {{ and }} for braces.")
    }
    if parts.count > 1, parts[1] != "raw" {
      throw failure(
        .syntax, start..<end + 1, "`\(parts[1].prefix(64))` is not a form of a value",
        "The only form is raw, as in {received:raw}.")
    }
    guard let field = context.field(parts[0]) else {
      throw failure(
        .unknownField, start + 1..<end, context.problem(ofUnknown: parts[0]), context.advice(forUnknown: parts[0]))
    }
    if let advice = context.subjectsMissing, !field.isKnownAtOnce {
      throw failure(.unknownField, start + 1..<end, "`\(field.name)` is known only at the end of the log", advice)
    }
    found.append(.field(field, isRaw: parts.count > 1))
    place = end + 1
  }

  private func failure(_ code: QueryError.Code, _ range: Range<Int>, _ problem: String, _ advice: String) -> QueryError {
    QueryError(code, text, range, problem, advice)
  }
}
