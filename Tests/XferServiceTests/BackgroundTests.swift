import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of background sessions with a real app process, a real daemon and a scripted server.
struct BackgroundTests {
  @Test(.timeLimit(.minutes(5)))
  func `A running app receives the files that the daemon downloads for it`() async throws {
    try await Device.run([.init("/a", .generated(100_000)), .init("/b", .generated(10, seed: 2))]) { device throws in
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

  @Test(.timeLimit(.minutes(5)))
  func `An app that exited is relaunched for its events and calls its completion handler`() async throws {
    try await Device.run([.init("/a", .generated(100_000))]) { device throws in
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

  @Test(.timeLimit(.minutes(5)))
  func `An upload continues after the app exits, and the app receives the response later`() async throws {
    try await Device.run([.init("/up", ScriptedResponse(status: 201, body: .text("receipt 7")))]) { device throws in
      let source = try device.directory.write([UInt8](repeating: 7, count: 300_000), to: "source")
      #expect(try device.app("until=resumed", "upload=\(source)", device.url("/up")).status == 0)
      try await device.until { device.said.filter { $0.hasPrefix("exit") }.count == 2 }
      #expect(device.said == ["exit 0", "woken probe", "body receipt 7", "completed 1 201", "events finished", "exit 0"])
      #expect(device.server.requests.map(\.requestBodyBytes) == [300_000])
      device.stopDaemon()
      #expect(try device.replay().findings.map(\.rule) == [])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `Without launch events, a session's results wait until the app is started`() async throws {
    try await Device.run([.init("/a", .generated(1000))]) { device throws in
      #expect(try device.app("until=resumed", "quiet=1", device.url("/a")).status == 0)
      try await device.until { device.spooled.contains { $0.hasSuffix(".body") } }
      let run = try device.app("until=drained", "quiet=1")
      #expect(run.status == 0)
      #expect(device.said == ["exit 0", "file a", "completed 1 200", "events finished", "exit 0"])
      #expect(device.spooled == [])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `New tasks after a relaunch do not reuse the numbers of pending tasks`() async throws {
    try await Device.run([.init("/a", .generated(1000)), .init("/b", .generated(2000))]) { device throws in
      #expect(try device.app("until=resumed", "quiet=1", device.url("/a")).status == 0)
      try await device.until { device.spooled.contains { $0.hasSuffix(".body") } }
      #expect(try device.app("until=rest", "quiet=1", device.url("/b")).status == 0)
      #expect(device.said.filter { $0.hasPrefix("completed") }.sorted() == ["completed 1 200", "completed 2 200"])
      #expect(device.file("a")?.count == 1000 && device.file("b")?.count == 2000)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `Task types unsupported in background sessions are rejected with advice`() async throws {
    try await Device.run([.init("/a", .generated(1000))]) { device throws in
      let run = try device.app("until=refused", device.url("/a"))
      #expect(run.status == 0)
      #expect(
        device.said == [
          "closure unsupportedInBackground", "data unsupportedInBackground", "memory unsupportedInBackground",
          "stream unsupportedInBackground", "second sessionInvalidated", "extension unsupportedInBackground",
          "invalid backgroundSessionInUse", "exit 0",
        ])
      device.stopDaemon()
      let refused = try device.events("task.rejected")
      #expect(
        refused.map { $0["rejection"] } == [
          "completionHandlerInBackground", "dataTaskInBackground", "bodyFromMemory", "bodyFromStream",
          "invalidSession", "missingContainer",
        ])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `The daemon retries after a network error, but delivers an HTTP error status`() async throws {
    let cut = ScriptedResponse(body: .generated(size: 50_000, seed: .value(1)), cut: .init(.afterBodyBytes(20_000)))
    try await Device.run([.init("/a", [cut, .generated(50_000)]), .init("/b", .status(503))]) { device throws in
      let run = try device.app(device.url("/a"), device.url("/b"))
      #expect(run.status == 0)
      #expect(device.file("a")?.count == 50_000)
      #expect(device.said.contains("completed 1 200") && device.said.contains("completed 2 503"))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A missing upload file fails its task but not the daemon`() async throws {
    try await Device.run([.init("/up", .status(200)), .init("/a", .generated(10))]) { device throws in
      let source = try device.directory.write([1, 2, 3], to: "source")
      #expect(try device.app("until=created", "upload=\(source)", device.url("/up")).status == 0)
      unlink(source)
      #expect(try device.app("until=rest").status == 0)
      #expect(device.said == ["exit 0", "completed 1 cannotOpenFile", "exit 0"])
      #expect(try device.app(device.url("/a")).status == 0)
    }
  }
}
