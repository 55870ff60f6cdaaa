import CXferPlatform
import Foundation
import LogTestSupport
import XferScript

/// A test of one background transfer in which processes are killed. It runs from the app's first launch until no work is left
/// for the daemon.
struct Survival {
  let work: BackgroundWork
  /// The planned ends of the daemons, in start order.
  var daemons: [Death] = []
  /// The planned ends of the app processes that the test starts.
  var apps: [Death] = []
  /// Whether the daemon relaunches a killed app when it has events for the app. If not, the test restarts the app.
  var isLaunched = false
  /// A fault that is injected into the system calls of the first daemon instead of a kill.
  var fault: Injection?
  /// Whether system calls are recorded from the process start instead of from the start of its work.
  var recordsFromStart = false
  var records: (daemon: String?, app: String?) = (nil, nil)

  /// An error thrown when a step times out.
  struct Stuck: Error, CustomStringConvertible {
    let description: String
  }

  func run() async throws -> Aftermath {
    try await Device.run(work.routes) { unplanned in
      var device = unplanned
      let planned = try PlannedDaemon(&device, daemons)
      let course = SurvivalCourse(survival: self, device: device, planned: planned)
      do {
        try await course.run()
      } catch let stuck as Stuck {
        let last = try ToolRun("xferlog", ["show", device.log]).lines.suffix(25).joined(separator: "\n")
        let text = "\(stuck): app said \(device.said.map { $0.prefix(60) }), daemons \(planned.count)\n\(last)"
        course.end()
        throw Stuck(description: text)
      }
      device.stopDaemon()
      course.end()
      let deaths = try await course.deaths()
      let injected = fault == nil ? [] : SystemCallTrace(path: device.path("daemon.trace")).calls.filter(\.isInjected)
      return try await Aftermath(self, device, deaths, injected)
    }
  }
}

/// The execution of a `Survival` test.
final class SurvivalCourse {
  private let survival: Survival
  private let device: Device
  private let planned: PlannedDaemon
  private var daemon: Running?
  private var tracers: [Running] = []
  /// The exit statuses of the app processes that the test started.
  private var statuses: [Int32] = []

  init(survival: Survival, device: Device, planned: PlannedDaemon) {
    (self.survival, self.device, self.planned) = (survival, device, planned)
  }

  private var arguments: [String] { ["lives=1"] + (survival.isLaunched ? [] : ["quiet=1"]) }

  func run() async throws {
    try await startDaemon()
    var status = try await live(try survival.work.arguments(device))
    var isLaunched = survival.isLaunched
    var futile = 0
    while true {
      let story = Story(device.said)
      if status == 0, story.completions.count > 0 || !story.hasBegun { break }
      // A task that neither killed process had stored is lost, so the loop ends after five launches without a request.
      if status == 0 { futile += 1 }
      if futile == 5, device.server.requests.isEmpty { break }
      guard statuses.count < 30 else { throw Survival.Stuck(description: "the task did not end after 30 launches") }
      if status == 137, isLaunched, !device.server.requests.isEmpty, story.completions.isEmpty {
        isLaunched = false
        // The request was sent, so the daemon has stored the task and will launch the app for its completion.
        try await wait("a launched app") {
          if daemon?.status != nil, device.daemon == nil { daemon = try? device.startDaemon() }
          return Story(device.said).lives.contains { $0.isLaunched && $0.lines.last == "exit 0" }
        }
        status = 0
      } else {
        status = try await live(["until=rest"])
      }
    }
    // An acknowledgement that a daemon did not store is lost, so the callback is delivered again.
    if !survival.daemons.isEmpty || survival.fault != nil { while try await live(["until=rest"]) != 0 {} }
  }

  /// Ends the app and the daemon. Their tracers then write their output and exit.
  func end() { device.endProcesses() }

  private func wait(_ what: String, until condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
      if ContinuousClock.now > deadline { throw Survival.Stuck(description: "timed out waiting for \(what)") }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  // MARK: Daemon

  private func startDaemon() async throws {
    if let record = survival.records.daemon, survival.recordsFromStart {
      daemon = try Running(
        SystemCallTracer.program, SystemCallTracer.arguments(output: record, nil) + ["\(ToolRun.directory)/xferd"],
        device.environment)
    } else {
      daemon = try device.startDaemon()
    }
    // If the daemon is killed here, the app starts another one.
    try await wait("the daemon") { (try? device.connect()) != nil || daemon?.status != nil }
    try await wait("the daemon's lock") { device.daemon != nil || daemon?.status != nil }
    guard let pid = device.daemon else { return }
    if case .atCall(let site, fromStart: false) = survival.daemons.first ?? .none {
      try await trace(pid, into: device.path("daemon.trace"), site.injection)
    } else if let fault = survival.fault {
      try await trace(pid, into: device.path("daemon.trace"), fault)
    } else if let record = survival.records.daemon, !survival.recordsFromStart {
      try await trace(pid, into: record, nil)
    }
  }

  private func trace(_ pid: pid_t, into output: String, _ injection: Injection?) async throws {
    let tracer = try Running(
      SystemCallTracer.program, ["-p", "\(pid)"] + SystemCallTracer.arguments(output: output, injection), [:])
    tracers.append(tracer)
    try await wait("strace") { SystemCallTracer.isTraced(pid) || tracer.status != nil }
  }

  // MARK: App

  private var appTrace: String { device.path("app-\(statuses.count).trace") }

  /// Starts the app, waits for its exit and returns its status.
  private func live(_ more: [String]) async throws -> Int32 {
    let place = statuses.count
    let words = ["files=\(device.path("files"))", "said=\(device.path("said"))"] + arguments + more
    let death = place < survival.apps.count ? survival.apps[place] : .none
    let record = place == 0 ? survival.records.app : nil
    var environment = device.environment
    let app: Running
    switch death {
    case .atCall(let site, fromStart: true):
      app = try Running(
        SystemCallTracer.program,
        SystemCallTracer.arguments(output: appTrace, site.injection) + ["\(ToolRun.directory)/background-probe"] + words,
        environment)
    case .atCall(let site, fromStart: false): app = try await stopped(words, into: appTrace, site.injection)
    case .atEvent(let hook):
      environment["XFERLOG_TEST_KILL"] = hook
      app = try Running("background-probe", words, environment)
    case .none:
      if let record, survival.recordsFromStart {
        app = try Running(
          SystemCallTracer.program,
          SystemCallTracer.arguments(output: record, nil) + ["\(ToolRun.directory)/background-probe"] + words, environment)
      } else if let record {
        app = try await stopped(words, into: record, nil)
      } else {
        app = try Running("background-probe", words, environment)
      }
    }
    try await wait("the app") { app.status != nil }
    statuses.append(app.status!)
    return app.status!
  }

  /// Starts an app that is traced from the start of its work.
  private func stopped(_ words: [String], into output: String, _ injection: Injection?) async throws -> Running {
    let app = try Running("background-probe", words + ["gate=1"], device.environment)
    try await wait("the app to stop") {
      let status = (try? String(contentsOfFile: "/proc/\(app.pid)/stat", encoding: .utf8)) ?? ""
      return status.split(separator: ")").last?.hasPrefix(" T") ?? true
    }
    try await trace(app.pid, into: output, injection)
    kill(app.pid, SIGCONT)
    return app
  }

  // MARK: Observed kills

  /// Returns the planned kills that happened.
  func deaths() async throws -> [ObservedDeath] {
    // A tracer's output is complete only after the tracer has exited.
    try await wait("strace to end") {
      tracers.allSatisfy { $0.status != nil } && daemon?.status != nil && planned.haveEnded
    }
    var deaths: [ObservedDeath] = []
    for (number, death) in survival.daemons.enumerated() {
      switch death {
      case .none: break
      case .atCall(let site, let fromStart):
        deaths += observed(.daemon, site, fromStart ? planned.trace(number) : device.path("daemon.trace"), fromStart)
      case .atEvent(let hook):
        if planned.wasKilled(number) { deaths.append(.init(victim: .daemon, place: hook, kind: "event", moment: nil)) }
      }
    }
    for (number, death) in survival.apps.enumerated() where number < statuses.count {
      switch death {
      case .none: break
      case .atCall(let site, let fromStart): deaths += observed(.app, site, device.path("app-\(number).trace"), fromStart)
      case .atEvent(let hook):
        if statuses[number] == 137 { deaths.append(.init(victim: .app, place: hook, kind: "event", moment: nil)) }
      }
    }
    return deaths
  }

  private func observed(_ victim: Victim, _ site: KillSite, _ path: String, _ fromStart: Bool) -> [ObservedDeath] {
    let trace = SystemCallTrace(path: path)
    guard let killed = trace.killed, let call = trace.call(site.call, site.nth) else { return [] }
    let kind = KillSite.Kind(call)
    let ahead = Double(xp_clock_wall()) / 1e9 - Double(xp_clock_monotonic()) / 1e9
    return [
      .init(
        victim: victim, place: "\(fromStart ? "start:" : "")\(site)", kind: fromStart && kind == .other ? "start" : kind.rawValue,
        moment: .seconds(killed - ahead))
    ]
  }
}

enum Victim: String, CaseIterable {
  case app, daemon
}

struct ObservedDeath: CustomStringConvertible {
  let victim: Victim
  let place: String
  let kind: String
  /// The monotonic time of the kill. `nil` when it was not recorded.
  let moment: Duration?

  var description: String { "\(victim.rawValue) at \(place) (\(kind))" }
}
