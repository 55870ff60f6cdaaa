package import XferDiagnosis

/// Rules as text: a list, or everything about one rule.
package enum RuleText {
  /// The maximum width of running text in columns. Events and addresses may be longer.
  private static let columns = 88
  private static let indent = "    "

  /// Returns a line for each rule with its identifier, severity and summary.
  package static func list(_ rules: [RuleDescription]) -> String {
    let idWidth = rules.map { TerminalText.width($0.id) }.max() ?? 0
    let severityWidth = rules.map { $0.severity.rawValue.count }.max() ?? 0
    return rules.map { rule in
      TerminalText.escaped("\(rule.id.padded(to: idWidth))  \(rule.severity.rawValue.padded(to: severityWidth))  \(rule.summary)")
        + "\n"
    }
    .joined()
  }

  /// - Parameter rules: the rules in force.
  package static func explanation(of rule: RuleDescription, in rules: RuleSet = .catalogue) -> String {
    let page = RulePage(rule, in: rules)
    var lines = [rule.id] + rule.summary.wrapped(to: columns, indent: indent) + [""]
    let width = page.facts.map(\.name.count).max() ?? 0
    for fact in page.facts { lines.append("\(indent)\(fact.name.padded(to: width))  \(fact.text)") }
    for section in page.sections {
      lines += ["", section.title]
      switch section.content {
      case .text(let text): lines += text.wrapped(to: columns, indent: indent)
      case .list(let items): lines += items.map { indent + $0 }
      case .examples(let examples):
        for (place, example) in examples.enumerated() {
          if place > 0 { lines.append("") }
          lines.append(indent + example.name + (example.verdict.map { ": \($0)" } ?? ""))
          lines += example.lines.map { indent + "  " + $0 }
        }
      }
    }
    return lines.map(TerminalText.escaped).joined(separator: "\n") + "\n"
  }
}

extension String {
  /// Wraps a text into lines of at most the given width, except for longer words.
  fileprivate func wrapped(to columns: Int, indent: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty, TerminalText.width(line) + 1 + TerminalText.width(word) > columns - indent.count {
        lines.append(indent + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [indent + line]
  }
}
