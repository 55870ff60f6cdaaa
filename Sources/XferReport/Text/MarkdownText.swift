/// Functions that make text from logs safe in GitHub-flavoured Markdown.
enum MarkdownText {
  /// Returns a text as a code span. Its own backticks cannot end the span, and a pipe cannot end the table's cell.
  static func code(_ text: String) -> String {
    if text.isEmpty { return "" }
    var clean = ""
    // By scalars, because a pipe with a combining mark is one character but still ends a cell.
    for scalar in TerminalText.escaped(text).unicodeScalars {
      if scalar == "|" { clean += "\\|" } else { clean.unicodeScalars.append(scalar) }
    }
    let longest = longestRunOfBackticks(clean)
    let fence = String(repeating: "`", count: longest + 1)
    return longest == 0 ? "`\(clean)`" : "\(fence) \(clean) \(fence)"
  }

  /// Returns a text in which no character has a meaning in Markdown or HTML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in TerminalText.escaped(text).unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!": result += "\\\(scalar)"
      // A name after an at sign would notify that user.
      case "@": result += "&#64;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns lines as a fenced code block. No line can end the block.
  static func block(_ lines: [String]) -> String {
    let clean = lines.map(TerminalText.escaped)
    let longest = clean.map(longestRunOfBackticks).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)text\n\(clean.map { $0 + "\n" }.joined())\(fence)\n"
  }

  private static func longestRunOfBackticks(_ text: String) -> Int {
    text.unicodeScalars.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
  }
}
