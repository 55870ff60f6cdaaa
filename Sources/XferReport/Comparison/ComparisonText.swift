import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery

extension ComparisonDocument {
  /// Returns the comparison as text: each difference with its details, and a summary in the last line.
  package func text(on page: PageStyle) -> String {
    var lines = [head("A", first, comparison.first), head("B", second, comparison.second)]
    for change in comparison.tasks { lines += [PageLine("")] + self.lines(of: change) }
    if !comparison.shifts.isEmpty { lines += ["", PageLine("all tasks")] }
    for shift in comparison.shifts { lines.append(Self.detail(shift.stage.word, shift.text)) }
    if !comparison.findings.isEmpty { lines += ["", PageLine("findings about no single task")] }
    for change in comparison.findings { lines.append(PageLine("  \(change.text)")) }
    lines += ["", PageLine(summary)]
    return page.text(lines)
  }

  private func head(_ letter: String, _ run: Run, _ tasks: RunComparison.Run) -> PageLine {
    let problem = run.incompleteness.first.map { "; incomplete: \($0)" } ?? ""
    return PageLine("\(letter)  \(run.name): \(tasks.tasks.count.counted("task"))\(problem)")
  }

  private func lines(of change: RunComparison.TaskChange) -> [PageLine] {
    let details = change.details + change.findings.map { (label: "finding", text: $0.text) }
    return [PageLine("\(change.kindText)  \(change.name)  \(change.labels)")] + details.map { Self.detail($0.label, $0.text) }
  }

  private static func detail(_ label: String, _ text: String) -> PageLine {
    PageLine("  \(label)\(String(repeating: " ", count: max(2, 12 - label.count)))\(text)")
  }
}
