import ArgumentParser
import CXferPlatform
import XferReading
import XferReport

struct FleetReplay: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay the logs of many devices with an engine that distributes the work.",
    discussion: """
      The engine runs `xferlog replay --paths-from` or `--stdin`, so the verdicts are the same; --dry-run prints the engine's \
      statements. A killed process is restarted. Verdicts are written only if every process printed its last row and all counts \
      match.

      With --engine clickhouse, the events are those of the table of `xferlog fleet init`, and the verdicts replace those of the last \
      replay.

      Examples:

        xferlog fleet replay --engine local --in paths.txt --out verdicts.ndjson
        xferlog fleet replay --engine spark --master spark://h:7077 --in /lake/paths.txt --out /lake/verdicts
        xferlog fleet replay --engine clickhouse --dry-run
      """)

  @Option(help: "Engine.")
  var engine: FleetEngine = .local

  @Option(help: "What is distributed (default: path; event for clickhouse).")
  var by: FleetUnit?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "File with one path per line, or with --by event a file with events (repeatable for local; - for standard input; spark: globs, too).",
      valueName: "file"), completion: .file())
  var input: [String] = []

  @Option(
    help: ArgumentHelp(
      "Where the verdicts are written: a file (default for local: standard output), or Spark's directory.", valueName: "path"),
    completion: .file())
  var out: String?

  @Flag(help: "Replace the file of --out if it exists.")
  var overwrite = false

  @Flag(help: "Print the statements of spark or clickhouse instead of running them.")
  var dryRun = false

  @Option(help: ArgumentHelp("Number of processes for --engine local (default: the number of processors).", valueName: "n"))
  var jobs: Int?

  @Option(help: ArgumentHelp("Memory for the events of each process with --by event (64MiB, 1GiB).", valueName: "size"))
  var memory: StatementMemory?

  @Option(help: ArgumentHelp("Master of Spark.", valueName: "url"))
  var master: String?

  @Option(help: ArgumentHelp("Number of Spark's partitions.", valueName: "n"))
  var partitions = 200

  @Option(help: ArgumentHelp("The xferlog that Spark's executors start.", valueName: "path"))
  var program = "xferlog"

  @Option(help: "Database of ClickHouse.")
  var database = "xferlog"

  @Option(
    help: ArgumentHelp(
      "Command that runs the statements (default: spark-sql or clickhouse-client), for example 'clickhouse-client --host db'.",
      valueName: "command"))
  var client: String?

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  func run(_ surroundings: Surroundings) throws {
    let unit = by ?? (engine == .clickhouse ? .event : .path)
    try validate(unit)
    let words = replayArguments(unit)
    switch engine {
    case .local: try runLocally(unit, words, surroundings)
    case .clickhouse:
      if let word = words.first(where: { SQLText.shellWord($0) != $0 }) {
        throw CommandExit(
          .wrongUsage,
          "ClickHouse cannot give a program the argument '\(word)'; name a file whose path has no spaces or quotation marks")
      }
      try run(ClickHouseStatements(database: database).replay(words), surroundings)
    case .duckdb: throw CommandExit(.wrongUsage, "DuckDB starts no programs; use --engine local, and DuckDB for the verdicts")
    case .spark:
      guard let input = input.first, let out else { throw CommandExit(.wrongUsage, "--engine spark needs --in and --out") }
      let command = [program, "replay"] + (unit == .path ? ["--paths-from", "-"] : ["--stdin"]) + words
      let statements = SparkStatements(
        unit: unit, input: input, output: out, partitions: partitions,
        command: command.map(SQLText.shellWord).joined(separator: " "))
      try run(statements.text, surroundings)
    }
  }

  /// The options that each process gets.
  private func replayArguments(_ unit: FleetUnit) -> [String] {
    var words: [String] = []
    for file in rules.rules { words += ["--rules", file] }
    for limit in rules.limit { words += ["--limit", limit] }
    if let config = rules.config { words += ["--config", config] }
    if unit == .event, let memory { words += ["--memory", memory.text] }
    return words
  }

  private func validate(_ unit: FleetUnit) throws {
    let ofOthers: [(name: String, isGiven: Bool, engines: Set<FleetEngine>)] = [
      ("--in", !input.isEmpty, [.local, .spark]), ("--out", out != nil, [.local, .spark]), ("--overwrite", overwrite, [.local]),
      ("--jobs", jobs != nil, [.local]), ("--master", master != nil, [.spark]), ("--partitions", partitions != 200, [.spark]),
      ("--program", program != "xferlog", [.spark]), ("--database", database != "xferlog", [.clickhouse]),
      ("--client", client != nil, [.spark, .clickhouse]), ("--dry-run", dryRun, [.spark, .clickhouse]),
    ]
    // DuckDB has no options, because it cannot replay.
    if engine != .duckdb, let option = ofOthers.first(where: { $0.isGiven && !$0.engines.contains(engine) }) {
      throw CommandExit(.wrongUsage, "\(option.name) does not work with --engine \(engine.rawValue)")
    }
    if engine == .clickhouse, unit == .path {
      throw CommandExit(.wrongUsage, "ClickHouse has events and no logs; leave out --by path")
    }
    if unit == .path, memory != nil { throw CommandExit(.wrongUsage, "--memory works only with --by event") }
    if let jobs, !(1...1024 ~= jobs) {
      throw CommandExit(.wrongUsage, "--jobs \(jobs) is not possible; give a number from 1 to 1024")
    }
    if !(1...1_000_000 ~= partitions) {
      throw CommandExit(.wrongUsage, "--partitions \(partitions) is not possible; give a number from 1 to 1000000")
    }
    try SQLText.checkName(database, option: "--database")
    for path in input { try SQLText.checkPath(path, option: "--in") }
    if let out { try SQLText.checkPath(out, option: "--out") }
    try SQLText.checkPath(program, option: "--program")
    if engine == .spark, input.count > 1 || input.contains("-") {
      throw CommandExit(.wrongUsage, "Spark reads one path or glob; name one with --in")
    }
    if engine == .local, input.isEmpty { throw CommandExit(.wrongUsage, "name the files to replay with --in") }
  }

  private func run(_ statements: String, _ surroundings: Surroundings) throws {
    guard dryRun else { return try EngineClient(engine, command: client, master: master).run(statements) }
    let output = StandardOutput(descriptor: surroundings.output)
    output.buffer.append(statements)
    try output.flush()
  }

  private func runLocally(_ unit: FleetUnit, _ words: [String], _ surroundings: Surroundings) throws {
    let destination = try ExportDestination(out, replaces: overwrite, isBinary: false, option: "--out", surroundings)
    let fleet = LocalFleet(
      unit: unit, inputs: input, jobs: jobs ?? Int(xp_processor_count()), arguments: words, surroundings: surroundings)
    let problem = try fleet.run(to: destination.output)
    try destination.finish()
    if let problem { throw CommandExit(.failed, "\(problem); see the rows with the verdict unreadable") }
  }
}
