import Foundation
import LogTestSupport
import Testing
import XferScript

/// The sample app, its wrong ways, and what the replay makes of each; the right way is silent.
@Suite(.serialized) struct KettleTests {
  /// How the app is wrong, and what has to be found.
  private static let ways: [(way: String?, findings: [String])] = [
    (nil, []),
    ("never-call-handler", ["missed-completion-handler"]),
    ("call-handler-in-completion", ["completion-handler-called-off-main-thread", "completion-handler-called-too-early"]),
    ("session-in-view", ["session-not-recreated-after-relaunch"]),
    ("fresh-identifier", ["ephemeral-identifier"]),
    ("other-session", ["task-on-unintended-session"]),
    ("ignore-status", ["http-error-as-success"]),
    ("force-move", ["claim-failed-destination"]),
    ("move-later", ["temp-file-not-moved"]),
  ]

  @Test(.timeLimit(.minutes(5)), arguments: ways.indices)
  func `Each wrong way has its finding, and the right one none`(index: Int) async throws {
    let (way, findings) = Self.ways[index]
    let answer = way == "ignore-status" ? ScriptedResponse.status(404) : .generated(50_000)
    try await Device.run([.init("/pot", answer)]) { device throws in
      let wrong = way.map { ["--wrong", $0] } ?? []
      let run = try ToolRun(
        "kettle", ["fetch", "--into", device.path("files")] + wrong + [device.url("/pot")], environment: device.environment)
      #expect(run.status == 0, "\(run.standardError)")
      if way != "other-session" {
        try await device.until { try device.events("process.exitObserved").contains { $0["by"] == "daemon" } }
      }
      device.stopDaemon()
      let replay = try device.replay()
      // What follows from another finding is shown below that.
      let roots = Set(replay.findings.filter { $0.causedBy == nil }.map(\.rule)).sorted()
      #expect(roots == findings, "\(way ?? "right")")
      if way == nil { #expect(device.file("pot")?.count == 50_000) }
    }
  }
}
