/// The page on which a report is written: a terminal of some width, with or without color, or a file.
package struct PageStyle: Sendable {
  /// The width in columns; `nil` means unlimited.
  package let columns: Int?
  package let hasColor: Bool

  package init(columns: Int? = nil, hasColor: Bool = false) {
    self.columns = columns
    self.hasColor = hasColor
  }

  /// Returns the lines of a report as text, each escaped, wrapped and colored. No line is a command for a CI service.
  func text(_ lines: [PageLine]) -> String {
    var buffer = TextBuffer()
    for line in lines {
      let escaped = TerminalText.escaped(line.text)
      let parts = columns.map { TerminalText.wrapped(escaped, to: $0, hang: PageLine.hang(of: escaped)) } ?? [escaped]
      for part in parts {
        if hasColor, let color = line.color { buffer.beginColor(color) }
        buffer.append(TerminalText.withoutCommands(part))
        if hasColor, line.color != nil { buffer.endColor() }
        buffer.append(UInt8(ascii: "\n"))
      }
    }
    return buffer.string
  }

  /// Returns the lines wrapped to the width of the page. The lines must already be escaped.
  package func wrapped(_ lines: [String]) -> [String] {
    guard let columns else { return lines }
    return lines.flatMap { TerminalText.wrapped($0, to: columns, hang: PageLine.hang(of: $0)) }
  }
}

/// A line of a report with its color, which only repeats what the text says.
struct PageLine: ExpressibleByStringInterpolation {
  var text: String
  var color: StaticString?

  init(_ text: String, _ color: StaticString? = nil) {
    self.text = text
    self.color = color
  }

  init(stringLiteral text: String) { self.init(text) }

  func indented(by indent: String) -> PageLine { PageLine(indent + text, color) }

  /// Returns the column at which the continuation of a line begins: after the line's label, if it has one (`    remedy    …`).
  static func hang(of line: String) -> Int {
    let indent = line.prefix { " └▶".contains($0) }.count
    let label = line.dropFirst(indent).prefix { $0 != " " }
    let gap = line.dropFirst(indent + label.count).prefix { $0 == " " }.count
    return gap > 1 ? indent + label.count + gap : indent + 2
  }
}
