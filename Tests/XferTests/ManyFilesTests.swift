import Foundation
import LogTestSupport
import Testing

/// Tests of many downloads from nginx.
struct ManyFilesTests {
  private static let files = 200
  private static let size = 1 << 20

  /// The output of `xferlog stats` for one rule.
  private struct Statistics: Decodable {
    let outcomes: [Outcome]
    let rules: [Rule]

    struct Outcome: Decodable {
      let outcome: String
      let tasks: Int
    }

    struct Rule: Decodable {
      let rule: String
      let findings: Int
      let undecidable: Int
      let inFlight: Int
      let silent: Int
    }
  }

  @Test
  func `Two hundred files from nginx arrive unchanged, and no rule reports a finding`() throws {
    let directory = TemporaryDirectory()
    let root = directory.path("www")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let noise = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
    for number in 1...Self.files {
      let bytes = try #require(try noise.read(upToCount: Self.size))
      try bytes.write(to: URL(fileURLWithPath: "\(root)/\(number).bin"))
    }
    let server = try WebServer(root: root)
    let list = (1...Self.files).map { server.url("/\($0).bin\n") }.joined()
    let environment = ["XFERLOG_DIR": directory.path("log.xlog"), "XDG_STATE_HOME": directory.path("state")]
    let run = try ToolRun(
      "xfer", ["get", "-s", "-i", "-", "--output-dir", directory.path("out")], input: Array(list.utf8), environment: environment)
    #expect(run.status == 0 && run.standardError == "", "\(run.standardError)")
    for number in 1...Self.files {
      let same = FileManager.default.contentsEqual(atPath: "\(root)/\(number).bin", andPath: directory.path("out/\(number).bin"))
      #expect(same, "\(number).bin")
    }

    let replay = try ToolRun("xferlog", ["replay", "-o", "json", directory.path("log.xlog")])
    let result = try ReplayResult(replay)
    #expect(replay.status == 0 && result.verdict == "clean" && result.findings.isEmpty)
    #expect(result.outcomes == ["succeeded": Self.files])

    let stats = try ToolRun("xferlog", ["stats", "-o", "json", directory.path("log.xlog")])
    let statistics = try JSONDecoder().decode(Statistics.self, from: Data(stats.standardOutput))
    #expect(statistics.outcomes.first { $0.outcome == "succeeded" }?.tasks == Self.files)
    for rule in statistics.rules {
      #expect(rule.findings == 0 && rule.undecidable == 0 && rule.inFlight == 0, "\(rule.rule)")
    }
    let silent = Dictionary(uniqueKeysWithValues: statistics.rules.map { ($0.rule, $0.silent) })
    for rule in ["lost-completion", "temp-file-not-moved", "truncated-body", "http-error-as-success"] {
      #expect(silent[rule] == Self.files, "\(rule) was evaluated for every task")
    }
    #expect(silent["crash-mid-transfer"] == 1)
    withExtendedLifetime(server) {}
  }
}
