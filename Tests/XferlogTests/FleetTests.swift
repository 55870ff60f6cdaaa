import Foundation
import LogTestSupport
import Testing

/// `xferlog fleet init` and `replay`: the statements for engines, and the engine of this machine.
@Suite struct FleetTests {
  private let directory = TemporaryDirectory()

  private func fleet(_ arguments: String..., input: [UInt8]? = nil) throws -> ToolRun {
    try ToolRun.xferlog(["fleet"] + arguments, input: input)
  }

  // MARK: This machine

  @Test func `Several processes print the bytes of one process`() throws {
    let paths = try directory.write(Array(VerdictRows.samples.joined(separator: "\n").utf8), to: "paths.txt")
    let one = try ToolRun.xferlog("replay", "--paths-from", paths)
    for jobs in ["1", "3"] {
      let run = try fleet("replay", "--in", paths, "--jobs", jobs)
      #expect(run.status == 0 && run.standardOutput == one.standardOutput, "\(jobs): \(run.standardError)")
    }
    let out = directory.path("verdicts.ndjson")
    #expect(try fleet("replay", "--in", paths, "--out", out).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == Data(one.standardOutput))
    #expect(try fleet("replay", "--in", paths, "--out", out).status == 2)

    let events = try ShippedEvents()
    let lines = events.shuffled(seed: 5)
    let whole = try ToolRun.xferlog("replay", "--stdin", input: ShippedEvents.input(lines))
    let halves = try [lines.prefix(lines.count / 2), lines.dropFirst(lines.count / 2)].enumerated().map {
      try directory.write(ShippedEvents.input($1), to: "events-\($0)")
    }
    let split = try fleet(
      "replay", "--by", "event", "--jobs", "3", "--in", halves[0], "--in", "-",
      input: ShippedEvents.input(lines.dropFirst(lines.count / 2)))
    #expect(split.status == 0 && split.standardOutput == whole.standardOutput, "\(split.standardError)")
  }

  @Test func `Logs and lines that cannot be read are counted, and the others are judged`() throws {
    let samples = try VerdictRows.samples
    let paths = try directory.write(Array((samples + [directory.path("missing")]).joined(separator: "\n").utf8), to: "paths.txt")
    let run = try fleet("replay", "--in", paths, "--jobs", "2")
    #expect(
      run.status == 2
        && run.remarks == [
          "xferlog: exit 2 (failed): 1 of \(samples.count + 1) logs could not be read; see the rows with the verdict unreadable"
        ], "\(run.standardError)")
    try VerdictRows(run).checkEnd(logs: samples.count + 1, unreadable: 1)
    let events = try ShippedEvents(["clean-run"])
    let bad = try fleet("replay", "--by", "event", "--in", "-", input: ShippedEvents.input(events.lines + ["x"]))
    #expect(
      bad.status == 2 && bad.standardError.contains("1 of \(events.lines.count + 1) lines could not be read"),
      "\(bad.standardError)")
    try VerdictRows(bad).checkEnd(logs: 1, unreadable: 0)
    // Rules that cannot be read end every process, so there are no rows at all.
    let failed = try fleet("replay", "--in", paths, "--rules", directory.path("rules.yaml"))
    #expect(failed.status == 2 && failed.text == "", "\(failed.text)")
    // Each process's own message states the reason.
    #expect(failed.remarks.first?.contains("rules.yaml") == true && failed.standardError.contains("see its message above"))
  }

  // MARK: Statements

  @Test func `The statements for Spark check every process, and quote what they name`() throws {
    let path = try fleet(
      "replay", "--engine", "spark", "--in", "/lake/it's`.txt", "--out", "/lake/o\\ut'", "--dry-run", "--program",
      "/opt/x f'/xferlog")
    #expect(path.status == 0, "\(path.standardError)")
    for part in [
      "FROM text.`/lake/it's``.txt`", "INSERT OVERWRITE DIRECTORY '/lake/o\\\\ut\\''", "REPARTITION(200, value)",
      "USING '\\'/opt/x f\\'\\\\\\'\\'/xferlog\\' replay --paths-from -'", "assert_true(", "$.logs",
    ] { #expect(path.text.contains(part), "\(part): \(path.text)") }
    let event = try fleet(
      "replay", "--engine", "spark", "--by", "event", "--in", "/lake/events", "--out", "/lake/v", "--dry-run", "--memory",
      "64MiB",
      "--partitions", "7", "--limit", "lost-completion.patience=30s")
    for part in [
      "DISTRIBUTE BY app, device, session", "'xferlog replay --stdin --limit lost-completion.patience=30s --memory 64MiB'",
      "$.lines",
      "SET spark.sql.shuffle.partitions=7;", "SET spark.sql.adaptive.localShuffleReader.enabled=false;",
    ] { #expect(event.text.contains(part), "\(part): \(event.text)") }
    // The check comes before the verdicts are written.
    let order = ["CACHE TABLE", "assert_true", "INSERT OVERWRITE"].compactMap { event.text.range(of: $0)?.lowerBound }
    #expect(order.count == 3 && order == order.sorted())
    #expect(try fleet("init", "--engine", "spark", "--in", "/lake/v").text.contains("USING json OPTIONS (path '/lake/v')"))
  }

  @Test func `The statements for ClickHouse check the exit code and the last row`() throws {
    let replay = try fleet("replay", "--engine", "clickhouse", "--dry-run", "--database", "trips")
    for part in [
      "check_exit_code = 1", "command_read_timeout = 600000", "throwIf(",
      "SELECT line FROM trips.events ORDER BY app, device, session",
      "'xferlog replay --stdin --grouped'", "EXCHANGE TABLES trips.replayed_rows AND trips.verdict_rows",
    ] { #expect(replay.text.contains(part), "\(part): \(replay.text)") }
    let order = ["executable(", "throwIf(", "EXCHANGE TABLES"].compactMap { replay.text.range(of: $0)?.lowerBound }
    #expect(order.count == 3 && order == order.sorted())
    let tables = try fleet("init", "--engine", "clickhouse").text
    for name in [
      "TABLE IF NOT EXISTS xferlog.events", "VIEW xferlog.verdicts", "VIEW xferlog.lost_completions",
      "VIEW xferlog.task_outcomes",
    ] {
      #expect(tables.contains(name))
    }
    #expect(try fleet("init", "--engine", "duckdb", "--in", "a'b\\*.ndjson").text.contains("read_ndjson('a''b\\*.ndjson'"))
  }

  /// A client that notes what it is given, and exits with a code.
  private func client(exit code: Int) throws -> String {
    let script =
      "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(directory.path("arguments"))'\ncat > '\(directory.path("input"))'\necho result\nexit \(code)\n"
    let path = try directory.write(Array(script.utf8), to: "client-\(code)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test func `A client runs the statements, and its failure is that of the command`() throws {
    let good = try client(exit: 0)
    let run = try fleet("replay", "--engine", "clickhouse", "--client", "\(good) --host 'a b'")
    #expect(run.status == 0 && run.text == "", "\(run.standardError)")
    #expect(try String(contentsOfFile: directory.path("arguments"), encoding: .utf8) == "--host\na b\n--multiquery\n")
    let printed = try fleet("replay", "--engine", "clickhouse", "--dry-run")
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("input"))) == Data(printed.standardOutput))
    let spark = try fleet(
      "replay", "--engine", "spark", "--master", "spark://h:7077", "--in", "/a", "--out", "/b", "--client", good)
    #expect(spark.status == 0, "\(spark.standardError)")
    let words = try String(contentsOfFile: directory.path("arguments"), encoding: .utf8).split(separator: "\n")
    #expect(words.prefix(3) == ["--master", "spark://h:7077", "-f"] && words.count == 4)
    let bad = try fleet("replay", "--engine", "clickhouse", "--client", client(exit: 3))
    #expect(
      bad.status == 2 && bad.standardError.contains("failed (exit 3), so there are no new verdicts"), "\(bad.standardError)")
    let missing = try fleet("replay", "--engine", "spark", "--in", "/a", "--out", "/b", "--client", "/missing/spark-sql")
    #expect(missing.status == 2 && missing.standardError.contains("was not found; install it"), "\(missing.standardError)")
  }

  @Test(arguments: [
    ["replay"], ["replay", "--engine", "duckdb"], ["replay", "--engine", "clickhouse", "--in", "x"],
    ["replay", "--engine", "clickhouse", "--by", "path"], ["replay", "--engine", "spark", "--in", "x"],
    ["replay", "--engine", "spark", "--in", "x", "--in", "y", "--out", "z"], ["replay", "--in", "x", "--master", "y"],
    ["replay", "--in", "x", "--memory", "1MiB"], ["replay", "--in", "x", "--jobs", "0"], ["replay", "--in", "x", "--dry-run"],
    ["replay", "--engine", "clickhouse", "--database", "a;b", "--dry-run"],
    ["replay", "--engine", "clickhouse", "--rules", "my rules.yaml", "--dry-run"],
    ["replay", "--engine", "spark", "--in", "a\nb", "--out", "z", "--dry-run"], ["init", "--engine", "local"],
    ["init", "--engine", "duckdb"],
    ["init", "--engine", "clickhouse", "--in", "x"],
  ])
  func `Options that do not fit are refused`(arguments: [String]) throws {
    let run = try ToolRun.xferlog(["fleet"] + arguments)
    #expect(run.status == 2 && run.text == "" && !run.standardError.isEmpty, "\(run.standardError)")
  }
}
