/// A piece of a query.
package struct Token: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case word(String)
    /// A text in quotes, without them.
    case string(String)
    case sign(Sign)
    case open, close, openBrace, closeBrace, comma
    /// The sign between two stages of a query.
    case pipe
    case not, and, or
    case end
  }

  /// A comparison sign. Several spellings may denote the same sign.
  package enum Sign: Equatable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// `~` and `~~=`: a regular expression matches a part of the text.
    case finds
    case findsNot
    /// `~=`: the text contains another one.
    case contains
    case equalOrMissing
  }

  package let content: Content
  /// The offsets of the token in UTF-8.
  package let range: Range<Int>

  /// The word; `nil` for other tokens.
  package var word: String? { if case .word(let word) = content { word } else { nil } }
}
