import XferDiagnosis

/// The findings of a job as a Code Quality report, which GitLab shows in merge requests. Accepted findings are left out, because GitLab has
/// no place for the reason.
package enum CodeQualityDocument {
  /// The file name in GitLab's documentation and templates.
  package static let usualName = "gl-code-quality-report.json"

  package static func append(_ report: JobReport, to text: inout TextBuffer) {
    text.append(UInt8(ascii: "["))
    for (place, item) in report.items.filter({ $0.finding.accepted == nil }).enumerated() {
      text.append(place == 0 ? "\n" : ",\n" as StaticString)
      text.appendJSON { write(item, to: &$0) }
    }
    text.append("\n]\n" as StaticString)
  }

  private static func write(_ item: JobItem, to json: inout JSONText) {
    json.beginObject()
    json.member("description", TerminalText.escaped("\(item.finding.rule): \(item.finding.summary)"))
    json.member("check_name", item.finding.rule)
    // GitLab shows only one of several findings with the same fingerprint.
    json.member("fingerprint", "\(item.finding.rule) \(item.key)")
    json.member("severity", severity(of: item))
    json.key("location")
    json.beginObject()
    json.member("path", item.place.file)
    json.key("lines")
    json.beginObject()
    json.member("begin", max(1, item.place.line ?? 1))
    json.endObject()
    json.endObject()
    json.endObject()
  }

  private static func severity(of item: JobItem) -> String {
    if item.level == .note { return "info" }
    return switch item.finding.severity {
    case .critical: "critical"
    case .error: "major"
    case .warning: "minor"
    case .notice: "info"
    }
  }
}
