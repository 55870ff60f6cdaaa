import Foundation
import LogTestSupport
import Testing

/// `xferlog replay --paths-from`: the verdicts of many logs as rows.
@Suite struct PathsReplayTests {
  private static var samples: [String] { get throws { try VerdictRows.samples } }

  @Test func `Each log has the tasks, findings and exit code of a replay of its own`() throws {
    let samples = try Self.samples
    #expect(samples.count >= 10)
    let run = try ToolRun.xferlog("replay", "--paths-from", "-", input: Array(samples.joined(separator: "\n").utf8))
    #expect(run.status == 0, "\(run.standardError)")
    let rows = try VerdictRows(run)
    rows.checkEnd(logs: samples.count, unreadable: 0)
    let keys = Set(rows.rows[0].keys)
    #expect(rows.rows.allSatisfy { Set($0.keys) == keys })
    for log in samples {
      let alone = try ToolRun.xferlog("replay", "-o", "json", log)
      let document = try #require(try JSONSerialization.jsonObject(with: Data(alone.standardOutput)) as? [String: Any])
      let verdict = try #require(rows.of("log", in: log).first)
      #expect(rows.of("log", in: log).count == 1)
      #expect(verdict["exitCode"] as? Int32 == alone.status && verdict["verdict"] as? String == document["verdict"] as? String)
      #expect(verdict["events"] as? Int == document["events"] as? Int)
      let tasks = document["tasks"] as? [[String: Any]] ?? []
      #expect(verdict["tasks"] as? Int == tasks.count)
      let found = rows.of("task", in: log)
      for name in ["uid", "session", "state", "outcome"] {
        #expect(found.map { $0[name] as? String } == tasks.map { $0[name] as? String })
      }
      let findings = document["findings"] as? [[String: Any]] ?? []
      #expect(verdict["findings"] as? Int == findings.count)
      for name in ["rule", "severity", "certainty", "fingerprint", "summary"] {
        #expect(rows.of("finding", in: log).map { $0[name] as? String } == findings.map { $0[name] as? String })
      }
    }
    // The same logs give the same bytes, from a file, too.
    let directory = TemporaryDirectory()
    let list = try directory.write(Array((samples.joined(separator: "\n") + "\n\n").utf8), to: "paths.txt")
    #expect(try ToolRun.xferlog("replay", "--paths-from", list).standardOutput == run.standardOutput)
  }

  @Test func `A log that cannot be read is one row, and the others are judged`() throws {
    let directory = TemporaryDirectory()
    let good = try RecordedLog.sample(in: directory, name: "good.xlog")
    let text = try directory.write(Array("no log at all".utf8), to: "text.txt")
    let flipped = try DamagedLog.flipped(in: directory)
    let paths = [
      directory.path("missing.xlog"), text, "-", flipped, good, String(repeating: "x", count: 5000), directory.path("*.xlog"),
    ]
    let run = try ToolRun.xferlog(
      "replay", "--paths-from", "-", input: Array(paths.joined(separator: "\n").utf8) + [0x0A, 0xFF, 0x0A])
    #expect(run.status == 2)
    #expect(run.remarks.last?.contains("6 of 8 logs could not be read") ?? false, "\(run.standardError)")
    let rows = try VerdictRows(run)
    rows.checkEnd(logs: 8, unreadable: 6)
    let verdicts = rows.of("log").map { $0["verdict"] as? String }
    #expect(verdicts.filter { $0 == "unreadable" }.count == 6)
    for row in rows.of("log") where row["verdict"] as? String == "unreadable" {
      #expect((row["problems"] as? [String])?.first?.isEmpty == false && row["exitCode"] as? Int == 2)
    }
    #expect(rows.of("task", in: good).count > 0)
    #expect((rows.of("log", in: flipped).first?["problems"] as? [String])?.isEmpty == false)
  }

  @Test func `No paths give only the last row`() throws {
    let run = try ToolRun.xferlog("replay", "--paths-from", "-", input: [])
    #expect(run.status == 0 && run.lines.count == 1)
    try VerdictRows(run).checkEnd(logs: 0, unreadable: 0)
  }

  @Test func `Rows of a log appear before the next path is given, and an end without all rows has no last row`() throws {
    let sample = try #require(try Self.samples.first)
    let run = try ToolRun.bash(
      """
      coproc "$xferlog" replay --paths-from -
      echo '\(sample)' >&"${COPROC[1]}"
      while read -r line <&"${COPROC[0]}"; do
        case $line in *'"kind":"log"'*) echo seen; break ;; esac
      done
      kill -KILL "$COPROC_PID"
      while read -r line <&"${COPROC[0]}"; do echo "$line"; done
      """)
    #expect(run.lines == ["seen"], "\(run.text)\(run.standardError)")
    // A full output ends the command with an error, though the log itself is readable.
    let full = try ToolRun.bash("for i in $(seq 200); do echo '\(sample)'; done | \"$xferlog\" replay --paths-from - > /dev/full")
    #expect(full.status == 2 && full.standardError.contains("cannot be written"), "\(full.standardError)")
  }

  @Test(arguments: [
    ["run.xlog"], ["-o", "json"], ["--at", "#1"], ["--last", "5m"], ["--ci"], ["--group-by", "rule"], ["--baseline", "x.yaml"],
  ])
  func `Options for one log are refused`(options: [String]) throws {
    let run = try ToolRun.xferlog(["replay", "--paths-from", "-"] + options, input: [])
    #expect(run.status == 2 && run.text == "" && run.standardError.contains("--paths-from"), "\(run.standardError)")
  }
}
