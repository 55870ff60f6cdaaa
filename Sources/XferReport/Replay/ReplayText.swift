import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

extension ReplayDocument {
  /// The replay for people: findings with their evidence, consequences under their roots, then the tally.
  package func text() -> String {
    var lines: [String] = []
    var consequences: [Int: [Int]] = [:]
    let findings = diagnosis.findings
    for (place, finding) in findings.enumerated() {
      if let root = finding.causedBy { consequences[root, default: []].append(place) }
    }
    for place in findings.indices where findings[place].causedBy == nil {
      append(place, under: consequences, depth: 0, to: &lines)
      lines.append("")
    }
    lines.append(tally())
    let open = diagnosis.world.tasks.filter { $0.result == .open }
    if !open.isEmpty {
      lines.append(
        "open: " + open.prefix(8).map(state).joined(separator: ", ") + (open.count > 8 ? " and \(open.count - 8) more" : ""))
    }
    for reason in diagnosis.incompleteness { lines.append("incomplete: \(reason)") }
    lines.append("verdict: \(verdict.rawValue)")
    return lines.map(TerminalText.escaped).joined(separator: "\n") + "\n"
  }

  /// A finding, and below it what follows from it, as deep as that goes.
  private func append(_ place: Int, under consequences: [Int: [Int]], depth: Int, to lines: inout [String]) {
    let indent = String(repeating: "    ", count: depth)
    lines += block(diagnosis.findings[place], isConsequence: depth > 0).map { indent + $0 }
    for consequence in consequences[place] ?? [] {
      append(consequence, under: consequences, depth: depth + 1, to: &lines)
    }
  }

  private func block(_ finding: Finding, isConsequence: Bool) -> [String] {
    let mark = isConsequence ? "└ " : ""
    var lines = ["\(mark)\(finding.severity.rawValue) \(finding.rule) (\(finding.certainty.rawValue))", "    \(finding.summary)"]
    let first = finding.evidence[0]
    for fact in finding.evidence {
      let since = fact == first ? nil : first.duration(to: fact).map { "  \($0 < .zero ? "" : "+")\($0.short)" }
      lines.append("    evidence  \(time(fact))  \(fact.kind.name)  \(fact.reference)\(since ?? "")")
    }
    for missing in finding.missing { lines.append("    missing   \(missing.event.name)\(due(missing, first))") }
    for why in finding.lowered { lines.append("    because   \(why)") }
    for unless in finding.unless { lines.append("    unless    \(unless)") }
    lines.append("    remedy    \(finding.remedy)")
    return lines
  }

  private func time(_ fact: Fact) -> String { fact.wall.map { String("\($0)".dropFirst(11)) } ?? "-" }

  /// Until when it should have come, counted from the first of the evidence.
  private func due(_ missing: Draft.Missing, _ first: Fact) -> String {
    guard let due = missing.dueBy?.monotonic, let start = first.monotonic, due >= start else { return "" }
    return ", due within \(Duration.nanoseconds(due - start).short)"
  }

  /// What an open task is doing, and for how long it has been there as far as its process's log goes.
  private func state(_ task: TaskLifecycle) -> String {
    let name = "\(task.identity.session)/\(task.identity.number) \(task.state.rawValue)"
    let covered = diagnosis.world.process(of: task).coveredUntil
    guard let start = (task.resumed ?? task.created)?.monotonic, covered > start else { return name }
    return "\(name) (\(Duration.nanoseconds(covered - start).short))"
  }

  private func tally() -> String {
    let world = diagnosis.world
    var outcomes: [String: Int] = [:]
    for task in world.tasks { outcomes[task.result.rawValue, default: 0] += 1 }
    let parts = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let counts = [
      counted(diagnosis.replay.counts.events, "event"),
      counted(world.tasks.count, "task") + (parts.isEmpty ? "" : " (\(parts))"), counted(diagnosis.findings.count, "finding"),
    ]
    return counts.joined(separator: ", ")
  }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
