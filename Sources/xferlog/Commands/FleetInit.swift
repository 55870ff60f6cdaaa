import ArgumentParser
import XferReading
import XferReport

struct FleetInit: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Print the statements that prepare an engine for the logs of many devices.",
    discussion: """
      For ClickHouse: tables for events and verdicts, and views. For DuckDB: views of files with events. For Spark: a view of the verdicts \
      of a replay.

      Examples:

        xferlog fleet init --engine clickhouse | clickhouse-client --multiquery
        xferlog fleet init --engine duckdb --in 'events/*.ndjson' > views.sql
      """)

  @Option(help: "Engine.")
  var engine: FleetEngine

  @Option(help: "Database of ClickHouse.")
  var database = "xferlog"

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("DuckDB: the files with events. Spark: the directory of --out.", valueName: "path"))
  var input: String?

  func run(_ surroundings: Surroundings) throws {
    try SQLText.checkName(database, option: "--database")
    if engine != .clickhouse, let input { try SQLText.checkPath(input, option: "--in") }
    let text: String
    switch engine {
    case .clickhouse:
      if input != nil {
        throw CommandExit(.wrongUsage, "--in does not work with --engine clickhouse, which keeps the events in a table")
      }
      text = ClickHouseStatements(database: database).tables
    case .duckdb: text = DuckDBStatements(input: try path()).text
    case .spark: text = SparkStatements.view(of: try path())
    case .local:
      throw CommandExit(.wrongUsage, "--engine local needs no preparation; run xferlog fleet replay --engine local")
    }
    let output = StandardOutput(descriptor: surroundings.output)
    output.buffer.append(text)
    try output.flush()
  }

  private func path() throws -> String {
    guard let input else { throw CommandExit(.wrongUsage, "name the files with --in") }
    return input
  }
}
