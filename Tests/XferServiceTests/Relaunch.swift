import Foundation
import LogTestSupport
import Testing

/// A test case in which an app with background sessions is killed and relaunched.
struct Relaunch: Sendable, CustomStringConvertible {
  /// How the last launch of the app recreates the session that it was woken for.
  enum Remake: String, CaseIterable {
    case right, wrong, none
    /// The session is recreated only after the app has called its completion handler.
    case late
  }

  enum Death: String, CaseIterable {
    /// The app is stopped after it started its downloads, and killed after the daemon has sent the results.
    case undelivered
    /// The app is killed in the callback for the first session's file, with all other results waiting in its queue.
    case inCallback
  }

  let remake: Remake
  /// Whether the first relaunched process is killed when it receives its wake.
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

  // MARK: Execution

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
      // Stops the daemon first, so that no result can arrive before the app is stopped.
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
      // Prevents another relaunch by ending the daemon and removing its program.
      unlink(device.daemonProgram)
      device.stopDaemon()
      device.touch(signals[1])
    }
    try await device.until { device.said.last == "exit 0" }
    device.stopDaemon()
    return try RelaunchGraph(ToolRun("xferlog", ["replay", "-o", "json", device.log]))
  }

  // MARK: Expected results

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

  /// The expected wakes. The app is launched for the first session and receives the second session's wake when it connects.
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
      // The acknowledgement of the completion acknowledges the task.
      let completion = "didComplete \((behind + left).joined(separator: ", "))\(isTaken ? " acknowledged" : "")"
      return "task \(name) 1 \(isTaken ? "acknowledged succeeded" : "transferred open"): \(file); \(completion)"
    }
  }

  /// The expected findings, each followed by its root cause if it has one.
  var diagnosis: [String] {
    // A process that was killed before it called its handler can never call the handler. That is no fault if the next launch handled the
    // events.
    let isHandledLater = remake == .right || remake == .late
    let died = isRepeated && !isHandledLater ? ["missed-completion-handler probable a in 2"] : []
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
