import Foundation
import LogTestSupport
import Synchronization
import Testing

/// Tests of the sample app's scenarios, with and without defects and with their expected findings, and of the errors of `xfer
/// scenario`.
@Suite(.serialized) struct ScenarioTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Samples/Kettle/Scenarios").path

  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

  /// Each scenario with a defect has a counterpart without it, which has the same number or is `right.yaml`.
  @Test func `Each defect of the sample app has a scenario`() throws {
    let ways = try String(contentsOfFile: "\(Self.folder)/../WrongWay.swift", encoding: .utf8)
      .matches(of: /= "([a-z-]+)"/).map { String($0.1) }
    let told = try Self.names.map { try String(contentsOfFile: "\(Self.folder)/\($0)", encoding: .utf8) }.joined()
    #expect(ways.count == 15)
    for way in ways { #expect(told.contains("--wrong, \(way)"), "\(way)") }
  }

  @Test(.timeLimit(.minutes(5)), arguments: names)
  func `Each scenario has exactly its expected findings`(name: String) throws {
    let run = try ToolRun("xfer", ["scenario", "run", "\(Self.folder)/\(name)"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    try FailedScenarios.explain(run)
    #expect(run.status == 0, "\(name): \(run.text)\(run.standardError)")
    #expect(run.text.hasPrefix("ok    "), "\(name)")
  }

  private func run(_ yaml: String, _ options: String...) throws -> ToolRun {
    let folder = TemporaryDirectory()
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: folder.path("s.yaml")))
    return try ToolRun("xfer", ["scenario", "run"] + options + [folder.path("s.yaml")])
  }

  @Test(.timeLimit(.minutes(2))) func `An app that outlives the daemon ends with its scenario`() throws {
    let folder = TemporaryDirectory()
    let run = try run(
      """
      scenario: an app outlives the daemon that launched it
      actors:
        reader: { app: Reader, registers: false, launch: [{ note: launched }] }
      steps:
        - launch: reader
        - wait: { event: app.noted }
        - daemon: stop
      """, "--keep", folder.path("kept"))
    #expect(run.status == 0, "\(run.text)\(run.standardError)")
    let programs = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int32($0) != nil }
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe") }
    #expect(!programs.contains { $0.hasPrefix(folder.path("kept")) })
  }

  @Test(.timeLimit(.minutes(2))) func `A failed expectation is reported and the log is kept`() throws {
    let folder = TemporaryDirectory()
    let run = try run(
      """
      scenario: nothing is as expected
      routes: [{ path: /pot, respond: { body: { size: 10, seed: 1 } } }]
      steps:
        - launch: [kettle, fetch, --into, $FILES, $SERVER/pot]
        - wait: { exit: kettle, count: 2 }
      expect:
        findings: [lost-completion]
        ends: { kettle: [exitCall 0] }
        tasks: { failed: 1 }
        files: { pot: { size: 10, seed: 2 }, other: { size: 1 } }
        no-files: [pot]
        requests: 2
        events: [{ event: file.offered, with: { size: 11 } }]
        no-events: [{ event: task.created }]
      """, "--keep", folder.path("kept"))
    #expect(run.status == 1)
    for line in [
      "FAIL  nothing is as expected", "findings: expected lost-completion, found none",
      "ends of kettle: expected exitCall 0, found",
      "tasks: expected 1 failed, found 1 succeeded", "the file pot differs from byte 0 on", "the file other is missing",
      "the file pot exists but must not", "requests: expected 2, found 1", "no event matches file.offered size=11",
      "1 unexpected events match task.created",
      "The log is in \(folder.path("kept"))/log.xlog.",
    ] {
      #expect(run.text.contains(line), "\(line)\n\(run.text)")
    }
    #expect(FileManager.default.fileExists(atPath: folder.path("kept/log.xlog")))
  }

  /// Whether a kill tears a record is random, so a scenario may list the `log-tail-torn` finding but need not.
  @Test(.timeLimit(.minutes(2)), arguments: ["", "log-tail-torn"])
  func `A torn record does not fail a scenario`(named: String) throws {
    let folder = TemporaryDirectory()
    let kept = folder.path("kept")
    let yaml = """
      scenario: torn
      routes: [{ path: /pot, respond: { body: { size: 10, seed: 1 } } }]
      steps:
        - launch: [kettle, fetch, --stay, --into, $FILES, $SERVER/pot]
        - wait: { file: pot }
        - kill: kettle
        - wait: { exit: kettle }
        - run: [touch, $FILES/killed]
        - wait: { file: torn }
      expect: { findings: [\(named)] }
      """
    // Runs on a separate thread, because the few threads of the concurrency pool may all be blocked by other tests' processes.
    let ended = Mutex<ToolRun?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let outcome = try? self.run(yaml, "--keep", kept)
      ended.withLock { $0 = outcome }
      isOver.signal()
    }
    let start = ContinuousClock.now
    while !FileManager.default.fileExists(atPath: "\(kept)/files/killed") {
      try #require(ContinuousClock.now - start < .seconds(60))
      usleep(5_000)
    }
    let segments = try FileManager.default.contentsOfDirectory(atPath: "\(kept)/log.xlog").filter { $0.hasSuffix(".seg") }
    let ofApp = URL(fileURLWithPath: "\(kept)/log.xlog/\(try #require(segments.max()))")
    var segment = SegmentDraft(Array(try Data(contentsOf: ofApp)))
    let chunk = try #require(segment.chunks.lastIndex { !$0.isDictionary })
    segment.chunks[chunk].torn = [0, 0, 0, 0, 1, 2, 3, 4]
    try Data(segment.bytes()).write(to: ofApp)
    try Data().write(to: URL(fileURLWithPath: "\(kept)/files/torn"))
    isOver.wait()
    let outcome = try #require(ended.withLock { $0 })
    #expect(outcome.text == "ok    torn\n", "\(outcome.text) \(outcome.standardError)")
  }

  @Test(arguments: [
    ("scenario: x", "`steps` is missing"),
    ("steps: []", "`scenario` is missing"),
    ("scenario: x\nsteps:\n  - lanch: [kettle]", "Did you mean `launch`?"),
    ("scenario: x\nsteps:\n  - launch: [kettle]\n    exit: 1", "`exit` is not an option of `launch`"),
    ("scenario: x\nsteps:\n  - kill: a\n    wait: { exit: a }", "cannot be combined"),
    ("scenario: x\nsteps:\n  - wait: { count: 2 }", "the wait does not say what to wait for"),
    ("scenario: x\nsteps:\n  - conditions: { clock: 10m }", "is not a clock advance"),
    ("scenario: x\nsteps:\n  - conditions: { battery: 101 }", "is not a battery level"),
    ("scenario: x\nsteps:\n  - daemon: explode", "Write one of: start, stop, kill"),
    ("scenario: [", "invalid YAML"),
    ("", "the file is empty"),
  ])
  func `An invalid scenario is rejected with the file and line`(yaml: String, problem: String) throws {
    let run = try run(yaml)
    #expect(run.status == 2)
    #expect(run.standardError.contains(problem) && run.standardError.contains("s.yaml"), "\(run.standardError)")
  }

  @Test(.timeLimit(.minutes(2))) func `A failed step is reported with its place`() throws {
    for (step, problem) in [
      ("launch: [no-such-program]", "the program no-such-program was found neither"),
      ("kill: kettle", "no app named kettle was launched before"),
      ("wait: { event: task.created, within: 10ms }", "timed out after 0.01 seconds waiting for task.created"),
      ("run: [\"false\"]", "false exited with 1, expected 0"),
    ] {
      let run = try run("scenario: x\nsteps:\n  - \(step)\n")
      #expect(run.status == 1, "\(step)")
      #expect(run.text.contains("s.yaml:3:5: \(problem)"), "\(run.text)")
    }
  }
}
