import ArgumentParser
import XferPredicate
import XferQuery
import XferReport

struct QueryCommand: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Select events, and compute figures from them.",
    usage: "xferlog query [<options>] <query> [<log> ...]",
    discussion: """
      A query is a condition, followed by stages: CONDITION | STAGE | …
      Conditions: level>=error, host=a.example.com, status>=500, size>=10MB, path~^/img, eventMessage CONTAINS[c] "reset", \
      status IN {200, 206}, exists(error), task.outcome=lost, finding.rule=lost-completion; and, or, not, parentheses. \
      Other words search the text. A missing field makes a comparison false, except FIELD?=VALUE.
      Stages: stats, slice, top, sort, fields, limit, where, context, tasks, findings, seq, absent.
      @NAME runs the query that the configuration file saves below `queries`.

      Examples:
        xferlog query 'level>=error host=cdn.example.com | context 5' run.xlog
        xferlog query 'status>=500 | stats count, p50(took) by task.host' run.xlog
        xferlog query 'task.outcome=lost | tasks' run.xlog -o json
        xferlog query '| absent delivery.sent within 30s after task.transferred'
      """)

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json, ndjson, csv }

  @Argument(help: ArgumentHelp("The query.", valueName: "query"), completion: .query)
  var typed: String?

  @Argument(help: "Logs to read (default: the standard log).", completion: .file())
  var log: [String] = []

  @Option(name: .shortAndLong, help: "Output format.")
  var output: Form = .text

  @Flag(help: "Also print the normalised query, the blocks skipped and the time on standard error.")
  var explain = false

  @Flag(help: "Print nothing, and exit with 0 if the result has an event or row, otherwise with 1.")
  var exists = false

  @Flag(help: "List the fields that queries can name.")
  var listFields = false

  @OptionGroup
  var zones: ZoneOptions

  @OptionGroup(visibility: .hidden)
  var page: PageOptions

  @OptionGroup(title: "Rules", visibility: .hidden)
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs", visibility: .hidden)
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code", visibility: .hidden)
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs", visibility: .hidden)
  var imported: ImportedLogOptions

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    let output = StandardOutput(descriptor: surroundings.output)
    if listFields {
      FieldReference.write(to: &output.buffer)
      return try output.flush()
    }
    let query = try query(surroundings)
    let inputs = try LogInputs(log, surroundings)
    inputs.remarkRefusals()
    var run = QueryRun(query, inputs, damage.recovery)
    let sink = self.sink(query, surroundings, output)
    let source = try run.run(to: sink, rules: rules.inForce)
    run.remark()
    if explain { run.explain() }
    if exists {
      if sink.count == 0 { throw CommandExit(.noMatch, "nothing in the log matches the query") }
      return
    }
    try ReadingOutcome(inputs: inputs, source: source, counts: run.counts)
      .conclude(filter: "the query", isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }

  private func query(_ surroundings: Surroundings) throws -> Query {
    guard let first = typed else {
      throw CommandExit(
        .wrongUsage, "the query is missing.\nWrite it before the logs, for example: xferlog query level>=error run.xlog")
    }
    if log.isEmpty, first.hasSuffix(".xlog") {
      throw CommandExit(
        .wrongUsage, "'\(first)' is the name of a log, and the query is missing.\nWrite the query before the log.")
    }
    var text = first
    if first.hasPrefix("@") {
      text = try SavedQueries(config: rules.config, environment: surroundings.environment).text(of: String(first.dropFirst()))
    }
    let isUTC = zones.zone == .utc
    do throws(QueryError) {
      return try QueryParser.query(text, QueryContext(surroundings, isUTC: isUTC))
    } catch {
      throw CommandExit(.wrongUsage, error.description)
    }
  }

  // MARK: Output

  private func sink(_ query: Query, _ surroundings: Surroundings, _ output: StandardOutput) -> QueryOutput {
    if exists { return QueryOutput(events: nil, rows: nil, output) }
    switch query.shape {
    case .events: return QueryOutput(events: events(surroundings, output), rows: nil, output)
    case .table(let columns): return QueryOutput(events: nil, rows: rows(query, columns), output)
    }
  }

  private func events(_ surroundings: Surroundings, _ output: StandardOutput) -> any EventDocument {
    switch self.output {
    case .json: return EventJSON(.document)
    case .ndjson: return EventJSON(.lines)
    case .csv: return EventCSV()
    case .text:
      let isUTC = surroundings.showsUTC(zones)
      let style = page.page(surroundings, output)
      return EventLines(
        EventTextStyle(
          time: .absolute, zone: isUTC ? .utc : surroundings.localZone, isUTC: isUTC, columns: style.columns,
          hasColor: style.hasColor))
    }
  }

  private func rows(_ query: Query, _ columns: [QueryField]) -> any QueryDocument {
    switch output {
    case .json: QueryJSON(.document, query: "\(query)", columns)
    case .ndjson: QueryJSON(.lines, query: "\(query)", columns)
    case .csv: QueryCSV(columns)
    case .text:
      QueryTable(
        columns,
        shown: columns == TaskColumns.all ? TaskColumns.shown : columns == FindingColumns.all ? FindingColumns.shown : nil)
    }
  }
}
