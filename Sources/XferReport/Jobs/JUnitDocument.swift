import XferDiagnosis

/// The findings of a job as a JUnit report: a test case for the replay as a whole, and one for each finding.
///
/// The case of a finding fails if the finding fails the job. It is skipped if the finding is accepted, and passes if the finding does not
/// count.
package enum JUnitDocument {
  /// GitLab's limit for the size of a report.
  package static let sizeLimit = 30_000_000

  /// Appends the document.
  ///
  /// - Returns: what was left out.
  package static func append(_ report: JobReport, to text: inout TextBuffer) -> JobCut? {
    var cases = TextBuffer(capacity: 1 << 16)
    var (kept, failures, skipped) = (0, 0, 0)
    for item in report.items {
      let start = cases.count
      append(item, report, to: &cases)
      if cases.count > sizeLimit - reserve {
        cases.cut(to: start)
        break
      }
      kept += 1
      if item.finding.accepted != nil { skipped += 1 } else if item.isFailing { failures += 1 }
    }
    let cut = JobCut(report.items, kept: kept, limit: "GitLab accepts at most 30 MB")
    let conclusion = report.conclusion
    let isError = conclusion.code > 1
    // Findings have cases of their own.
    if conclusion.code == 1, !conclusion.isAboutFindings { failures += 1 }
    let counts = "tests=\"\(kept + 1)\" failures=\"\(failures)\" errors=\"\(isError ? 1 : 0)\" skipped=\"\(skipped)\" time=\"0\""
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"xferlog\" " as StaticString)
    text.append("\(counts)>\n<testsuite name=\"")
    text.appendXML(report.settings.category)
    text.append("\" \(counts)>\n<testcase classname=\"")
    text.appendXML(report.settings.category)
    text.append("\" name=\"replay\" time=\"0\">\n" as StaticString)
    if isError {
      appendProblem("error", type: conclusion.word, message: conclusion.text, [conclusion.text], to: &text)
    } else if conclusion.code == 1, !conclusion.isAboutFindings {
      appendProblem("failure", type: conclusion.word, message: conclusion.text, [conclusion.text], to: &text)
    }
    var remarks = ["verdict: \(report.document.verdict.rawValue)"]
    remarks += report.document.incompleteness.map { "incomplete: \($0)" }
    if let cut { remarks.append("cut: this report has \(cut.text)") }
    appendLines("system-out", remarks, to: &text)
    text.append("</testcase>\n" as StaticString)
    text.append(cases.bytes)
    text.append("</testsuite>\n</testsuites>\n" as StaticString)
    return cut
  }

  /// The room for everything but the cases of findings.
  private static let reserve = 1 << 20

  private static func append(_ item: JobItem, _ report: JobReport, to text: inout TextBuffer) {
    text.append("<testcase classname=\"" as StaticString)
    text.appendXML("\(report.settings.category).\(item.finding.rule)")
    text.append("\" name=\"" as StaticString)
    text.appendXML(item.name)
    text.append("\" file=\"" as StaticString)
    text.appendXML(item.place.file)
    if let line = item.place.line { text.append("\" line=\"\(line)") }
    text.append("\" time=\"0\">\n" as StaticString)
    if let accepted = item.finding.accepted {
      text.append("<skipped message=\"" as StaticString)
      text.appendXML("accepted by \(accepted.place)\(accepted.reason.map { ": \($0)" } ?? "")")
      text.append("\"/>\n" as StaticString)
    } else if item.isFailing {
      appendProblem(
        "failure", type: item.finding.severity.rawValue, message: item.finding.summary, report.lines(of: item), to: &text)
    } else {
      appendLines("system-out", report.lines(of: item), to: &text)
    }
    text.append("</testcase>\n" as StaticString)
  }

  private static func appendProblem(
    _ element: StaticString, type: String, message: String, _ lines: [String], to text: inout TextBuffer
  ) {
    text.append(UInt8(ascii: "<"))
    text.append(element)
    text.append(" type=\"" as StaticString)
    text.append(type)
    text.append("\" message=\"" as StaticString)
    text.appendXML(String(message.prefix(messageLimit)))
    text.append("\">" as StaticString)
    appendText(lines, to: &text)
    text.append("</" as StaticString)
    text.append(element)
    text.append(">\n" as StaticString)
  }

  private static let messageLimit = 2000

  private static func appendLines(_ element: StaticString, _ lines: [String], to text: inout TextBuffer) {
    text.append(UInt8(ascii: "<"))
    text.append(element)
    text.append(UInt8(ascii: ">"))
    appendText(lines, to: &text)
    text.append("</" as StaticString)
    text.append(element)
    text.append(">\n" as StaticString)
  }

  private static func appendText(_ lines: [String], to text: inout TextBuffer) {
    for (place, line) in lines.enumerated() {
      if place > 0 { text.append(UInt8(ascii: "\n")) }
      text.appendXML(line)
    }
  }
}
