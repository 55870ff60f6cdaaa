import Foundation
import LogTestSupport
import Testing
import XferScript

/// Background sessions with real processes: an app, a daemon, a server.
struct BackgroundTests {
  @Test(.timeLimit(.minutes(1)))
  func `What an app fetches in the background is there when it stays`() async throws {
    try await Device.run([.init("/a", .generated(100_000)), .init("/b", .generated(10, seed: 2))]) { device in
      let run = try device.app(device.url("/a"), device.url("/b"))
      #expect(run.status == 0, "\(run.standardError)")
      #expect(device.file("a")?.count == 100_000)
      #expect(device.file("b")?.count == 10)
      #expect(device.said.filter { $0.hasPrefix("completed") }.sorted() == ["completed 1 200", "completed 2 200"])
      device.stopDaemon()
      let replay = try device.replay()
      #expect(replay.findings.map(\.rule) == [])
      #expect(replay.tasks.map(\.outcome) == ["succeeded", "succeeded"])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `An app that ends is launched for its events, and hands its handler back`() async throws {
    try await Device.run([.init("/a", .generated(100_000))]) { device in
      #expect(try device.app("until=resumed", device.url("/a")).status == 0)
      try await device.until { device.said.filter { $0.hasPrefix("exit") }.count == 2 }
      #expect(
        device.said == ["exit 0", "woken probe", "file a", "completed 1 200", "events finished", "exit 0"])
      #expect(device.file("a")?.count == 100_000)
      device.stopDaemon()
      let replay = try device.replay()
      #expect(replay.findings.map(\.rule) == [])
      #expect(replay.tasks.map(\.outcome) == ["succeeded"])
    }
  }
}
