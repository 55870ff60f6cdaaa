import Foundation
import LogTestSupport
import Testing

/// `xferlog replay --stdin`: the verdicts about the events of many logs, which arrive in any order.
@Suite struct LinesReplayTests {
  private let directory = TemporaryDirectory()

  private func replay(_ lines: some Sequence<String>, _ options: String...) throws -> ToolRun {
    try ToolRun.xferlog(["replay", "--stdin"] + options, input: ShippedEvents.input(lines))
  }

  @Test func `Events in any order give the verdicts of the logs, byte for byte, with little memory, too`() throws {
    let events = try ShippedEvents()
    let run = try replay(events.lines)
    #expect(run.status == 0, "\(run.standardError)")
    let rows = try VerdictRows(run)
    let samples = try VerdictRows.samples
    rows.checkEnd(logs: samples.count, unreadable: 0)
    #expect(rows.end["lines"] as? Int == events.lines.count && rows.end["duplicates"] as? Int == 0)
    // The groups come in the order of their names.
    let logs = rows.of("log").compactMap { $0["log"] as? String }
    #expect(logs == logs.sorted() && logs.count == samples.count)

    let paths = try ToolRun.xferlog("replay", "--paths-from", "-", input: Array(samples.joined(separator: "\n").utf8))
    let renamed = try VerdictRows(paths).lines.dropLast().map { line in
      samples.reduce(line) {
        $0.replacing("\"log\":\"\($1)\"", with: "\"log\":\"maps/\($1.split(separator: "/").dropLast().last ?? "")\"")
      }
    }
    #expect(rows.verdicts == renamed.sorted())

    for seed in [1, 2] as [UInt64] {
      #expect(try replay(events.shuffled(seed: seed)).standardOutput == run.standardOutput, "seed \(seed)")
    }
    // The events take 2 MiB, so that they are written to files three times.
    let bounded = try replay(events.shuffled(seed: 3), "--memory", "4MiB")
    #expect(bounded.standardOutput == run.standardOutput && bounded.status == 0)
  }

  @Test func `Batches with a state give the verdicts of all events together, and a batch may come twice`() throws {
    let events = try ShippedEvents()
    let whole = try VerdictRows(replay(events.lines))
    let lines = events.shuffled(seed: 4)
    let quarter = lines.count / 4
    let batches = (0..<3).map { Array(lines[$0 * quarter..<($0 + 1) * quarter]) } + [Array(lines[(3 * quarter)...])]
    let state = directory.path("state")
    var input: [String] = []
    // The second batch is delivered again, in another order.
    for batch in [batches[0], batches[1], Array(batches[1].reversed()), batches[2]] {
      let run = try ToolRun.xferlog(
        ["replay", "--stdin", "--state-out", state] + input, input: ShippedEvents.input(batch))
      #expect(run.status == 0, "\(run.standardError)")
      try VerdictRows(run).checkEnd(logs: 0, unreadable: 0)
      input = ["--state-in", state]
    }
    let last = try VerdictRows(
      ToolRun.xferlog(["replay", "--stdin"] + input, input: ShippedEvents.input(batches[3])))
    #expect(last.verdicts == whole.verdicts)
    last.checkEnd(logs: whole.of("log").count, unreadable: 0)
    #expect(last.end["lines"] as? Int == batches[3].count && last.end["carriedGroups"] as? Int == 0)
    // The schema of the state's own rows.
    let rows = try String(contentsOfFile: state, encoding: .utf8).split(separator: "\n").filter { $0.contains("carried/1") }
    let schema = try directory.write(ToolRun.xferlog("schema", "--document", "carried").standardOutput, to: "carried.json")
    for row in rows {
      let document = try directory.write(Array(row.utf8), to: "row.json")
      let check = try ToolRun(ExportTools.python, [ExportTools.script("validate-json"), schema, document])
      #expect(check.status == 0, "\(check.standardError)\(check.text)")
    }
  }

  @Test func `Open logs have interim verdicts, closed ones have final verdicts, and late events are refused`() throws {
    let events = try ShippedEvents(["clean-run", "killed-before-delivery"])
    let state = directory.path("state")
    // Both logs are from the same day. Their last events are some seconds apart.
    let interim = try replay(events.lines, "--state-out", state, "--close-before", "2020-01-01", "--interim")
    let open = try VerdictRows(interim)
    #expect(interim.status == 0 && open.end["carriedGroups"] as? Int == 2)
    #expect(open.rows.dropLast().allSatisfy { $0["final"] as? Bool == false } && open.of("log").count == 2)
    let whole = try VerdictRows(replay(events.lines))
    #expect(open.verdicts.map { $0.replacing("\"final\":false", with: "\"final\":true") } == whole.verdicts)

    // Without new events, an open log is not judged again.
    let again = try VerdictRows(replay([], "--state-in", state, "--state-out", state, "--interim"))
    #expect(again.lines.count == 1)

    let closing = try replay([], "--state-in", state, "--state-out", state, "--close-before", "now")
    #expect(try VerdictRows(closing).verdicts == whole.verdicts)
    // All events again are duplicates. Later events of the same process lives are late.
    let known = try VerdictRows(replay(events.lines, "--state-in", state, "--state-out", state))
    #expect(known.lines.count == 1 && known.end["duplicates"] as? Int == events.lines.count)
    let closed = try Data(contentsOf: URL(fileURLWithPath: state))
    let late = try #require(events.of("clean-run").last).replacing(/"seq":(\d+)/) { "\"seq\":\((Int($0.1) ?? 0) + 1)" }
    let refused = try replay([late], "--state-in", state, "--state-out", state)
    #expect(refused.status == 2 && refused.standardError.contains("1 of 1 group could not be judged"))
    #expect(try VerdictRows(refused).of("log").first.map { "\($0["problems"] ?? "")" }?.contains("arrived late") ?? false)
    #expect(try Data(contentsOf: URL(fileURLWithPath: state)) == closed)
    // Another process life of the same device is a log of its own.
    let relaunched = events.of("clean-run").map { $0.replacing(/[0-9a-f]{8}-([0-9a-f]{4})/) { "00000000-\($0.1)" } }
    let fresh = try VerdictRows(replay(relaunched, "--state-in", state))
    #expect(fresh.of("log").compactMap { $0["log"] as? String } == ["maps/clean-run"])
  }

  @Test func `Bad lines and contradictions are counted, the others are judged, and no state is written`() throws {
    let events = try ShippedEvents(["clean-run", "killed-before-delivery"])
    let state = directory.path("state")
    let changed = try #require(events.of("clean-run").last).replacing("\"dropped\":0", with: "\"dropped\":1")
    let bad = [
      "", "no event", "{\"schema\":\"xferlog.event/1\"}", "{\"schema\":\"other/1\",\"event\":\"task.created\"}",
      events.lines[0] + "x",
      String(events.lines[0].dropLast(5)), String(repeating: "x", count: 1 << 21),
    ]
    let run = try replay(events.lines + bad, "--state-out", state)
    #expect(run.status == 2 && !FileManager.default.fileExists(atPath: state))
    #expect(run.standardError.contains("6 of \(events.lines.count + 6) lines could not be read"), "\(run.standardError)")
    #expect(run.remarks.filter { $0.contains("is refused") }.count == 5)
    #expect(try VerdictRows(run).end["unreadableLines"] as? Int == 6)

    let contradicting = try replay(events.lines + [changed])
    let rows = try VerdictRows(contradicting)
    #expect(contradicting.status == 2)
    rows.checkEnd(logs: 2, unreadable: 1)
    let problems = rows.of("log", in: "maps/clean-run").first?["problems"] as? [String]
    #expect(problems?.first?.contains("two different events are number") ?? false)
    #expect(rows.of("task", in: "maps/clean-run").isEmpty && !rows.of("task", in: "maps/killed-before-delivery").isEmpty)
  }

  @Test func `Grouped events are judged while others are missing, and ungrouped ones are refused`() throws {
    let events = try ShippedEvents(["clean-run", "killed-before-delivery"])
    let file = try directory.write(
      ShippedEvents.input(events.of("clean-run") + [events.of("killed-before-delivery")[0]]), to: "events")
    let run = try ToolRun.bash(
      """
      coproc "$xferlog" replay --stdin --grouped
      cat '\(file)' >&"${COPROC[1]}"
      while read -r line <&"${COPROC[0]}"; do
        case $line in *'"kind":"log"'*) echo seen; break ;; esac
      done
      kill -KILL "$COPROC_PID"
      """)
    #expect(run.lines == ["seen"], "\(run.text)\(run.standardError)")
    let grouped = try replay(events.lines, "--grouped")
    #expect(try VerdictRows(grouped).verdicts == VerdictRows(replay(events.lines)).verdicts)
    let mixed = try replay(events.lines + [events.lines[0]], "--grouped")
    #expect(mixed.status == 2 && mixed.standardError.contains("the lines are not grouped"))
    #expect(!mixed.text.contains("\"kind\":\"end\""))
  }

  @Test func `A log with more events than memory is refused`() throws {
    let events = try ShippedEvents(["clean-run", "hundred-tasks-five-at-a-time"])
    let run = try replay(events.lines, "--memory", "1MiB")
    #expect(run.status == 2)
    let rows = try VerdictRows(run)
    rows.checkEnd(logs: 2, unreadable: 1)
    let refused = rows.of("log", in: "maps/hundred-tasks-five-at-a-time").first
    #expect((refused?["problems"] as? [String])?.first?.contains("raise --memory") ?? false)
    #expect(rows.of("log", in: "maps/clean-run").first?["verdict"] as? String == "clean")
  }

  @Test func `Nothing remains of the files of a run that is terminated, and no file has a name while it runs`() throws {
    let events = try directory.write(ShippedEvents.input(ShippedEvents().lines), to: "events")
    let scratch = directory.path("scratch")
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    // The pipe takes 64 KiB, so when `cat` ends, the tool has read the rest and written it to files.
    let run = try ToolRun.bash(
      """
      export TMPDIR='\(scratch)'
      coproc "$xferlog" replay --stdin --memory 1MiB
      cat '\(events)' >&"${COPROC[1]}"
      ls /proc/$COPROC_PID/fd -l | grep -c "run-.*deleted"
      find "$TMPDIR" -type f | wc -l
      kill -TERM "$COPROC_PID"
      wait "$COPROC_PID"
      find "$TMPDIR" -mindepth 1 | wc -l
      """)
    let counts = run.lines.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    #expect(
      counts.count == 3 && counts.first ?? 0 > 0 && counts.dropFirst().allSatisfy { $0 == 0 }, "\(run.text)\(run.standardError)")
  }

  @Test func `A state that was cut or changed is refused`() throws {
    let events = try ShippedEvents(["clean-run"])
    let state = directory.path("state")
    #expect(try replay(events.lines, "--state-out", state).status == 0)
    let whole = try String(contentsOfFile: state, encoding: .utf8)
    let lines = whole.split(separator: "\n").map(String.init)
    for damaged in [
      "", lines.dropLast().joined(separator: "\n"), lines.dropFirst().joined(separator: "\n"),
      whole.replacing("default", with: "fault"),
      whole + lines[0],
    ] {
      let path = try directory.write(Array(damaged.utf8), to: "damaged")
      let run = try replay([], "--state-in", path)
      #expect(run.status == 2 && run.text == "" && run.standardError.contains("is not a complete state"), "\(run.standardError)")
    }
    #expect(try replay([], "--state-in", directory.path("missing")).status == 2)
  }

  @Test func `An export without names is one log, and names cannot collide`() throws {
    let lines = try ShippedEvents.exported(try #require(VerdictRows.samples.first))
    #expect(try VerdictRows(replay(lines)).of("log").map { $0["log"] as? String } == ["-"])
    func named(_ app: String, _ device: String) -> [String] {
      lines.map {
        $0.replacing("{\"schema\"", with: "{\"app\":\"\(app)\",\"device\":\"\(device)\",\"schema\"", maxReplacements: 1)
      }
    }
    let rows = try VerdictRows(replay(named("a/b", "c") + named("a", "b/c") + named("a", "%2F\\n")))
    #expect(rows.of("log").map { $0["log"] as? String } == ["a%2Fb/c", "a/%252F%0A", "a/b%2Fc"])
    #expect(rows.of("log").allSatisfy { $0["verdict"] as? String == "clean" || $0["verdict"] as? String == "findings" })
  }

  @Test func `An export names the log of each line`() throws {
    let log = try #require(VerdictRows.samples.first)
    let plain = try ToolRun.xferlog("export", "--format", "ndjson", log)
    let named = try ToolRun.xferlog("export", "--format", "ndjson", "--app", "a\"b", "--device", "d/1", log)
    let suffix = ",\"app\":\"a\\\"b\",\"device\":\"d/1\"}"
    #expect(named.lines == plain.lines.map { $0.dropLast() + suffix })
    // Reading the lines again needs no names, and the verdicts name the log.
    let rows = try VerdictRows(replay(named.lines))
    #expect(rows.of("log").map { $0["log"] as? String } == ["a\"b/d%2F1"])
    for options in [["--format", "csv"], ["--otlp-endpoint", "http://127.0.0.1:1"]] {
      #expect(try ToolRun.xferlog(["export", "--app", "a"] + options + [log]).status == 2)
    }
  }

  @Test(arguments: [
    ["run.xlog"], ["-o", "json"], ["--at", "#1"], ["--last", "5m"], ["--paths-from", "-"], ["--recovery", "salvage"],
    ["--memory", "1KiB"],
    ["--interim"], ["--close-before", "now"], ["--grouped", "--state-out", "x"], ["--state-in", "-"], ["--state-out", "-"],
    ["--state-out", "x", "--close-before", "someday"],
  ])
  func `Options that do not fit are refused`(options: [String]) throws {
    let run = try ToolRun.xferlog(["replay", "--stdin"] + options, input: [])
    #expect(run.status == 2 && run.text == "" && !run.standardError.isEmpty, "\(run.standardError)")
  }
}
