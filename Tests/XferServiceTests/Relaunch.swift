import Foundation
import LogTestSupport
import Testing

/// One way in which an app with background sessions dies and comes back.
struct Relaunch: Sendable, CustomStringConvertible {
  /// How the last life makes the session that it is woken for.
  enum Remake: String, CaseIterable {
    case right, wrong, none
    /// After it has called the handler.
    case late
  }

  enum Death: String, CaseIterable {
    /// It is stopped when it has begun its downloads, and killed when the daemon has sent what they brought.
    case undelivered
    /// In the callback of the first session's file; all the rest has arrived and waits behind it.
    case inCallback
  }

  let remake: Remake
  /// Whether the first life that is launched dies when it is handed its wake.
  let isRepeated: Bool
  let sessions: [String]
  let death: Death

  static let all = Remake.allCases.flatMap { remake in
    [false, true].flatMap { isRepeated in
      [["a"], ["a", "b"]].flatMap { sessions in
        Death.allCases.map { Relaunch(remake: remake, isRepeated: isRepeated, sessions: sessions, death: $0) }
      }
    }
  }

  var description: String {
    "\(remake.rawValue) \(isRepeated ? "at the second launch" : "at once"), \(sessions.count) sessions, killed \(death.rawValue)"
  }

  // MARK: What happens

  func happen(on device: Device) async throws -> RelaunchGraph {
    let signals = ["go", "end"].map(device.path)
    let app = try device.startApp(
      [
        "sessions=\(sessions.joined(separator: ","))", "remake=\(remake.rawValue)", "signals=\(device.directory.path)",
        "until=\(death.rawValue)",
      ] + (isRepeated ? ["dies=1"] : []) + sessions.map { device.url("/\($0)") })
    try await device.until { device.said.contains("opened") }
    switch death {
    case .undelivered:
      // Nothing can come before it is stopped: its daemon is.
      let daemon = try #require(device.daemon)
      kill(daemon, SIGSTOP)
      device.touch(signals[0])
      try await device.until { device.isStopped(app.pid) }
      kill(daemon, SIGCONT)
      try await device.until(pause: .milliseconds(50)) { try device.countOfEnds("delivery.sent") == 2 * sessions.count }
    case .inCallback:
      device.touch(signals[0])
      try await device.until(pause: .milliseconds(50)) { try device.countOfEnds("delivery.received") == 2 * sessions.count }
      try await device.until { device.said.contains("blocked") }
    }
    app.kill()
    if remake == .wrong || remake == .none {
      try await device.until { device.said.contains("idle") }
      // Nobody is launched once more: there is no daemon, and none can be started.
      unlink(device.daemonProgram)
      device.stopDaemon()
      device.touch(signals[1])
    }
    try await device.until { device.said.last == "exit 0" }
    device.stopDaemon()
    return try RelaunchGraph(ToolRun("xferlog", ["replay", "-o", "json", device.log]))
  }

  // MARK: What is true of it

  private var isTaken: Bool { remake == .right || remake == .late }
  private var last: Int { isRepeated ? 3 : 2 }

  var truth: [String] { lives + incarnations + wakes + tasks }

  private var lives: [String] {
    ["life 1 user observedMissing"] + (isRepeated ? ["life 2 transfer signal"] : []) + [
      "life \(last) transfer closed", "daemon closed",
    ]
  }

  private var incarnations: [String] {
    sessions.flatMap { name in
      switch remake {
      case .right, .late: ["session \(name) in 1 connected", "session \(name) in \(last) connected"]
      case .none: ["session \(name) in 1 connected"]
      case .wrong: ["session \(name) in 1 connected", "session \(name).v2 in \(last) connected"]
      }
    }
  }

  /// The app is launched for one session, and handed the other's wake as soon as it is there.
  private var wakes: [String] {
    func wake(_ name: String, life: Int?, _ rest: String) -> String {
      "wake \(name) wanted\(name == sessions[0] ? " launched" : "") \(life.map { "in \($0)" } ?? "nowhere") \(rest)"
    }
    let dying = sessions.map { wake($0, life: $0 == sessions[0] ? 2 : nil, $0 == sessions[0] ? "never" : "unknown") }
    let final = sessions.map { name in
      switch remake {
      case .right: wake(name, life: last, "stored finished called main")
      case .late: wake(name, life: last, "finished early main")
      case .wrong: wake(name, life: last, "stored never")
      case .none: wake(name, life: last, "released never")
      }
    }
    return (isRepeated ? dying : []) + final
  }

  private var tasks: [String] {
    sessions.map { name in
      let first = death == .undelivered ? [] : [name == sessions[0] ? "1 entered" : "1 received"]
      let behind = death == .undelivered ? [] : ["1 received"]
      let left = isTaken ? ["\(last) left"] : []
      let file = "didFinishDownloading \((first + left).joined(separator: ", "))"
      // The task is acknowledged with its completion.
      let completion = "didComplete \((behind + left).joined(separator: ", "))\(isTaken ? " acknowledged" : "")"
      return "task \(name) 1 \(isTaken ? "acknowledged succeeded" : "transferred open"): \(file); \(completion)"
    }
  }

  /// What a good diagnostician says: each finding, and behind it the one that it follows from.
  var diagnosis: [String] {
    // A life that is killed with a handler in its hand never called it, whatever comes later.
    let died = isRepeated ? ["missed-completion-handler certain a in 2"] : []
    let final = sessions.flatMap { name in
      switch remake {
      case .right: [String]()
      case .late: ["completion-handler-called-too-early certain \(name) in \(last)"]
      case .wrong:
        [
          "missed-completion-handler certain \(name) in \(last) < wrong-identifier-recreated \(name)",
          "wrong-identifier-recreated certain \(name) in \(last)",
        ]
      case .none:
        [
          "missed-completion-handler certain \(name) in \(last) < session-not-recreated-after-relaunch \(name)",
          "session-not-recreated-after-relaunch certain \(name) in \(last)",
        ]
      }
    }
    return (died + final).sorted()
  }
}
