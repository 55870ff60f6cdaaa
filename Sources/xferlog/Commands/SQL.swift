import ArgumentParser
import XferIndex
import XferReading
import XferReport
import XferSQLite

struct SQL: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql", _superCommandName: "xferlog",
    abstract: "Run an SQL statement on the index of a log.",
    usage: "xferlog sql [<log> ...] [<statement>]",
    discussion: """
      The last argument, or else the first, is the statement if it contains white space, a parenthesis or a semicolon and no \
      file has this name. A last argument of - stands for a statement on standard input. Otherwise, all arguments are logs, and \
      the statement is read from standard input. A statement cannot change data. The index is created if it is missing or older \
      than the log (see `xferlog index`).

      Tables: events, tasks, deliveries, findings, evidence, rule_answers, undecided, processes, sessions, wakes, gaps, \
      sources. Views: totals, tasks_by_outcome, tasks_by_state, bytes, task_stages, stage_percentiles, findings_by_rule, \
      rules, hosts.

      Example: xferlog sql run.xlog 'SELECT * FROM stage_percentiles'
      """)

  enum Form: String, ArgumentChoice { case text, json, ndjson, csv }

  @Argument(
    help: ArgumentHelp("Logs (default: the standard log), followed by the statement.", valueName: "log"), completion: .file())
  var arguments: [String] = []

  @Option(name: .shortAndLong, help: "Output format (text: a table; json: one document; ndjson: one object per line).")
  var output: Form = .text

  @Flag(help: "Do not escape control characters and spreadsheet formulas in CSV.")
  var csvRaw = false

  @Option(help: "Stop the statement after this time and exit with 5 (none for no limit).")
  var timeout: StatementTime = .standard

  @Option(help: "Maximum memory of the statement (none for no limit).")
  var memory: StatementMemory = .standard

  @OptionGroup
  var paging: PagingOptions

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs")
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    let source = StatementSource(arguments)
    let statement = try source.text()
    let inputs = try LogInputs(source.logs, surroundings, mayBeAbsent: outcome.allowEmpty)
    let plan = IndexPlan(
      inputs, rules: try rules.sources(for: inputs), recovery: damage.recovery,
      imported: imported.identity, environment: surroundings.environment)
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
      throw CommandExit(.failed, UserMessage(problem.text))
    } catch let exhaustion as IndexQuery.Exhaustion {
      try Interruption.check()
      switch exhaustion {
      case .time:
        throw CommandExit(
          .timedOut,
          "the statement exceeded the time limit of \(timeout.text).\nRaise it with --timeout, or simplify the statement.")
      case .memory:
        throw CommandExit(
          .failed,
          "the statement exceeded the memory limit of \(memory.text).\nRaise it with --memory, or simplify the statement.")
      }
    } catch let error as SQLiteError {
      try Interruption.check()
      throw CommandExit(.failed, UserMessage(error.message))
    }
    document.end(to: &output.buffer)
    try output.flush()
  }
}
