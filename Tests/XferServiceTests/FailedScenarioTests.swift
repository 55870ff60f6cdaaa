import Foundation
import LogTestSupport
import Testing

/// The postmortem of a scenario that fails.
@Suite struct FailedScenarioTests {
  @Test(.timeLimit(.minutes(2))) func `A failed scenario is explained and kept, and one that succeeds is not`() throws {
    let folder = TemporaryDirectory()
    let scenario = """
      scenario: one request is missing
      actors:
        reader: { app: Reader, registers: false, launch: [{ note: launched }] }
      steps:
        - launch: reader
        - wait: { event: app.noted }

      """
    func run(_ name: String, _ expectation: String) throws -> ToolRun {
      try Data((scenario + "expect: \(expectation)\n").utf8).write(to: URL(fileURLWithPath: folder.path("\(name).yaml")))
      let run = try ToolRun("xfer", ["scenario", "run", "--keep", folder.path(name), folder.path("\(name).yaml")])
      try FailedScenarios.explain(run, in: folder.path("kept"))
      return run
    }
    #expect(try run("good", "{ requests: 0 }").status == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("kept")))
    let failed = try run("bad", "{ requests: 7 }")
    #expect(failed.status == 1, "\(failed.text)\(failed.standardError)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("kept/bad")).sorted()
    #expect(
      files == [
        "gl-code-quality-report.json", "junit.xml", "log.xlog", "replay.json", "replay.txt", "summary.md", "xferlog.sarif",
      ])
    #expect(try String(contentsOfFile: folder.path("kept/bad/replay.txt"), encoding: .utf8).contains("verdict: "))
    #expect(try ToolRun("xferlog", ["show", folder.path("kept/bad/log.xlog")]).text.contains("app.noted"))
  }
}
