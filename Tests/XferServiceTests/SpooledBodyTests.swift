import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of spool files that were changed, replaced or removed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SpooledBodyTests {
  enum Change: CaseIterable {
    case exchanged, emptied, cut, longer, byteChanged, removed, link
  }

  private static let routes = [late("/a", seed: 1), late("/b", seed: 2)]

  /// Returns a route whose response begins when the first launch of the app has ended. The daemon would send its callbacks to that launch,
  /// and could not know later whether the app had taken the files.
  private static func late(_ path: String, seed: UInt64) -> ServerScript.Route {
    var response = ScriptedResponse.generated(20_000, seed: seed)
    response.delay = .init(beforeStatus: .milliseconds(300))
    return .init(path, response)
  }

  /// Prepares two finished downloads whose app is not running.
  private static func untilWaiting(_ device: Device) async throws -> [String] {
    #expect(try device.app("until=resumed", "quiet=1", device.url("/a"), device.url("/b")).status == 0)
    // Waits until the file and the completion of both tasks are stored.
    try await device.until(pause: .milliseconds(50)) { try device.xfer("app", "list").text.contains("4 callbacks queued") }
    return device.spooled.filter { $0.hasSuffix(".body") }.map { device.path("state/xferd/spool/\($0)") }
  }

  private static func apply(_ change: Change, _ bodies: [String]) throws {
    switch change {
    case .exchanged:
      rename(bodies[0], bodies[0] + ".x")
      rename(bodies[1], bodies[0])
      rename(bodies[0] + ".x", bodies[1])
    case .emptied: truncate(bodies[0], 0)
    case .cut: truncate(bodies[0], 19_999)
    case .longer: truncate(bodies[0], 20_001)
    case .byteChanged:
      var bytes = Array(try #require(FileManager.default.contents(atPath: bodies[0])))
      bytes[7777] ^= 1
      // Changes the contents in place, so that the inode and the size stay the same.
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: bodies[0]))
      try handle.write(contentsOf: bytes)
      try handle.close()
    case .removed: unlink(bodies[0])
    case .link:
      unlink(bodies[0])
      symlink(bodies[1], bodies[0])
    }
  }

  @Test(arguments: Change.allCases, [true, false])
  func `A body that was changed in the spool is downloaded again instead of delivered`(
    change: Change, whileServing: Bool
  ) async throws {
    try await Device.run(Self.routes) { device throws in
      let bodies = try await Self.untilWaiting(device)
      if !whileServing { device.stopDaemon() }
      try Self.apply(change, bodies)
      #expect(try device.app("until=rest", "quiet=1").status == 0)
      let ends = device.said.filter { $0.hasPrefix("completed") }.sorted()
      #expect(ends == ["completed 1 200", "completed 2 200"], "\(device.said)")
      #expect(!device.said.contains { $0.hasPrefix("lost") }, "\(device.said)")
      #expect(device.file("a") == ScriptBody.bytes(seed: 1, size: 20_000))
      #expect(device.file("b") == ScriptBody.bytes(seed: 2, size: 20_000))
      #expect(device.server.requests.count == (change == .exchanged ? 4 : 3))
      device.stopDaemon()
      let said = try device.events("message.error").compactMap { $0["eventMessage"] }
      #expect(said.count { $0.contains("downloaded again") } == (change == .exchanged ? 2 : 1), "\(said)")
      #expect(device.spooled == [])
    }
  }

  @Test func `A body restored from a backup is delivered`() async throws {
    try await Device.run(Self.routes) { device throws in
      let bodies = try await Self.untilWaiting(device)
      device.stopDaemon()
      for body in bodies {
        try FileManager.default.copyItem(atPath: body, toPath: body + ".x")
        rename(body + ".x", body)
      }
      #expect(try device.app("until=rest", "quiet=1").status == 0)
      #expect(device.file("a") == ScriptBody.bytes(seed: 1, size: 20_000))
      #expect(device.file("b") == ScriptBody.bytes(seed: 2, size: 20_000))
      #expect(device.server.requests.count == 2)
    }
  }

  @Test func `An upload whose response body was changed in the spool fails with an error`() async throws {
    try await Device.run([.init("/up", ScriptedResponse(status: 201, body: .text("receipt 7")))]) { device throws in
      let source = try device.directory.write([1, 2, 3], to: "source")
      #expect(try device.app("until=resumed", "quiet=1", "upload=\(source)", device.url("/up")).status == 0)
      try await device.until {
        try device.events("task.transferred").count == 1 && device.spooled.contains { $0.hasSuffix(".response") }
      }
      device.stopDaemon()
      let answer = device.path("state/xferd/spool/\(device.spooled[0])")
      try Data("receipt 8".utf8).write(to: URL(fileURLWithPath: answer))
      #expect(try device.app("until=rest", "quiet=1").status == 0)
      #expect(device.said == ["exit 0", "completed 1 cannotReadBody", "exit 0"])
      #expect(device.server.requests.count == 1)
    }
  }

  // MARK: Partial downloads

  private static let size = 3 << 20
  private static let half = ScriptedResponse(
    headers: ["ETag": "\"a\""], body: .generated(size: size, seed: .value(1)), cut: .init(.afterBodyBytes(2 << 20), .hang),
    ranges: .honour)
  private static let whole = ScriptedResponse(
    headers: ["ETag": "\"a\""], body: .generated(size: size, seed: .value(1)), ranges: .honour)

  enum PartialChange: CaseIterable {
    /// The file is replaced by a copy with another inode, as by a restored backup.
    case copied, longer, muchLonger, link
    /// The file has its full length but lost its contents, as after a power loss.
    case zeroed, shorter
  }

  @Test(arguments: PartialChange.allCases)
  func `A changed partial download restarts from the beginning`(change: PartialChange) async throws {
    try await Device.run([.init("/a", [Self.half, Self.whole])]) { device throws in
      try device.boot()
      let app = try device.startApp("quiet=1", device.url("/a"))
      var part = ""
      try await device.until {
        part = device.spooled.first { $0.hasSuffix(".part") }.map { device.path("state/xferd/spool/\($0)") } ?? ""
        var status = stat()
        return stat(part, &status) == 0 && status.st_size >= 1 << 20
      }
      app.kill()
      device.killDaemon()
      switch change {
      case .copied:
        try FileManager.default.copyItem(atPath: part, toPath: part + ".x")
        rename(part + ".x", part)
      case .longer: truncate(part, off_t(Self.size + 1))
      case .muchLonger: truncate(part, off_t(3 * Self.size))
      case .link:
        rename(part, device.path("elsewhere"))
        symlink(device.path("elsewhere"), part)
      case .zeroed:
        try Data(count: 1 << 20).withUnsafeBytes { bytes in
          let handle = try #require(fopen(part, "r+"))
          fwrite(bytes.baseAddress, 1, bytes.count, handle)
          fclose(handle)
        }
        try device.boot()
      case .shorter:
        truncate(part, 4096)
        try device.boot()
      }
      #expect(try device.app("until=rest", "quiet=1").status == 0)
      #expect(device.said.suffix(3) == ["file a", "completed 1 200", "exit 0"], "\(device.said)")
      #expect(device.file("a") == ScriptBody.bytes(seed: 1, size: Self.size))
      #expect(device.server.requests.count == 2 && device.server.requests[1].headers["Range"] == nil)
      #expect(device.spooled == [])
    }
  }

  @Test func `Bytes that the daemon flushed at its termination are not downloaded again after a reboot`()
    async throws
  {
    try await Device.run([.init("/a", [Self.half, Self.whole])]) { device throws in
      try device.boot()
      let app = try device.startApp("quiet=1", device.url("/a"))
      try await device.until {
        device.spooled.contains { name in
          var status = stat()
          return name.hasSuffix(".part") && stat(device.path("state/xferd/spool/\(name)"), &status) == 0
            && status.st_size >= 1 << 20
        }
      }
      app.kill()
      device.stopDaemon()
      try device.boot()
      #expect(try device.app("until=rest", "quiet=1").status == 0)
      #expect(device.said.suffix(3) == ["file a", "completed 1 206", "exit 0"], "\(device.said)")
      #expect(device.file("a") == ScriptBody.bytes(seed: 1, size: Self.size))
      #expect(device.server.requests.count == 2 && device.server.requests[1].headers["Range"] != nil)
    }
  }
}
