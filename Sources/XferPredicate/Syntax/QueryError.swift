import XferEvents

/// An error in a query, with its place in the text.
package struct QueryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A short, fixed code that is usable as the label of a metric.
  package enum Code: String, Sendable {
    case syntax = "query-syntax"
    case tooLong = "query-too-long"
    case tooDeep = "query-too-deep"
    case unknownField = "query-unknown-field"
    case unknownStage = "query-unknown-stage"
    case badOperator = "query-bad-operator"
    case badValue = "query-bad-value"
    case badPattern = "query-bad-pattern"
  }

  package let code: Code
  /// The whole query.
  package let text: String
  /// The faulty part of the query, as offsets in UTF-8.
  package let range: Range<Int>
  package let problem: String
  package let advice: String

  package init(_ code: Code, _ text: String, _ range: Range<Int>, _ problem: String, _ advice: String) {
    (self.code, self.text, self.range, self.problem, self.advice) = (code, text, range, problem, advice)
  }

  /// The error in four lines: the problem, the query, carets below the faulty part, and the advice.
  package var description: String {
    let (line, carets) = excerpt
    return "\(problem).\n  \(line)\n  \(carets)\n\(advice)"
  }

  /// The problem with the faulty part in the query, without the advice.
  package var placed: String {
    let (line, carets) = excerpt
    return "\(problem).\n  \(line)\n  \(carets)"
  }

  /// The maximum number of columns of the query that an error shows on each side of the faulty part.
  private static let margin = 60

  /// The line of the query around the faulty part, and a line with carets below that part. Control characters become spaces.
  private var excerpt: (line: String, carets: String) {
    let bytes = Array(text.utf8)
    func shown(_ range: Range<Int>) -> String {
      var shown = String.UnicodeScalarView()
      for scalar in String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self).unicodeScalars {
        let isControl = scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.generalCategory == .format
        shown.append(isControl ? " " : scalar)
      }
      return String(shown)
    }
    let start = min(range.lowerBound, bytes.count)
    let end = max(start, min(range.upperBound, bytes.count))
    var before = shown(0..<start)
    if before.unicodeScalars.count > Self.margin { before = "…" + String(before.unicodeScalars.suffix(Self.margin)) }
    var part = shown(start..<end)
    if part.unicodeScalars.count > Self.margin { part = String(part.unicodeScalars.prefix(Self.margin)) }
    var after = shown(end..<bytes.count)
    if after.unicodeScalars.count > Self.margin { after = String(after.unicodeScalars.prefix(Self.margin)) + "…" }
    let width = max(1, DisplayWidth.columns(of: part))
    let carets = String(repeating: " ", count: DisplayWidth.columns(of: before)) + String(repeating: "^", count: width)
    return (before + part + after, carets)
  }
}
