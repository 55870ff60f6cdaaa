import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests that kill and relaunch an app in many ways, and compare the replay of the log with the actual events.
struct RelaunchTests {
  @Test(.timeLimit(.minutes(5)), arguments: Relaunch.all)
  func `The replay of a relaunch matches the actual events and has the expected findings`(_ relaunch: Relaunch) async throws {
    try await Device.run(relaunch.sessions.map { .init("/\($0)", .generated(1000)) }) { device throws in
      let graph = try await relaunch.happen(on: device)
      #expect(graph.lines == relaunch.truth, "\(relaunch)")
      #expect(graph.findings == relaunch.diagnosis, "\(relaunch)")
      let isTaken = relaunch.remake == .right || relaunch.remake == .late
      for name in relaunch.sessions { #expect((device.file(name) != nil) == isTaken, "\(relaunch)") }
    }
  }
}
