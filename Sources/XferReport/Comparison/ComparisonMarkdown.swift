import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery

extension ComparisonDocument {
  /// The comparison as GitHub-flavoured Markdown, for the summary of a job or a comment.
  package var markdown: String {
    var rows: [[String]] = []
    for change in comparison.tasks {
      rows.append([
        change.kindText, MarkdownText.codeInCell(change.name), MarkdownText.codeInCell(change.labels), details(of: change),
      ])
    }
    for shift in comparison.shifts {
      rows.append(["all tasks", "", "", "\(shift.stage.word): \(shift.text)"])
    }
    for change in comparison.findings { rows.append(["finding", "", "", MarkdownText.escaped(change.text)]) }
    var lines = ["**\(MarkdownText.escaped(summary))**", ""]
    for (letter, run) in [("A", first), ("B", second)] {
      let problem = run.incompleteness.first.map { ", incomplete: \(MarkdownText.escaped($0))" } ?? ""
      lines.append("- \(letter): \(MarkdownText.code(run.name))\(problem)")
    }
    if !rows.isEmpty { lines += ["", "| | task | A → B | what changed |", "|---|---|---|---|"] }
    lines += rows.map { "| \($0.joined(separator: " | ")) |" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func details(of change: RunComparison.TaskChange) -> String {
    let details = change.details.map { "\($0.label): \($0.text)" } + change.findings.map(\.text)
    return details.map(MarkdownText.escaped).joined(separator: "<br>")
  }
}
