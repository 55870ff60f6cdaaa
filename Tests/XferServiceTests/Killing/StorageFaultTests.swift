import Foundation
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// A disk that is full, or broken, under the daemon's database and its spool.
@Suite(.serialized, .timeLimit(.minutes(isCampaign ? 60 : 5))) struct StorageFaultTests {
  @Test(arguments: BackgroundWork.allCases)
  func `Writes that fail cost no task its end, and nobody is told what is not so`(work: BackgroundWork) async throws {
    let sites = try await UndisturbedRuns.all.working(.daemon, work)
    let kinds = [KillSite.Kind.commit, .spool, .place].filter(sites.kinds.contains)
    var (counted, failed, kindsHit) = (0, 0, [String: Int]())
    let seeds = TrialSeeds(wanted: isCampaign ? 60 : 2)
    for seed in seeds.all where counted < max(1, seeds.wanted) {
      var random = SeededRandom(seed: seed &+ 3 << 32)
      let kind = kinds[Int(seed) % kinds.count]
      let site = sites.sites(kind).randomElement(using: &random)!
      let error = ["ENOSPC", "EIO"].randomElement(using: &random)!
      let count = Int.random(in: 1...4, using: &random)
      var survival = Survival(work: work)
      let fault = Injection(site.call, site.nth...site.nth + count - 1, "error=\(error)")
      survival.fault = fault
      let aftermath: Aftermath
      do {
        aftermath = try await survival.run()
      } catch let stuck as Survival.Stuck {
        Issue.record("seed \(seed), \(fault) \(error): \(stuck)")
        continue
      }
      // What was to fail and was not made is no trial; a socket is not the disk.
      let hit = Set(aftermath.injected.map { KillSite.Kind($0) }).intersection(kinds)
      #expect(aftermath.violations == [], "seed \(seed), \(fault) \(error), \(aftermath.injected.map { $0.text.prefix(80) })")
      if hit.isEmpty { continue }
      counted += 1
      failed += aftermath.hasFailed ? 1 : 0
      for kind in hit { kindsHit[kind.rawValue, default: 0] += 1 }
    }
    print(
      "faults of the disk, \(work.rawValue): \(counted) trials, \(failed) tasks failed with what it was, \(kindsHit.sorted { $0.key < $1.key })"
    )
    #expect(counted >= seeds.wanted)
  }

  @Test(arguments: [false, true])
  func `A body that does not reach the disk fails its task, and is not synchronised once more`(ofDirectory: Bool) async throws {
    try await Device.run([.init("/a", .generated(100_000))]) { device throws in
      let daemon = try await device.startListeningDaemon()
      defer { daemon.kill() }
      #expect(try device.app("until=created", "quiet=1", device.url("/a")).status == 0)
      let uid = try #require(device.uids("task.created").first)
      let spool = device.path("state/xferd/spool")
      let injection = Injection(
        ofDirectory ? "fsync" : "fdatasync", 1...1, "error=EIO", path: ofDirectory ? spool : "\(spool)/\(uid).body")
      let tracer = try Running(
        SystemCallTracer.program,
        ["-p", "\(daemon.pid)"] + SystemCallTracer.arguments(output: device.path("trace"), injection), [:])
      try await device.until { SystemCallTracer.isTraced(daemon.pid) || tracer.status != nil }
      #expect(try device.app("until=rest", "quiet=1").status == 0)
      #expect(device.said == ["exit 0", "completed 1 cannotWriteToFile", "exit 0"])
      device.stopDaemon()
      _ = tracer.wait()
      let calls = SystemCallTrace(path: device.path("trace")).calls
      #expect(calls.filter(\.isInjected).count == 1, "\(calls.map(\.text))")
      #expect(ofDirectory || calls.count == 1, "\(calls.map(\.text))")
      #expect(device.spooled == [] && device.file("a") == nil)
    }
  }

  // MARK: A disk that is really full

  /// A small file system in the place of the daemon's directory.
  private static func onSmallDisk(_ body: (Device, SmallDisk) async throws -> Void) async throws {
    try await Device.run([
      .init(
        "/a",
        // Slow enough for a kill in the middle.
        ScriptedResponse(
          headers: ["ETag": "\"a\""], body: .generated(size: 3 << 20, seed: .value(1)), rate: 4 << 20, ranges: .honour))
    ]) {
      device throws in
      let disk = try SmallDisk(device.path("state"), megabytes: 6)
      do {
        try await body(device, disk)
        device.stopDaemon()
      } catch {
        device.stopDaemon()
        throw error
      }
      disk.unmount()
    }
  }

  private static let bytes = ScriptBody.bytes(seed: 1, size: 3 << 20)

  /// A daemon listens before it has opened its database.
  private static func untilServing(_ device: Device) async throws {
    var socket: RawSocket?
    try await device.until {
      socket = try? device.connect()
      return socket != nil
    }
    socket?.send(Hello(launch: ""))
    #expect(socket?.receive()?.contains("welcome") ?? false)
  }

  @Test(.enabled(if: getuid() == 0, "only root can mount"))
  func `While a task cannot be stored it is not begun, and when it can it is`() async throws {
    try await Self.onSmallDisk { device, disk in
      let daemon = try device.startDaemon()
      defer { daemon.kill() }
      try await Self.untilServing(device)
      try disk.fill()
      let app = try device.startApp("lives=1", device.url("/a"))
      try await device.until {
        try device.events("message.fault").contains { $0["eventMessage"]?.contains("not stored") ?? false }
      }
      #expect(device.server.requests.isEmpty)
      disk.clear()
      #expect(app.wait() == 0)
      #expect(device.said.last { $0.contains("completed") }?.hasSuffix("completed 1 200") ?? false, "\(device.said)")
      #expect((device.file("a") ?? []).elementsEqual(Self.bytes), "the file")
      device.stopDaemon()
      #expect(try device.events("message.default").contains { $0["eventMessage"]?.contains("stored after") ?? false })
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can mount"))
  func `A body that has no room fails its task by name, and the next one has it again`() async throws {
    try await Self.onSmallDisk { device, disk in
      let daemon = try device.startDaemon()
      defer { daemon.kill() }
      try await Self.untilServing(device)
      try disk.fill(leaving: 2 << 20)
      #expect(try device.app(device.url("/a")).status == 0)
      #expect(device.said == ["completed 1 cannotWriteToFile", "exit 0"])
      let ended = try device.events("attempt.ended")
      #expect(ended.last?["osError"] == "\(ENOSPC)", "\(ended)")
      disk.clear()
      #expect(try device.app(device.url("/a")).status == 0)
      #expect(device.said.suffix(3) == ["file a", "completed 2 200", "exit 0"])
      #expect((device.file("a") ?? []).elementsEqual(Self.bytes), "the file")
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can mount"))
  func `A daemon that finds the disk full says so and loses no task`() async throws {
    try await Self.onSmallDisk { device, disk in
      let first = try device.startDaemon()
      try await Self.untilServing(device)
      #expect(try device.app("until=resumed", "quiet=1", device.url("/a")).status == 0)
      // So it is written down.
      try await device.until { !device.server.requests.isEmpty }
      first.kill()
      try disk.fill()
      let daemon = try device.startDaemon()
      func says(_ text: String) throws -> Bool {
        try device.events("message.fault").contains { $0["eventMessage"]?.contains(text) ?? false }
      }
      // The database's log, which a start empties, may have taken the room that the start needs: then the daemon serves, and waits.
      try await device.until(pause: .milliseconds(50)) { try !daemon.isRunning || says("not stored") }
      let isServing = daemon.isRunning
      if !isServing {
        #expect(daemon.wait() == 71)
        #expect(try says("does not serve"))
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: device.path("state/xferd")).allSatisfy { !$0.contains("damaged") })
      disk.clear()
      #expect(try device.app("until=rest", "quiet=1").status == 0)
      // A body that found no room while the daemon served has failed its task.
      if isServing, device.said.contains("completed 1 cannotWriteToFile") { return }
      #expect(device.said.count == 4 && device.said[2].hasPrefix("completed 1 20"), "\(device.said)")
      #expect((device.file("a") ?? []).elementsEqual(Self.bytes), "the file")
    }
  }
}

/// A file system in memory, of a few megabytes.
final class SmallDisk {
  private let path: String
  private var ballast: String { "\(path)/ballast" }
  private var isMounted = true

  init(_ path: String, megabytes: Int) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let run = try ToolRun("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "tmpfs", path])
    guard run.status == 0 else { throw NotMounted(description: run.standardError) }
  }

  struct NotMounted: Error { let description: String }

  /// Takes all the room, but for so many bytes.
  func fill(leaving rest: Int = 0) throws {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { throw POSIXError(.EIO) }
    let count = Int(status.f_bavail) * Int(status.f_frsize) - rest
    let descriptor = open(ballast, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    guard posix_fallocate(descriptor, 0, off_t(count)) == 0 else { throw POSIXError(.ENOSPC) }
  }

  func clear() { unlink(ballast) }

  func unmount() {
    if isMounted { _ = try? ToolRun("/usr/bin/umount", ["-l", path]) }
    isMounted = false
  }

  deinit { unmount() }
}
