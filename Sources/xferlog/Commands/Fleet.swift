import ArgumentParser

struct Fleet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Replay and compare the logs of many devices.",
    discussion: """
      Apache Spark, ClickHouse, or the processors of this machine do the work. See the article Replaying many logs.

      Examples:

        xferlog fleet replay --engine local --in paths.txt --out verdicts.ndjson
        xferlog fleet report verdicts.ndjson
        xferlog fleet init --engine clickhouse | clickhouse-client --multiquery
      """,
    subcommands: [FleetReplay.self, FleetReport.self, FleetInit.self])
}
