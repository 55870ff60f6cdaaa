import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests that kill the daemon with SIGKILL and start it again.
@Suite(.serialized) struct SurvivalTests {
  private static let size = 8_000_000

  /// A response that is still in progress when the test kills a process.
  private static let half = ScriptedResponse(
    headers: ["ETag": "\"a\""], body: .generated(size: size, seed: .value(1)), cut: .init(.afterBodyBytes(3_000_000), .hang),
    ranges: .honour)
  private static let whole = ScriptedResponse(
    headers: ["ETag": "\"a\""], body: .generated(size: size, seed: .value(1)), ranges: .honour)

  /// Waits until the spool contains a number of bytes.
  private static func untilSpooled(_ count: Int, _ device: Device) async throws {
    try await device.until {
      device.spooled.contains { name in
        var status = stat()
        return name.hasSuffix(".part") && stat(device.path("state/xferd/spool/\(name)"), &status) == 0 && status.st_size >= count
      }
    }
  }

  private static func fetchedTwice(_ device: Device) -> Int {
    device.server.requests.reduce(0) { $0 + $1.bodyBytesWritten } - size
  }

  @Test(.timeLimit(.minutes(5)))
  func `After a daemon is killed, the next one resumes the download without an effect on the app`() async throws {
    try await Device.run([.init("/a", [Self.half, Self.whole])]) { device throws in
      let app = try device.startApp(device.url("/a"))
      try await Self.untilSpooled(2_000_000, device)
      device.killDaemon()
      #expect(app.wait() == 0)
      #expect(device.said == ["file a", "completed 1 206", "exit 0"])
      #expect(device.file("a") == Self.bytes)
      #expect(device.server.requests.count == 2 && device.server.requests[1].headers["Range"] != nil)
      // Allows for bytes that were in flight or in kernel buffers when the daemon was killed.
      print("fetched twice: \(Self.fetchedTwice(device)) bytes")
      device.stopDaemon()
      let replay = try device.replay()
      #expect(replay.tasks.map(\.outcome) == ["succeeded"])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A download finishes after both the app and the daemon are killed and restarted`() async throws {
    for comesBack in ["app", "daemon"] {
      try await Device.run([.init("/a", [Self.half, Self.whole])]) { device throws in
        let app = try device.startApp(device.url("/a"))
        try await Self.untilSpooled(2_000_000, device)
        app.kill()
        device.killDaemon()
        if comesBack == "app" {
          #expect(try device.app("until=rest").status == 0)
        } else {
          let daemon = try device.startDaemon()
          try await device.until { device.said.contains("exit 0") }
          _ = daemon
        }
        #expect(device.said.filter { $0.hasPrefix("completed") } == ["completed 1 206"], "\(comesBack): \(device.said)")
        #expect(device.file("a") == Self.bytes, "\(comesBack)")
      }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `An unreadable database is moved aside, and the daemon logs this and serves`() async throws {
    try await Device.run([.init("/a", .generated(1000))]) { device throws in
      #expect(try device.app(device.url("/a")).status == 0)
      device.stopDaemon()
      let path = device.path("state/xferd/tasks.sqlite")
      for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
      try Data(repeating: 0x55, count: 9000).write(to: URL(fileURLWithPath: path))
      #expect(try device.app(device.url("/a")).status == 0)
      #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
      device.stopDaemon()
      let errors = try device.events("message.error").compactMap { $0["eventMessage"] }
      #expect(errors.contains { $0.contains("damaged-1") }, "\(errors)")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A task lost by the daemon fails in the waiting app and is named in the log`() async throws {
    try await Device.run([.init("/a", Self.half), .init("/b", .generated(10))]) { device throws in
      #expect(try device.app("until=resumed", device.url("/a")).status == 0)
      let app = try device.startApp("until=rest")
      try await device.until { try !device.events("task.adopted").isEmpty }
      // Stops the app, so that it does not start a daemon before the database is damaged.
      kill(app.pid, SIGSTOP)
      device.killDaemon()
      let path = device.path("state/xferd/tasks.sqlite")
      for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
      try Data(repeating: 0x55, count: 9000).write(to: URL(fileURLWithPath: path))
      kill(app.pid, SIGCONT)
      #expect(app.wait() == 0)
      #expect(device.said == ["exit 0", "completed 1 backgroundSessionWasDisconnected", "exit 0"])
      #expect(try device.app(device.url("/b")).status == 0)
      // The app does not wait until the daemon has read its acknowledgement.
      try await device.until { try device.events("task.forgotten").count == 2 }
      device.stopDaemon()
      let forgotten = try device.objects().filter { $0["event"] as? String == "task.forgotten" }
      #expect(forgotten.compactMap { ($0["fields"] as? [String: Any])?["forgotten"] as? String } == ["corrupt", "acknowledged"])
      // IDs are not reused after the loss of the database.
      #expect(try device.events("daemon.started").compactMap { $0["generation"] } == ["1", "2"])
      let findings = try device.replay().findings
      #expect(findings.contains { $0.rule == "daemon-restart-lost-tasks" && $0.certainty == "certain" }, "\(findings)")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A finished body whose task was lost with the key is moved aside and logged`() async throws {
    try await Device.run([.init("/a", .generated(1000))]) { device throws in
      #expect(try device.app("until=resumed", "quiet=1", device.url("/a")).status == 0)
      try await device.until {
        try device.events("task.transferred").count == 1 && device.spooled.contains { $0.hasSuffix(".body") }
      }
      device.stopDaemon()
      let body = try #require(device.spooled.first)
      unlink(device.path("state/xferd/rows.key"))
      let daemon = try device.startDaemon()
      try await device.until { try !device.events("task.forgotten").isEmpty }
      device.stopDaemon()
      #expect(daemon.wait() == 0)
      #expect(device.spooled == [])
      let kept = FileManager.default.contents(atPath: device.path("state/xferd/spool.damaged-1/\(body)"))
      #expect(kept.map(Array.init) == ScriptBody.bytes(seed: 1, size: 1000))
      let errors = try device.events("message.error").compactMap { $0["eventMessage"] }
      #expect(errors.contains { $0.contains("rows.key") || $0.contains("key of the database") }, "\(errors)")
      #expect(errors.contains { $0.contains("spool.damaged-1") }, "\(errors)")
      #expect(try device.events("task.forgotten").map { $0["forgotten"] } == ["corrupt"])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `The daemon's files contain no secrets of requests`() async throws {
    try await Device.run([.init("/a", Self.half)]) { device throws in
      let app = try device.startApp("authorization=Bearer canary-8c1f", device.url("/a"))
      try await Self.untilSpooled(1_200_000, device)
      device.killDaemon()
      app.kill()
      let files = FileManager.default.enumerator(atPath: device.path("state"))
      var looked = 0
      while let name = files?.nextObject() as? String {
        guard let bytes = FileManager.default.contents(atPath: device.path("state/\(name)")) else { continue }
        looked += 1
        #expect(bytes.range(of: Data("canary-8c1f".utf8)) == nil, "\(name)")
        var status = stat()
        #expect(stat(device.path("state/\(name)"), &status) == 0 && status.st_mode & 0o077 == 0, "\(name)")
      }
      #expect(looked >= 3)
      #expect(device.server.requests.first?.headers["Authorization"] == "Bearer canary-8c1f")
    }
  }

  private static let bytes: [UInt8] = ScriptBody.bytes(seed: 1, size: size)
}
