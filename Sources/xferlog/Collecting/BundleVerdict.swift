import XferDiagnosis
import XferReplay
import XferReading
import XferReport

/// The verdict of a replay with the findings, apart from the places in the log.
struct BundleVerdict: Equatable {
  struct Finding: Hashable {
    let rule: String
    let severity: Severity
    let certainty: String
    let fingerprint: String
    let isAccepted: Bool

    fileprivate var sortKey: String { "\(rule) \(fingerprint) \(severity.rawValue) \(certainty) \(isAccepted)" }
  }

  let word: String
  let isComplete: Bool
  let events: Int
  /// The number of findings of each kind.
  let findings: [(finding: Finding, count: Int)]

  init(_ log: DiagnosedLog, rules: RuleSet) {
    let document = ReplayDocument(
      diagnosis: log.diagnosis, inputs: log.accounts, exitCode: 0, rules: rules, incompleteness: log.incompleteness)
    word = document.verdict.rawValue
    isComplete = log.incompleteness.isEmpty
    events = log.diagnosis.counts.events
    var counts: [Finding: Int] = [:]
    for finding in log.diagnosis.findings {
      let key = Finding(
        rule: finding.rule, severity: finding.severity, certainty: finding.certainty.rawValue, fingerprint: finding.fingerprint,
        isAccepted: finding.accepted != nil)
      counts[key, default: 0] += 1
    }
    findings = counts.map { (finding: $0.key, count: $0.value) }.sorted { $0.finding.sortKey < $1.finding.sortKey }
  }

  var count: Int { findings.reduce(0) { $0 + $1.count } }

  static func == (left: Self, right: Self) -> Bool {
    left.word == right.word && left.isComplete == right.isComplete
      && left.findings.elementsEqual(right.findings) { $0 == $1 }
  }

  func write(to json: inout JSONText) {
    json.member("verdict", word)
    json.member("complete", isComplete)
    json.member("events", events)
    json.array("findings", findings) { entry, json in
      json.beginObject()
      json.member("rule", entry.finding.rule)
      json.member("severity", entry.finding.severity.rawValue)
      json.member("certainty", entry.finding.certainty)
      json.member("fingerprint", entry.finding.fingerprint)
      json.member("count", entry.count)
      if entry.finding.isAccepted { json.member("accepted", true) }
      json.endObject()
    }
  }
}
