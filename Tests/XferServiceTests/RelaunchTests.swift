import Foundation
import LogTestSupport
import Testing
import XferScript

/// An app that is killed and launched again, in each way that its next life may go; what the replay makes of the log is what happened.
struct RelaunchTests {
  @Test(.timeLimit(.minutes(5)), arguments: Relaunch.all)
  func `The replayed graph and its findings are what happened`(_ relaunch: Relaunch) async throws {
    try await Device.run(relaunch.sessions.map { .init("/\($0)", .generated(1000)) }) { device throws in
      let graph = try await relaunch.happen(on: device)
      #expect(graph.lines == relaunch.truth, "\(relaunch)")
      #expect(graph.findings == relaunch.diagnosis, "\(relaunch)")
      let isTaken = relaunch.remake == .right || relaunch.remake == .late
      for name in relaunch.sessions { #expect((device.file(name) != nil) == isTaken, "\(relaunch)") }
    }
  }
}
