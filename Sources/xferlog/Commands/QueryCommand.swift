import ArgumentParser
import XferPredicate
import XferQuery
import XferReading
import XferReport

struct QueryCommand: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", _superCommandName: "xferlog",
    abstract: "Select events, and compute figures from them.",
    usage: "xferlog query [<options>] <query> [<log> ...]",
    discussion: """
      A query is a condition, followed by stages: CONDITION | STAGE | …
      Conditions: level>=error, host=a.example.com, status>=500, size>=10MB, path~^/img, eventMessage CONTAINS[c] "reset", \
      status IN {200, 206}, exists(error), task.outcome=lost, finding.rule=lost-completion; and, or, not, parentheses. \
      Other words search the text. A missing field makes a comparison false, except FIELD?=VALUE.
      Stages: stats, slice, top, sort, fields, limit, where, context, tasks, findings, seq, absent.
      Output: -o short, wide, json, ndjson, logfmt or csv, --template TEXT, and other options of xferlog show.
      @NAME runs the query that the configuration file saves below `queries`.

      Examples:
        xferlog query 'level>=error host=cdn.example.com | context 5' run.xlog
        xferlog query 'status>=500 | stats count, p50(took) by task.host' run.xlog
        xferlog query 'task.outcome=lost | tasks' run.xlog -o json
        xferlog query '| absent delivery.sent within 30s after task.transferred'
      """)

  @Argument(help: ArgumentHelp("The query.", valueName: "query"), completion: .query)
  var typed: String?

  @Argument(help: "Logs to read (default: the standard log).", completion: .file())
  var log: [String] = []

  @Flag(help: "Also print the normalised query, the blocks skipped and the time on standard error.")
  var explain = false

  @Flag(help: "Print nothing, and exit with 0 if the result has an event or row, otherwise with 1.")
  var exists = false

  @Flag(help: "List the fields that queries can name.")
  var listFields = false

  @OptionGroup(title: "Output", visibility: .hidden)
  var form: OutputOptions

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
    let template = try template(query, surroundings)
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    inputs.remarkRefusals()
    try rules.check(for: inputs)
    var run = QueryRun(query, inputs, damage.recovery, shown: template?.fields ?? [])
    let (source, result) = try run.run(rules: { try rules.inForce(for: inputs) }) { subjects in
      try self.result(query, template, subjects, surroundings, output)
    }
    run.remark()
    if explain { run.explain() }
    if exists {
      if result.count == 0 { throw CommandExit(.noMatch, "nothing in the log matches the query") }
      return
    }
    try ReadingOutcome(inputs: inputs, source: source, counts: run.counts)
      .conclude(filter: description(query), isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }

  /// Describes the query in the message that no event matches it.
  private func description(_ query: Query) -> String {
    guard query.stages.isEmpty, let word = typed?.split(separator: " ").first?.lowercased(), QueryParser.stages.contains(word)
    else { return "the query" }
    return "the query; write | before `\(word)` to make it a stage"
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
    do throws(QueryError) {
      return try QueryParser.query(text, QueryContext(surroundings))
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
  }

  /// Returns the template of the output, which names fields of events or columns of the result; `nil` for other formats.
  private func template(_ query: Query, _ surroundings: Surroundings) throws -> LineTemplate? {
    var context = QueryContext(surroundings)
    if case .table(let columns) = query.shape { context.columns = columns }
    return try form.lineTemplate(context)
  }

  // MARK: Output

  private func result(
    _ query: Query, _ template: LineTemplate?, _ subjects: SubjectLedger?, _ surroundings: Surroundings, _ output: StandardOutput
  ) throws -> QueryOutput {
    if exists { return QueryOutput(events: nil, rows: nil, output) }
    switch query.shape {
    case .events:
      let document = form.document(
        surroundings, output: output, template: template, subjects: subjects,
        isFiltered: query.predicate != .everything || !query.stages.isEmpty)
      return QueryOutput(events: document, rows: nil, output)
    case .table(let columns):
      let document = try form.document(surroundings, output: output, template: template, query: "\(query)", columns: columns)
      return QueryOutput(events: nil, rows: document, output)
    }
  }
}
