import Foundation
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// Tests of a full or failing disk that holds the daemon's database and spool.
@Suite(.serialized, .timeLimit(.minutes(isCampaign ? 60 : 5))) struct StorageFaultTests {
  @Test(arguments: BackgroundWork.allCases)
  func `After failed writes, every task still ends and no false completion is delivered`(work: BackgroundWork) async throws {
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
      // Skips a trial whose call was never made or concerned a socket instead of the disk.
      let hit = Set(aftermath.injected.map { KillSite.Kind($0) }).intersection(kinds)
      #expect(aftermath.violations == [], "seed \(seed), \(fault) \(error), \(aftermath.injected.map { $0.text.prefix(80) })")
      if hit.isEmpty { continue }
      counted += 1
      failed += aftermath.hasFailed ? 1 : 0
      for kind in hit { kindsHit[kind.rawValue, default: 0] += 1 }
    }
    print(
      "disk faults, \(work.rawValue): \(counted) trials, \(failed) tasks failed, \(kindsHit.sorted { $0.key < $1.key })"
    )
    #expect(counted >= seeds.wanted)
  }

  @Test(arguments: [false, true])
  func `A failed flush of a body fails its task and is not retried`(ofDirectory: Bool) async throws {
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

  // MARK: Full disk

  /// Runs a test with a small file system as the daemon's state directory.
  private static func onSmallDisk(_ body: (Device, SmallDisk) async throws -> Void) async throws {
    try await Device.run([
      .init(
        "/a",
        // Slow enough that a process can be killed during the download.
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

  /// Waits until the daemon has opened its database, which happens after it starts listening.
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
  func `A task starts only after it was stored`() async throws {
    try await Self.onSmallDisk { device, disk in
      let daemon = try device.startDaemon()
      defer { daemon.kill() }
      try await Self.untilServing(device)
      try disk.fill()
      let app = try device.startApp("lives=1", device.url("/a"))
      try await device.until {
        try device.events("message.fault").contains { $0["eventMessage"]?.contains("cannot store state") ?? false }
      }
      #expect(device.server.requests.isEmpty)
      disk.clear()
      #expect(app.wait() == 0)
      #expect(device.said.last { $0.contains("completed") }?.hasSuffix("completed 1 200") ?? false, "\(device.said)")
      #expect((device.file("a") ?? []).elementsEqual(Self.bytes), "the file")
      device.stopDaemon()
      #expect(try device.events("message.default").contains { $0["eventMessage"]?.contains("state stored after") ?? false })
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can mount"))
  func `A body that does not fit on the disk fails its task with an error, and a later task succeeds`() async throws {
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
  func `A daemon that starts with a full disk logs an error and loses no task`() async throws {
    try await Self.onSmallDisk { device, disk in
      let first = try device.startDaemon()
      try await Self.untilServing(device)
      #expect(try device.app("until=resumed", "quiet=1", device.url("/a")).status == 0)
      // The task was stored.
      try await device.until { !device.server.requests.isEmpty }
      first.kill()
      try disk.fill()
      let daemon = try device.startDaemon()
      func says(_ text: String) throws -> Bool {
        try device.events("message.fault").contains { $0["eventMessage"]?.contains(text) ?? false }
      }
      // Emptying the database's write-ahead log at the start may free enough space. In this case the daemon serves and waits.
      try await device.until(pause: .milliseconds(50)) { try !daemon.isRunning || says("cannot store state") }
      let isServing = daemon.isRunning
      if !isServing {
        #expect(daemon.wait() == 71)
        #expect(try says("the daemon cannot start"))
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: device.path("state/xferd")).allSatisfy { !$0.contains("damaged") })
      disk.clear()
      #expect(try device.app("until=rest", "quiet=1").status == 0)
      // The task may have failed because its body did not fit while the daemon was serving.
      if isServing, device.said.contains("completed 1 cannotWriteToFile") { return }
      #expect(device.said.count == 4 && device.said[2].hasPrefix("completed 1 20"), "\(device.said)")
      #expect((device.file("a") ?? []).elementsEqual(Self.bytes), "the file")
    }
  }
}

/// An in-memory file system of a few megabytes.
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

  /// Fills the file system except for a number of bytes.
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
