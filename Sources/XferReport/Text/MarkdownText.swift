/// Functions that make text from logs safe in GitHub-flavoured Markdown.
enum MarkdownText {
  /// Returns a text as a code span. Its own backticks cannot end the span.
  static func code(_ text: String) -> String { span(TerminalText.escaped(text)) }

  /// Returns a text as a code span in a cell of a table. Its pipes cannot end the cell. Elsewhere, their backslashes would be shown.
  static func codeInCell(_ text: String) -> String {
    var clean = ""
    // By scalars, because a pipe with a combining mark is one character but still ends a cell.
    for scalar in TerminalText.escaped(text).unicodeScalars {
      if scalar == "|" { clean += "\\|" } else { clean.unicodeScalars.append(scalar) }
    }
    return span(clean)
  }

  private static func span(_ clean: String) -> String {
    if clean.isEmpty { return "" }
    let longest = longestRunOfBackticks(clean)
    let fence = String(repeating: "`", count: longest + 1)
    return longest == 0 ? "`\(clean)`" : "\(fence) \(clean) \(fence)"
  }

  /// Returns a text in which no character has a meaning in Markdown or HTML, and none becomes a link, a mention or a formula. The text must
  /// not begin a line, where more characters have one.
  ///
  /// `>`, `]` and `!` need no escape, because they have a meaning only after `<` and around `[`, which are escaped.
  ///
  /// A service looks for mentions such as `@name`, references such as `#1`, `:emoji:` and `$formulas$` after it has read the escapes of
  /// Markdown and the references of HTML. It looks within one element at a time, so these characters are in elements of their own.
  static func escaped(_ text: String) -> String {
    var result = ""
    let scalars = Array(TerminalText.escaped(text).unicodeScalars)
    for (place, scalar) in scalars.enumerated() {
      switch scalar {
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      case "\\", "`", "*", "_", "[", "|", "~": result += "\\\(scalar)"
      case "@", "#", "$": result += "<span>\(scalar)</span>"
      case ":" where isLink(scalars, colon: place), "." where isLink(scalars, period: place): result += "<span>\(scalar)</span>"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a colon may belong to the scheme of a URL or begin an emoji's name.
  private static func isLink(_ scalars: [Unicode.Scalar], colon: Int) -> Bool {
    guard colon + 1 < scalars.count else { return false }
    let next = scalars[colon + 1]
    return next.properties.isAlphabetic || next == "/" || next == "+" || next == "-" || next == "_"
  }

  /// Whether a period follows `www`, which begins a link without a scheme.
  private static func isLink(_ scalars: [Unicode.Scalar], period: Int) -> Bool {
    period >= 3 && scalars[period - 3..<period].allSatisfy { $0 == "w" || $0 == "W" }
  }

  /// Returns lines as a fenced code block.
  ///
  /// - Parameter lines: lines that begin with a word or with at least four spaces, so that no backticks in them can end the block.
  static func block(_ lines: [String]) -> String {
    "```text\n\(lines.map { TerminalText.escaped($0) + "\n" }.joined())```\n"
  }

  private static func longestRunOfBackticks(_ text: String) -> Int {
    text.unicodeScalars.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
  }
}
