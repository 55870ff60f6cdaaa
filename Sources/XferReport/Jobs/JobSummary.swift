import XferDiagnosis
import XferEvents

/// The summary of a job in GitHub-flavoured Markdown. All texts from logs are in code, where no character has a meaning. Identifiers of rules
/// have only letters, digits and hyphens.
package enum JobSummary {
  /// GitHub's limit for the summary of a step. GitHub drops a longer summary completely.
  package static let sizeLimit = 1024 << 10

  /// Appends the summary.
  ///
  /// - Parameter room: the number of bytes that the summary may have.
  /// - Returns: what was left out.
  package static func append(_ report: JobReport, room: Int, to text: inout TextBuffer) -> JobCut? {
    let start = text.count
    appendHead(report, to: &text)
    let end = start + max(0, room) - reserve
    if text.count > end { text.cut(to: start) }
    var kept = 0
    for item in report.items {
      let before = text.count
      append(item, report, to: &text)
      if text.count > end {
        text.cut(to: before)
        break
      }
      kept += 1
    }
    let cut = JobCut(report.items, kept: kept, limit: "GitHub drops a summary of more than 1,024 KiB")
    if let cut, text.count + reserve <= start + max(0, room) {
      text.append("\n**Cut:** this summary has \(cut.text).\n")
    }
    return cut
  }

  /// The room for the sentence about findings that were left out.
  private static let reserve = 512

  private static func appendHead(_ report: JobReport, to text: inout TextBuffer) {
    let document = report.document
    text.append("### Transfers (\(MarkdownText.escaped(report.settings.category))): \(document.verdict.rawValue)\n\n")
    text.append(MarkdownText.code(String(report.conclusion.text.prefix(lengthLimit))))
    text.append("\n\n" as StaticString)
    for input in document.inputs.prefix(listLimit) {
      let error = input.error.map { ", \(MarkdownText.code(String($0.prefix(lengthLimit))))" } ?? ""
      text.append("- \(MarkdownText.code(String(input.path.prefix(lengthLimit)))): \(input.events.counted("event"))\(error)\n")
    }
    for reason in document.incompleteness.prefix(listLimit) {
      text.append("- incomplete: \(MarkdownText.code(String(reason.prefix(lengthLimit))))\n")
    }
    appendTable(report, to: &text)
  }

  private static let listLimit = 20
  private static let lengthLimit = 1000

  /// Appends a table with the number of findings of each rule, the most severe first.
  private static func appendTable(_ report: JobReport, to text: inout TextBuffer) {
    if report.items.isEmpty { return }
    var order: [String] = []
    var rows: [String: [JobItem]] = [:]
    for item in report.items {
      if rows[item.finding.rule] == nil { order.append(item.finding.rule) }
      rows[item.finding.rule, default: []].append(item)
    }
    text.append("\n| severity | rule | findings | that fail the job | accepted |\n|---|---|--:|--:|--:|\n" as StaticString)
    for rule in order {
      let items = rows[rule] ?? []
      let severity = items.map(\.finding.severity).max()?.rawValue ?? ""
      let (failing, accepted) = (items.count { $0.isFailing }, items.count { $0.finding.accepted != nil })
      text.append("| \(severity) | `\(rule)` | \(items.count) | \(failing) | \(accepted) |\n")
    }
    text.append(UInt8(ascii: "\n"))
  }

  private static func append(_ item: JobItem, _ report: JobReport, to text: inout TextBuffer) {
    let finding = item.finding
    // An open element is visible at once.
    text.append(item.isFailing ? "<details open><summary>" : "<details><summary>" as StaticString)
    text.append(
      "\(finding.severity.rawValue) <code>\(finding.rule)</code> (\(finding.certainty.rawValue)): "
        + "<code>\(HTMLText.escaped(String(finding.summary.prefix(lengthLimit))))</code></summary>\n\n")
    if let accepted = finding.accepted {
      let reason = accepted.reason.map { ": \($0)" } ?? ""
      text.append("Accepted by \(MarkdownText.code(String("\(accepted.place)\(reason)".prefix(lengthLimit))))\n\n")
    }
    text.append(MarkdownText.block(report.lines(of: item)))
    text.append("\n</details>\n" as StaticString)
  }
}
