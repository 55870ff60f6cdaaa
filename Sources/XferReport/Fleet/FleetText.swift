import XferDiagnosis
import XferEvents

extension FleetSummary {
  /// One sentence about all logs.
  package var sentence: String {
    let new = problems.count(where: \.isNew)
    let newText = new == 0 ? "" : ", \(new) of them new in \(release ?? "")"
    let what = problems.isEmpty ? "no problem" : "\(problems.count.counted("problem"))\(newText)"
    return "\(logs.counted("log")) with \(tasks.counted("task")): \(what)."
  }

  /// The facts after the sentence.
  var remarks: [String] {
    var lines = ["\(cleanLogs) \(cleanLogs == 1 ? "log is" : "logs are") clean."]
    if unjudged > 0 { lines.append("\(unjudged.counted("log")) could not be judged.") }
    for reason in incompleteness { lines.append("Rows may be missing: \(reason).") }
    return lines
  }

  /// - Parameter page: the width and the colors of the text.
  package func text(on page: PageStyle) -> String {
    var lines: [PageLine] = [PageLine(sentence)]
    for remark in remarks { lines.append(PageLine(remark)) }
    for problem in problems {
      lines.append("")
      let mark = problem.isNew ? "NEW in \(release ?? "")  " : ""
      lines.append(
        PageLine(
          "\(mark)\(problem.severity.rawValue)  \(problem.rule) (\(problem.certainty.rawValue))\(problem.details.isEmpty ? "" : ": \(problem.details)")"
        ))
      lines.append(PageLine("    logs         \(problem.logs.count) of \(problem.logs.total): \(problem.logs.text)"))
      for part in problem.versions { lines.append(PageLine("    version      \(Self.line(part))")) }
      for part in problem.systems { lines.append(PageLine("    system       \(Self.line(part))")) }
      if let first = problem.firstSeen { lines.append(PageLine("    first seen   \(first)")) }
      let task = problem.example.task.map { ", task \($0)" } ?? ""
      lines.append(PageLine("    example      \(problem.example.log)\(task): \(problem.example.summary)"))
      lines.append(PageLine("    fingerprint  \(problem.fingerprint)"))
    }
    return page.text(lines)
  }

  private static func line(_ part: Part) -> String {
    "\(part.name ?? "unknown"): \(part.logs.count) of \(part.logs.total), \(part.logs.text)"
  }
}
