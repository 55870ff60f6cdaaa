import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of `xfer conditions` and `xfer app`: which conditions hold tasks, which cancel tasks, and which events apps receive.
@Suite(.serialized) struct DeviceConditionTests {
  private static let half = ScriptedResponse(
    headers: ["ETag": "\"a\""], body: .generated(size: 4_000_000, seed: .value(1)), cut: .init(.afterBodyBytes(1_500_000), .hang),
    ranges: .honour)
  private static let whole = ScriptedResponse(
    headers: ["ETag": "\"a\""], body: .generated(size: 4_000_000, seed: .value(1)), ranges: .honour)

  @Test(.timeLimit(.minutes(2)))
  func `Conditions can be shown and changed, survive a restart, and invalid values are rejected with advice`() async throws {
    try await Device.run([]) { device throws in
      #expect(try device.xfer("conditions").text.contains("network             same as the machine"))
      let changed = try device.xfer(
        "conditions", "--network", "cellular", "--power", "battery", "--battery", "20", "--background-refresh", "false",
        "--locked",
        "true", "--disk", "10MB", "--clock", "+10m", "--low-power-mode", "true")
      #expect(changed.status == 0, "\(changed.standardError)")
      let lines = [
        "network             up, cellular, expensive", "power               on battery, 20 %", "low power mode      on",
        "background refresh  off", "protected data      locked", "disk                10000000 bytes free",
        "clock               600.0 s ahead",
      ]
      #expect(changed.lines == lines)
      device.stopDaemon()
      #expect(try device.xfer("conditions").lines == lines)
      // Resetting restores the machine's own conditions, except for the clock, which never moves back.
      #expect(try device.xfer("conditions", "--reset").lines.first == "network             same as the machine")
      #expect(try device.xfer("conditions").lines.last == "clock               600.0 s ahead")
      for (option, value, problem) in [
        ("--network", "sideways", "Write one of: up, down"), ("--battery", "101", "is not a battery level"),
        ("--clock", "10m", "is not a clock advance"), ("--locked", "maybe", "neither true nor false"),
        ("--disk", "much", "is not a size"), ("--output", "xml", "expected text or json"),
      ] {
        let run = try device.xfer("conditions", option, value)
        #expect(run.status == 2 && run.standardError.contains(problem), "\(option): \(run.standardError)")
      }
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `Apps are listed, and invalid commands for them are rejected with a reason`() async throws {
    try await Device.run([.init("/a", Self.half)]) { device throws in
      #expect(try device.xfer("app", "list").text.isEmpty)
      let app = try device.startApp(device.url("/a"))
      try await device.until { try device.xfer("app", "list").text.contains("1 running") }
      let list = try device.xfer("app", "list").text
      #expect(
        list.contains("process \(app.pid) running, sessions probe") && list.contains("session probe: 1 task, 1 running"),
        "\(list)")
      for (arguments, problem) in [
        (["suspend", "background-probe"], "did not allow suspension"),
        (["suspend", "nobody"], "xferd knows no app nobody"),
        (["trigger", "background-probe", "region"], "has armed no region"),
        (["launch", "/no/such/program"], "/no/such/program was not found"),
      ] {
        let run = try device.xfer(["app"] + arguments)
        #expect(run.status == 1 && run.standardError.contains(problem), "\(arguments): \(run.standardError)")
      }
      #expect(try device.xfer("app", "trigger", "background-probe", "quake").status == 2)
      #expect(try device.xfer("app", "kill", "--because", "boredom", "background-probe").status == 2)
      #expect(try device.xfer("app", "kill", "background-probe").status == 0)
      #expect(app.wait() != 0)
      let ends = try device.events("process.exitObserved")
      #expect(ends.contains { $0["exitReason"] == "memoryPressure" && $0["by"] == "daemon" }, "\(ends)")
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `A transfer that is interrupted by a lost network resumes when the network returns`() async throws {
    try await Device.run([.init("/a", [Self.half, Self.whole])]) { device throws in
      let app = try device.startApp(device.url("/a"))
      try await device.until { device.server.requests.first.map { $0.bodyBytesWritten >= 1_500_000 } ?? false }
      #expect(try device.xfer("conditions", "--network", "down").status == 0)
      try await device.until(pause: .milliseconds(100)) { try device.events("task.held").contains { $0["hold"] == "network" } }
      #expect(device.server.requests.count == 1)
      #expect(try device.xfer("conditions", "--network", "up").status == 0)
      #expect(app.wait() == 0)
      #expect(device.said == ["file a", "completed 1 206", "exit 0"])
      #expect((device.file("a") ?? []).elementsEqual(ScriptBody.bytes(seed: 1, size: 4_000_000)), "the file")
    }
  }

  /// Reasons that hold a task, each with the condition change that ends the hold and the arguments the app needs.
  private static let holds: [(hold: String, before: [String], app: [String], after: [String])] = [
    ("discretionary", ["--power", "battery"], ["discretionary=1"], ["--power", "charging"]),
    ("discretionary", ["--network", "expensive"], ["discretionary=1"], ["--network", "machine"]),
    ("protectedData", ["--locked", "true"], ["upload=here"], ["--locked", "false"]),
    ("diskSpace", ["--disk", "1000"], ["expects=2000"], ["--disk", "machine"]),
    ("beginDate", [], ["begin=3600"], ["--clock", "+1h"]),
  ]

  @Test(.timeLimit(.minutes(2)), arguments: holds.indices)
  func `A held task has exactly one reason and starts when the reason ends`(index: Int) async throws {
    let (hold, before, options, after) = Self.holds[index]
    try await Device.run([.init("/a", .generated(1000))]) { device throws in
      let source = try device.directory.write([1, 2, 3], to: "source")
      if !before.isEmpty { #expect(try device.xfer(["conditions"] + before).status == 0) }
      let app = try device.startApp(options.map { $0 == "upload=here" ? "upload=\(source)" : $0 } + [device.url("/a")])
      try await device.until(pause: .milliseconds(50)) { try device.xfer("app", "list").text.contains("1 held by \(hold)") }
      #expect(device.server.requests.isEmpty && device.said.isEmpty)
      #expect(try device.xfer(["conditions"] + after).status == 0)
      #expect(app.wait() == 0)
      let asked = hold == "beginDate" ? ["asked 1"] : []
      #expect(
        device.said.first.map { asked.isEmpty || $0 == "asked 1" } ?? false && device.said.last == "exit 0", "\(device.said)")
      #expect(try device.events("task.held").map { $0["hold"] }.contains(hold))
      #expect(try device.events("task.holdEnded").map { $0["hold"] }.contains(hold))
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `A delayed task of an app that is not running starts at its date and launches the app when it ends`() async throws {
    try await Device.run([.init("/a", .generated(1000))]) { device throws in
      #expect(try device.app("until=resumed", "begin=3600", device.url("/a")).status == 0)
      try await device.until(pause: .milliseconds(50)) { try device.xfer("app", "list").text.contains("1 held by beginDate") }
      #expect(try device.xfer("conditions", "--clock", "+1h").status == 0)
      try await device.until { device.said.last == "exit 0" && device.said.count > 2 }
      #expect(device.said == ["exit 0", "woken probe", "file a", "completed 1 200", "events finished", "exit 0"])
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `The resource timeout also applies to a held task`() async throws {
    try await Device.run([.init("/a", .generated(1000))]) { device throws in
      #expect(try device.xfer("conditions", "--power", "battery").status == 0)
      let app = try device.startApp("discretionary=1", device.url("/a"))
      try await device.until(pause: .milliseconds(50)) { try device.xfer("app", "list").text.contains("held by discretionary") }
      #expect(try device.xfer("conditions", "--clock", "+200h").status == 0)
      #expect(app.wait() == 0)
      #expect(device.said == ["completed 1 timedOut", "exit 0"])
      #expect(device.server.requests.isEmpty)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `Disabling background refresh cancels the tasks of background apps and prevents launches`()
    async throws
  {
    try await Device.run([.init("/a", Self.half)]) { device throws in
      #expect(try device.app("until=resumed", device.url("/a")).status == 0)
      try await device.until { !device.server.requests.isEmpty }
      #expect(try device.xfer("conditions", "--background-refresh", "false").status == 0)
      try await device.until(pause: .milliseconds(50)) { try device.events("wake.held").contains { $0["holdWake"] == "policy" } }
      #expect(try device.events("task.cancelRequested").map { $0["cancelReason"] } == ["backgroundUpdatesDisabled"])
      #expect(try device.xfer("conditions", "--background-refresh", "true").status == 0)
      try await device.until { device.said.last == "exit 0" && device.said.count > 2 }
      #expect(
        device.said == ["exit 0", "woken probe", "completed 1 cancelled backgroundUpdatesDisabled", "events finished", "exit 0"])
      device.stopDaemon()
      let roots = try device.replay().findings.filter { $0.causedBy == nil }.map(\.rule)
      #expect(roots == ["background-updates-disabled-cancel"])
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `An authentication challenge launches the app, which answers it`() async throws {
    let asks = ScriptedResponse(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"vault\""])
    try await Device.run([.init("/a", [asks, .generated(1000)])]) { device throws in
      #expect(try device.app("until=resumed", "password=open sesame", device.url("/a")).status == 0)
      try await device.until { device.said.last == "exit 0" && device.said.contains("completed 1 200") }
      #expect(device.said.contains("challenged vault") && device.said.contains("file a"), "\(device.said)")
      #expect(
        device.server.requests.last?.headers["Authorization"] == "Basic \(Data("probe:open sesame".utf8).base64EncodedString())")
      #expect(try device.events("wake.wanted").first?["wakeCause"] == "challenge")
      #expect(try device.events("process.started").contains { $0["startReason"] == "challenge" })
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `A suspended app is stopped, resumed for its events, and misses none of them`() async throws {
    try await Device.run([.init("/a", [Self.half, Self.whole])]) { device throws in
      let app = try device.startApp("suspendable=1", "until=never", device.url("/a"))
      try await device.until { device.server.requests.first.map { $0.bodyBytesWritten >= 1_500_000 } ?? false }
      #expect(try device.xfer("app", "background", "background-probe").status == 0)
      #expect(try device.xfer("conditions", "--clock", "+5s").status == 0)
      try await device.until { Self.state(of: app.pid) == "T" }
      #expect(try device.xfer("app", "list").text.contains("process \(app.pid) suspended"))
      // The rest of the file arrives while the app is suspended.
      #expect(try device.xfer("conditions", "--network", "down").status == 0)
      #expect(try device.xfer("conditions", "--network", "up").status == 0)
      try await device.until { device.said.contains("events finished") }
      #expect(device.said == ["woken probe", "file a", "completed 1 206", "events finished"])
      #expect((device.file("a") ?? []).elementsEqual(ScriptBody.bytes(seed: 1, size: 4_000_000)), "the file")
      app.kill()
      let states = try device.events("process.stateChanged").compactMap { $0["state"] }
      #expect(states.starts(with: ["foreground", "background", "suspended", "resumed"]), "\(states)")
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: [SIGTERM, SIGKILL])
  func `A suspended app is resumed after its daemon ends`(signal: Int32) async throws {
    try await Device.run([.init("/a", Self.half)]) { device throws in
      let app = try device.startApp("suspendable=1", "until=never", device.url("/a"))
      try await device.until { !device.server.requests.isEmpty }
      #expect(try device.xfer("app", "suspend", "background-probe").status == 0)
      try await device.until { Self.state(of: app.pid) == "T" }
      let daemon = try #require(device.daemon)
      kill(daemon, signal)
      try await device.until { device.daemon != daemon }
      #expect(try device.xfer("app", "list").status == 0)
      try await device.until { Self.state(of: app.pid) != "T" }
      try await device.until(pause: .milliseconds(50)) { try device.xfer("app", "list").text.contains("process \(app.pid) ") }
    }
  }

  /// Returns the kernel's state letter of a process. `T` means stopped.
  private static func state(of pid: pid_t) -> String? {
    (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: ")").last?.split(separator: " ").first
      .map(String.init)
  }
}
