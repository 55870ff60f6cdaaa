import ArgumentParser
import XferEvents
import XferIndex
import XferLogStore
import XferReading
import XferReport

struct Export: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: "xferlog",
    abstract: "Convert a log to the format of another tool.",
    usage:
      "xferlog export --format <format> [<options>] [<log> ...]\nxferlog export --otlp-endpoint <url> [<options>] [<log> ...]",
    discussion: """
      Filters select events. Formats of requests and attempts (har, otlp-spans, chrome, perfetto, qlog) contain those of which an \
      event, or an earlier event of their task, is selected. Masked values stay masked. The article Exporting says what each \
      format cannot contain.

      With --otlp-endpoint, log records and spans are sent to a collector over OTLP/HTTP (to URL/v1/logs and URL/v1/traces), and \
      retried when it is unavailable. $OTEL_EXPORTER_OTLP_HEADERS adds header fields; $TRACEPARENT names the span to which spans \
      belong.

      Examples:
        xferlog export --format har -o run.har run.xlog
        xferlog export --format csv -p 'level>=error' run.xlog > errors.csv
        xferlog export --otlp-endpoint http://127.0.0.1:4318 run.xlog
      """)

  @Argument(help: "Logs to export together (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(help: "Format of the export.")
  var format: ExportFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write (default: standard output). It appears when it is complete.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace the file if it exists.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "Send log records and spans (or the one that --format names) to the collector with this base URL.", valueName: "url"))
  var otlpEndpoint: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Send this header field to the collector ('NAME: VALUE'; repeatable).", valueName: "field"))
  var otlpHeader: [String] = []

  @Option(help: ArgumentHelp("Add this app to each line of ndjson, for xferlog replay --stdin.", valueName: "name"))
  var app: String?

  @Option(help: ArgumentHelp("Add this device to each line of ndjson, for xferlog replay --stdin.", valueName: "name"))
  var device: String?

  @OptionGroup(title: "Filters")
  var filter: FilterOptions

  @OptionGroup(title: "Rules", visibility: .hidden)
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs", visibility: .hidden)
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs", visibility: .hidden)
  var imported: ImportedLogOptions

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    if format == .lnavFormat { return try writeDefinition(surroundings) }
    guard otlpEndpoint != nil || format != nil else {
      throw CommandExit(
        .wrongUsage,
        "the format is missing; name one with --format, for example --format har (formats: "
          + "\(ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")))")
    }
    if app != nil || device != nil, format != .ndjson || otlpEndpoint != nil {
      throw CommandExit(.wrongUsage, "--app and --device work only with --format ndjson; leave them out")
    }
    var filter = try filter.filter(surroundings)
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    inputs.remarkRefusals()
    try rules.check(for: inputs)
    try self.filter.resolve(
      &filter, shown: [], in: inputs, surroundings, rules: rules, recovery: damage.recovery)
    if let otlpEndpoint { return try send(to: otlpEndpoint, inputs, filter, surroundings) }
    if format == .sqlite { return try writeIndex(inputs, filter, surroundings) }
    guard let format, var document = try format.document(surroundings) else { return }
    if app != nil || device != nil { document = ShippedLines(app: app, device: device) }
    let destination = try ExportDestination(
      output, replaces: overwrite, isBinary: format.isBinary, surroundings)
    let source = try inputs.source(recovery: damage.recovery, selection: format.joinsEvents ? nil : filter.selection)
    var run = ExportRun(source, filter)
    try run.write(&document, isOrdered: format.joinsEvents, to: destination.output)
    try end(run, inputs, source, [document], finish: { try destination.finish() })
  }

  // MARK: Outcome

  /// Reports what was left out, completes the export, and ends with the exit code.
  private func end(
    _ run: ExportRun, _ inputs: LogInputs, _ source: any EventSource, _ documents: [any ExportDocument], finish: () throws -> Void
  ) throws {
    for loss in documents.flatMap(\.losses) { StandardError.remark(UserMessage(loss)) }
    let isEmpty = documents.allSatisfy { $0.count == 0 }
    if isEmpty, run.counts.matched > 0, !outcome.allowEmpty {
      throw CommandExit(
        .nothingAnalysed,
        "the selected events have no \(documents.map(\.noun.one).joined(separator: " or ")) for this format; nothing was exported"
      )
    }
    // Without events, the exit code says why. A file is not created.
    if !isEmpty || outcome.allowEmpty { try finish() }
    try ReadingOutcome(inputs: inputs, source: source, counts: run.counts)
      .conclude(filter: filter.summary, isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }

  // MARK: Special formats

  private func writeDefinition(_ surroundings: Surroundings) throws {
    let destination = try ExportDestination(output, replaces: overwrite, isBinary: false, surroundings)
    destination.output.buffer.append(LnavFormat.definition)
    try destination.finish()
  }

  /// Writes the index with rows for the selected events.
  private func writeIndex(_ inputs: LogInputs, _ filter: EventFilter, _ surroundings: Surroundings) throws {
    guard let output, output != "-", !output.isEmpty else {
      throw CommandExit(.wrongUsage, "a database needs a file; name one with --output, or use `xferlog index`")
    }
    var filter = filter
    try ExportDestination.refuse(output, replaces: overwrite)
    let draft = try ExportDestination.draft(output)
    let plan = IndexPlan(
      inputs, rules: try rules.sources(for: inputs), recovery: damage.recovery, imported: imported.identity,
      filter: self.filter.summary,
      environment: surroundings.environment)
    let isAll = filter.isEmpty
    var matched = 0
    let maker = IndexMaker(
      plan: plan, outcome: outcome,
      selects: isAll
        ? nil
        : { event in
          guard filter.admits(event) else { return false }
          matched += 1
          return true
        })
    try maker.fill(draft, isPlaced: false)
    if !isAll, matched == 0, !outcome.allowEmpty {
      throw CommandExit(.nothingAnalysed, "no event matched \(self.filter.summary); nothing was exported")
    }
    try ExportDestination.place(draft, output, replaces: overwrite)
    let query = try IndexMaker.query(output, IndexQuery.Limits())
    try DiagnosedLog.end(DiagnosedLog.completeness(query.incompleteness(), outcome))
  }

  // MARK: Collectors

  private func send(to endpoint: String, _ inputs: LogInputs, _ filter: EventFilter, _ surroundings: Surroundings) throws {
    guard output == nil else {
      throw CommandExit(.wrongUsage, "--otlp-endpoint sends the records instead of writing them; leave out --output")
    }
    var formats: [(String, ExportFormat)] = [("/v1/logs", .otlpLogs), ("/v1/traces", .otlpSpans)]
    if let format {
      formats = formats.filter { $0.1 == format }
      guard !formats.isEmpty else {
        throw CommandExit(
          .wrongUsage, "a collector takes otlp-logs and otlp-spans; leave out --format \(format.rawValue) or --otlp-endpoint")
      }
    }
    let client = try OTLPClient(endpoint, headers: otlpHeader + environmentHeaders(surroundings))
    var documents: [(path: String, document: any ExportDocument)] = []
    for (path, format) in formats {
      if let document = try format.document(surroundings) { documents.append((path, document)) }
    }
    let source = try inputs.source(recovery: damage.recovery)
    var run = ExportRun(source, filter)
    try run.send(&documents, to: client)
    let sent = documents.map { "\($0.document.count) \($0.document.count == 1 ? $0.document.noun.one : $0.document.noun.many)" }
    try end(run, inputs, source, documents.map(\.document)) {
      StandardError.remark("sent \(sent.joined(separator: " and ")) to \(client.shownEndpoint)")
    }
    if client.refused > 0 {
      throw CommandExit(
        .failed, "the collector refused \(client.refused) of them: \(client.refusal ?? "it gave no reason")")
    }
  }

  /// Returns the header fields of `OTEL_EXPORTER_OTLP_HEADERS`, such as `api-key=1,other=2`.
  private func environmentHeaders(_ surroundings: Surroundings) -> [String] {
    surroundings.environment["OTEL_EXPORTER_OTLP_HEADERS"]?.split(separator: ",").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return "\(parts[0].filter { $0 != " " }): \(PercentEncoding.decoded(parts[1]))"
    } ?? []
  }
}
