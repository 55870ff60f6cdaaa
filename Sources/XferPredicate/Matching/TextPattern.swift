import XferEvents

/// A compiled regular expression.
// @unchecked Sendable: a regular expression is immutable. Its program, which is made at the first match, is set atomically.
struct TextPattern: @unchecked Sendable {
  private let expression: Regex<AnyRegexOutput>

  struct Problem: Error { let text: String }

  /// The maximum length of an expression in bytes, and its maximum nesting.
  private static let longest = 1024
  private static let deepest = 32

  init(_ pattern: String, ignoresCase: Bool = false) throws(Problem) {
    guard pattern.utf8.count <= Self.longest else { throw Problem(text: "it is longer than \(Self.longest) bytes") }
    var depth = 0
    for byte in pattern.utf8 where byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
    guard depth <= Self.deepest else { throw Problem(text: "it has more than \(Self.deepest) groups and classes") }
    do {
      let expression = try Regex(pattern)
      self.expression = ignoresCase ? expression.ignoresCase() : expression
    } catch {
      throw Problem(text: "\(error)")
    }
  }

  // An expression that fails while it is matched, for example because it is too deep, matches nothing.

  func matchesPart(of text: String) -> Bool { ((try? expression.firstMatch(in: text)) ?? nil) != nil }
  func matchesWhole(_ text: String) -> Bool { ((try? expression.wholeMatch(in: text)) ?? nil) != nil }
}
