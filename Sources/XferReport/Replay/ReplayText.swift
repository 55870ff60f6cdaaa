import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

extension ReplayDocument {
  /// The replay for people: findings with their evidence, consequences under their roots, then the tally.
  package func text() -> String {
    var lines: [String] = []
    let findings = diagnosis.findings
    for (place, finding) in findings.enumerated() where finding.causedBy == nil {
      lines += block(finding, indent: "")
      for consequence in findings where consequence.causedBy == place { lines += block(consequence, indent: "    ") }
      lines.append("")
    }
    lines.append(tally())
    let open = tasks.filter { $0.result == .open }
    if !open.isEmpty {
      let named = open.prefix(8).map { "\($0.identity.session)/\($0.identity.number) \($0.state.rawValue)" }
      lines.append("open: " + named.joined(separator: ", ") + (open.count > 8 ? " and \(open.count - 8) more" : ""))
    }
    for reason in diagnosis.incompleteness { lines.append("incomplete: \(reason)") }
    lines.append("verdict: \(verdict.rawValue)")
    return lines.map(TerminalText.escaped).joined(separator: "\n") + "\n"
  }

  private func block(_ finding: Finding, indent: String) -> [String] {
    var lines = ["\(finding.severity.rawValue) \(finding.rule) (\(finding.certainty.rawValue))", "    \(finding.summary)"]
    for fact in finding.evidence { lines.append("    evidence  \(time(fact))  \(fact.kind.name)  \(fact.reference)") }
    for missing in finding.missing { lines.append("    missing   \(missing.event.name)") }
    for why in finding.lowered { lines.append("    because   \(why)") }
    for unless in finding.unless { lines.append("    unless    \(unless)") }
    lines.append("    remedy    \(finding.remedy)")
    return lines.map { indent + $0 }
  }

  private func time(_ fact: Fact) -> String { fact.wall.map { String("\($0)".dropFirst(11)) } ?? "-" }

  private func tally() -> String {
    var outcomes: [String: Int] = [:]
    for task in tasks { outcomes[task.result.rawValue, default: 0] += 1 }
    let parts = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let findings = diagnosis.findings.count
    let events = diagnosis.replay.counts.events
    return "\(events) events, \(tasks.count) tasks" + (parts.isEmpty ? "" : " (\(parts))") + ", \(findings) findings"
  }
}
