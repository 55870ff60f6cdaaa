import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery

extension StatisticsDocument {
  /// Writes the figures as text, at most 100 columns wide unless a name is longer.
  package func write(to text: inout TextBuffer) {
    writeSummary(to: &text)
    write(counts("outcome", statistics.outcomes.map { ($0.outcome.rawValue, $0.tasks) }), to: &text)
    write(counts("state", statistics.states.map { ($0.state.rawValue, $0.tasks) }), to: &text)
    write(stages(), to: &text)
    write(hosts(), to: &text)
    write(rules(), to: &text)
    writeSilentRules(to: &text)
    if !statistics.undecided.isEmpty {
      text.append("\n" as StaticString)
      for (undecided, count) in statistics.undecided {
        line("undecided: \(undecided.rule), \(count == 1 ? "once" : "\(count) times"); needs \(undecided.needs)", to: &text)
      }
    }
    if !incompleteness.isEmpty { text.append("\n" as StaticString) }
    for reason in incompleteness { line("incomplete: \(reason)", to: &text) }
  }

  private func writeSummary(to text: inout TextBuffer) {
    let events = statistics.events
    var parts = ["\(events.count.counted("event"))"]
    if events.unmodelled > 0 { parts.append("\(events.unmodelled) not modelled") }
    if events.gaps > 0 { parts.append("\(events.gaps.counted("gap"))") }
    if events.dropped > 0 { parts.append("\(events.dropped) dropped") }
    line(parts.joined(separator: ", "), to: &text)
    if let span = events.span { line("from \(span.lowerBound) to \(span.upperBound)", to: &text) }
    line(
      "\(statistics.tasks.counted("task")), \(ByteCount(statistics.received)) received, \(ByteCount(statistics.sent)) sent",
      to: &text)
  }

  private func line(_ words: String, to text: inout TextBuffer) {
    text.append(TerminalText.escaped(words))
    text.append(UInt8(ascii: "\n"))
  }

  private func write(_ table: TextTable, to text: inout TextBuffer) {
    if table.isEmpty { return }
    text.append(UInt8(ascii: "\n"))
    var table = table
    table.flush(to: &text)
  }

  // MARK: Tables

  private func counts(_ title: String, _ rows: [(word: String, tasks: Int)]) -> TextTable {
    var table = TextTable([(title, .left), ("tasks", .right)])
    for row in rows where row.tasks > 0 { table.append([row.word, "\(row.tasks)"]) }
    return table
  }

  private func stages() -> TextTable {
    var table = TextTable([("stage", .left), ("tasks", .right), ("p50", .right), ("p90", .right), ("max", .right)])
    for stage in statistics.stages where stage.tasks > 0 {
      table.append([
        stage.stage.name, "\(stage.tasks)", Self.short(stage.median), Self.short(stage.ninetieth), Self.short(stage.maximum),
      ])
    }
    return table
  }

  /// The maximum number of hosts in the text. JSON and CSV list all hosts.
  private static let shownHosts = 20

  private func hosts() -> TextTable {
    var table = TextTable([
      ("host", .left), ("tasks", .right), ("failed", .right), ("lost", .right), ("received", .right), ("sent", .right),
      ("connections", .right), ("reused", .right), ("p50", .right), ("p90", .right),
    ])
    for host in statistics.hosts.prefix(Self.shownHosts) {
      table.append([
        TerminalText.cutMiddle(host.host ?? "-", to: 40), "\(host.tasks)", "\(host.failed)", "\(host.lost)",
        "\(ByteCount(host.received))", "\(ByteCount(host.sent))", "\(host.connections)", "\(host.reusedConnections)",
        Self.short(host.median), Self.short(host.ninetieth),
      ])
    }
    let more = statistics.hosts.count - Self.shownHosts
    if more > 0 { table.append(["and \(more) more"] + [String](repeating: "", count: 9)) }
    return table
  }

  private func rules() -> TextTable {
    var table = TextTable([
      ("rule", .left), ("severity", .left), ("findings", .right), ("undecidable", .right), ("in flight", .right),
      ("silent", .right),
    ])
    for rule in statistics.rules where !Self.isSilent(rule) {
      table.append([
        rule.rule, (rule.worst ?? rule.severity).rawValue, "\(rule.findings)", "\(rule.undecidable)", "\(rule.inFlight)",
        "\(rule.silent)",
      ])
    }
    return table
  }

  /// Whether a rule found nothing and left nothing undecided. The text only counts these rules; JSON and CSV list all rules.
  private static func isSilent(_ rule: RuleStatistics) -> Bool {
    rule.findings == 0 && rule.undecidable == 0 && rule.inFlight == 0
  }

  private func writeSilentRules(to text: inout TextBuffer) {
    if statistics.events.count == 0 { return }
    let silent = statistics.rules.count(where: Self.isSilent)
    if silent == 0 { return }
    if silent == statistics.rules.count { text.append("\n" as StaticString) }
    line("\(silent.counted("rule")) without a finding", to: &text)
  }

  private static func short(_ duration: Duration?) -> String { duration?.short ?? "-" }
}

extension TaskLifecycle.Stage {
  /// The stage's name for people.
  fileprivate var name: String { self == .firstByte ? "first byte" : rawValue }
}
