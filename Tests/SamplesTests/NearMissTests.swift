import LogTestSupport
import Testing

/// Tests that record each sample's scenario with its fault corrected and expect no finding.
struct NearMissTests {
  /// The names of recordings that correspond to a sample without its fault.
  static let nearMisses = [
    "not-found-seen", "reset-seen", "file-moved", "killed-when-idle", "killed-after-delivery", "completion-handler-called",
    "moved-over-the-old-one", "resume-data-awaited", "hundred-tasks-with-a-limit", "progress-of-the-task",
  ]

  @Test(arguments: nearMisses)
  func `A corrected scenario has no findings`(_ name: String) throws {
    let directory = TemporaryDirectory()
    let run = try Sample.record([name], to: directory)
    #expect(run.status == 0, "\(run.standardError)")
    let replayed = try Replayed(log: directory.path("\(name)/log.xlog"))
    #expect(replayed.findings.map(\.rule) == [])
    #expect(replayed.verdict == "clean" && replayed.complete && replayed.exitCode == 0)
    #expect(!replayed.tasks.isEmpty && replayed.tasks.allSatisfy { ["succeeded", "failed", "cancelled"].contains($0.outcome) })
  }

  @Test
  func `A file that the app moves too late is reported with certainty`() throws {
    let directory = TemporaryDirectory()
    #expect(try Sample.record(["file-moved-too-late"], to: directory).status == 0)
    let expected = Expectation(
      exit: 1, verdict: "findings", complete: true, processes: ["app closed"], tasks: ["succeeded": 2],
      findings: [
        .init(
          "temp-file-not-moved", severity: "critical", certainty: "certain", task: "podcasts/2",
          evidence: ["file.offered", "delivery.entered", "delivery.left", "file.reaped", "file.claimed"])
      ])
    #expect(try Replayed(log: directory.path("file-moved-too-late/log.xlog")).differences(from: expected) == [])
  }

  @Test
  func `Every recording of the recorder is covered by a test`() throws {
    let known = try Sample.recordable()
    #expect(Set(known) == Set(Sample.all.map(\.name) + Self.nearMisses + ["file-moved-too-late"]))
  }

  @Test
  func `An unknown sample name is rejected with a hint to the list of names`() throws {
    let run = try ToolRun("sample-recorder", ["record", "no-such-sample"])
    #expect(run.status != 0)
    #expect(run.standardError.contains("unknown sample no-such-sample"))
    #expect(run.standardError.contains("sample-recorder list"))
  }
}
