import ArgumentParser
import XferIndex
import XferReport

struct SQL: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Ask the index of a log one SQL statement.",
    usage: "xferlog sql [<log> ...] [<statement>]",
    discussion: """
      The statement stands last; for -, or without one, it comes from standard input. It can only read. The index is made \
      when there is none or the log has grown. Tables: events, tasks, deliveries, findings, evidence, rule_answers, \
      undecided, processes, sessions, wakes, gaps, sources. Views: totals, tasks_by_outcome, tasks_by_state, bytes, \
      task_stages, stage_percentiles, findings_by_rule, rules, hosts.
      """)

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json, ndjson, csv }

  @Argument(help: ArgumentHelp("Logs, and the statement.", valueName: "log"))
  var arguments: [String] = []

  @Option(name: .shortAndLong, help: "text: a table; json: one document; ndjson: an object a line; csv.")
  var output: Form = .text

  @Flag(help: "Leave texts in CSV as they are, controls and what spreadsheets take for formulas included.")
  var csvRaw = false

  @Option(help: "Stop the statement after this time and end with 5 (default 1m; none for no limit).")
  var timeout: StatementTime = .standard

  @Option(help: "Memory that the statement may use (default 256MiB; none for no limit).")
  var memory: StatementMemory = .standard

  @OptionGroup(title: "By which rules")
  var rules: RuleOptions

  @OptionGroup(title: "Where a log is damaged")
  var damage: RecoveryOptions

  @OptionGroup(title: "What counts as success")
  var outcome: OutcomeOptions

  func run(_ surroundings: Surroundings) throws {
    let source = StatementSource(arguments)
    let statement = try source.text()
    let plan = IndexPlan(
      try LogInputs(source.logs, surroundings), rules: try rules.sources(), recovery: damage.recovery,
      environment: surroundings.environment)
    let index = try IndexMaker(plan: plan, outcome: outcome).current()
    let query = try IndexMaker.query(index.path, IndexQuery.Limits(nanoseconds: timeout.nanoseconds, bytes: memory.bytes))
    try answer(statement, query, surroundings)
    try DiagnosedLog.end(DiagnosedLog.completeness(query.incompleteness(), outcome))
  }

  private func answer(_ statement: String, _ query: IndexQuery, _ surroundings: Surroundings) throws {
    let output = StandardOutput(descriptor: surroundings.output)
    var document: any AnswerDocument =
      switch self.output {
      case .text: AnswerTable()
      case .json: AnswerJSON(.document)
      case .ndjson: AnswerJSON(.lines)
      case .csv: AnswerCSV(CSVText(isRaw: csvRaw))
      }
    do {
      try query.run(
        statement, begin: { document.begin($0, to: &output.buffer) },
        row: { values in
          document.append(values, to: &output.buffer)
          try output.flushIfLarge()
        })
    } catch let problem as IndexQuery.Problem {
      throw CommandExit(.failed, problem.text)
    } catch let exhaustion as IndexQuery.Exhaustion {
      try Interruption.check()
      switch exhaustion {
      case .time:
        throw CommandExit(
          .timedOut, "the statement did not end within \(timeout.text).\nGive it more with --timeout, or ask for less.")
      case .memory:
        throw CommandExit(
          .failed, "the statement needs more than \(memory.text) of memory.\nAllow more with --memory, or ask for less.")
      }
    } catch let error as SQLiteError {
      try Interruption.check()
      throw CommandExit(.failed, error.message)
    }
    document.end(to: &output.buffer)
    try output.flush()
  }
}
