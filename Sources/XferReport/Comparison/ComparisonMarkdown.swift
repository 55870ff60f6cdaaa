import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery

extension ComparisonDocument {
  /// The comparison as GitHub-flavoured Markdown, for the summary of a job or a comment.
  package var markdown: String {
    var rows: [[String]] = []
    for change in comparison.tasks {
      rows.append([change.kindText, Self.code(change.name), Self.code(change.labels), details(of: change)])
    }
    for shift in comparison.shifts { rows.append(["all tasks", "", "", Self.escaped("\(shift.stage.word): \(shift.text)")]) }
    for change in comparison.findings { rows.append(["finding", "", "", Self.escaped(change.text)]) }
    var lines = ["**\(Self.escaped(summary))**", ""]
    for (letter, run) in [("A", first), ("B", second)] {
      let problem = run.incompleteness.first.map { ", incomplete: \(Self.escaped($0))" } ?? ""
      lines.append("- \(letter): \(Self.code(run.name))\(problem)")
    }
    if !rows.isEmpty { lines += ["", "| | task | A → B | what changed |", "|---|---|---|---|"] }
    lines += rows.map { "| \($0.joined(separator: " | ")) |" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func details(of change: RunComparison.TaskChange) -> String {
    let details = change.details.map { "\($0.label): \($0.text)" } + change.findings.map(\.text)
    return details.map(Self.escaped).joined(separator: "<br>")
  }

  /// Returns a text as a code span. Its own backticks cannot end the span, and a pipe cannot end the table's cell.
  private static func code(_ text: String) -> String {
    if text.isEmpty { return "" }
    let clean = TerminalText.escaped(text).replacing("|", with: "\\|")
    let longest = clean.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    return longest == 0 ? "`\(clean)`" : "\(fence) \(clean) \(fence)"
  }

  /// Returns a text in which no character has a meaning in Markdown or HTML.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in TerminalText.escaped(text) {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!": result += "\\\(character)"
      // A name after an at sign would notify that user.
      case "@": result += "&#64;"
      default: result.append(character)
      }
    }
    return result
  }
}
