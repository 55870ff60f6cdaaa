import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery
import XferReplay

extension ReplayDocument {
  /// Returns the replay as text: findings with their evidence, each followed by its consequences, then the totals.
  func text(_ tasks: TaskTally, page: PageStyle) -> String {
    var lines: [PageLine] = []
    var consequences: [Int: [Int]] = [:]
    let findings = diagnosis.findings
    for (place, finding) in findings.enumerated() {
      if let root = finding.causedBy { consequences[root, default: []].append(place) }
    }
    if !groups.keys.isEmpty {
      if !findings.isEmpty { lines += groupLines.map { PageLine($0) } + [""] }
    } else {
      for place in findings.indices where findings[place].causedBy == nil && findings[place].accepted == nil {
        append(place, under: consequences, depth: 0, to: &lines)
        lines.append("")
      }
    }
    lines += inputs.compactMap(\.figuresText).map { PageLine($0) }
    if let timeAdvice { lines.append(PageLine(timeAdvice)) }
    lines.append(PageLine(tally(tasks)))
    if let window { lines.append(PageLine(window.text)) }
    let counts = sessions.reduce(into: [:]) { $0[$1.subject.identifier, default: 0] += $1.subject.incarnations.count }
    lines += tasks.failureLines { counts[$0] ?? 0 > 1 }.map { PageLine($0) }
    if let open = tasks.openText { lines.append("open: \(open)") }
    for change in rules.changes {
      lines.append("limit: \(change.rule).\(change.limit) = \(change.value.text) (default \(change.usual.text))")
    }
    lines += openQuestions(tasks).map { PageLine($0) }
    if let acceptedText { lines.append(PageLine(acceptedText)) }
    for reason in incompleteness { lines.append(PageLine("incomplete: \(reason)", Palette.warning)) }
    lines.append(PageLine("verdict: \(verdict.rawValue)", verdict.color))
    return page.text(lines)
  }

  /// Appends a finding and, indented, all its consequences.
  private func append(_ place: Int, under consequences: [Int: [Int]], depth: Int, to lines: inout [PageLine]) {
    let indent = String(repeating: "    ", count: depth)
    lines += block(diagnosis.findings[place], isConsequence: depth > 0).map { $0.indented(by: indent) }
    for consequence in consequences[place] ?? [] {
      append(consequence, under: consequences, depth: depth + 1, to: &lines)
    }
  }

  /// The number of accepted findings; `nil` if there are none.
  private var acceptedText: String? {
    let roots = diagnosis.findings.filter { $0.causedBy == nil }.compactMap(\.accepted)
    if roots.isEmpty { return nil }
    let known = roots.count { $0.kind == .baseline }
    let parts = [(known, "in the baseline"), (roots.count - known, "suppressed")].filter { $0.0 > 0 }
    return "accepted: \(parts.map { "\($0.0.counted("finding")) \($0.1)" }.joined(separator: ", ")), not shown above"
  }

  /// Returns a finding with its evidence and its remedy.
  func block(_ finding: Finding, isConsequence: Bool) -> [PageLine] {
    let mark = isConsequence ? "└ " : ""
    var lines = [
      PageLine("\(mark)\(finding.severity.rawValue) \(finding.rule) (\(finding.certainty.rawValue))", finding.severity.color),
      "    \(finding.summary)",
    ]
    let first = finding.evidence[0]
    for fact in finding.evidence {
      let since = fact == first ? nil : first.duration(to: fact).map { "  \($0 < .zero ? "" : "+")\($0.short)" }
      lines.append("    evidence  \(time(fact))  \(fact.kind.name)  \(sourceLines.place(fact.reference))\(since ?? "")")
      if let quote = sourceLines.quote(fact.reference) { lines.append("    line      \(quote)") }
      if let ended = ended(fact) { lines.append("    ended     \(ended)") }
    }
    for missing in finding.missing { lines.append("    missing   \(missing.event.name)\(due(missing, first))") }
    for why in finding.lowered { lines.append("    because   \(why)") }
    lines += captures(for: finding).flatMap(\.lines).map { PageLine($0) }
    for unless in finding.unless { lines.append("    unless    \(unless)") }
    lines.append("    remedy    \(finding.remedy)")
    return lines
  }

  /// Returns when a process ended whose end the event reports; `nil` for any other event.
  private func ended(_ fact: Fact) -> String? {
    guard fact.kind == .processExitObserved, let process = processes.first(where: { $0.exitObserved == fact && $0.endWasNoticed })
    else { return nil }
    return EndTime(after: process.endedAfter?.wall, noticed: fact.wall).text
  }

  private func time(_ fact: Fact) -> String { fact.wall.map(time) ?? "-" }

  private func time(_ time: WallTime) -> String { String("\(time)".dropFirst(11)) }

  /// Returns the time by which an event was due, and the interval from the first evidence to that time.
  private func due(_ missing: Draft.Missing, _ first: Fact) -> String {
    guard let due = missing.dueBy?.monotonic, let start = first.monotonic, due >= start else { return "" }
    let span = Duration.nanoseconds(due.subtractingClamped(start)).short
    return missing.dueBy?.wall.map { ", due by \(time($0))  +\(span)" } ?? ", due within \(span)"
  }

  private func tally(_ tasks: TaskTally) -> String {
    [
      diagnosis.counts.events.counted("event"),
      tasks.count.counted("task") + (tasks.outcomeText.map { " (\($0))" } ?? ""),
      diagnosis.findings.count.counted("finding"),
    ].joined(separator: ", ")
  }

  /// How to complete the times of a log of another program; `nil` if some are complete, or if there are none.
  private var timeAdvice: String? {
    guard diagnosis.counts.span == nil,
      processes.contains(where: { $0.coverage != nil && $0.firstSeen?.monotonic != nil })
    else { return nil }
    return "times: not shown, because their date or zone is not in the log; --date and --timezone supply it"
  }
}

extension ReplayDocument.Input {
  /// A line such as `read: app.log, 120 lines, 98 records, 91 recognised`; `nil` for a log of this package.
  fileprivate var figuresText: String? {
    figures.map {
      "read: \(path), \(SourceFigures.text(lines: $0.lines, records: $0.records, recognised: $0.recognised))"
    }
  }
}

extension ReplayDocument.Window {
  /// A line such as `judged: since 2026-11-20T14:00:00Z, session get (1 of 9 tasks, 0 of 2 findings)`.
  fileprivate var text: String {
    var parts: [String] = []
    if let since { parts.append("since \(since)") }
    if let until { parts.append("until \(until)") }
    parts += tasks.map { "task \($0)" } + sessions.map { "session \($0)" }
    let figures = "\(judgedTasks) of \(allTasks) tasks, \(judgedFindings) of \(allFindings) findings"
    return "judged: \(parts.joined(separator: ", ")) (\(figures))"
  }
}

extension ReplayDocument.Verdict {
  fileprivate var color: StaticString? {
    switch self {
    case .clean: nil
    case .findings: Palette.alarm
    case .incomplete, .nothingAnalysed: Palette.warning
    }
  }
}

extension Severity {
  /// The color of a finding.
  var color: StaticString { level >= .error ? Palette.alarm : Palette.warning }
}
