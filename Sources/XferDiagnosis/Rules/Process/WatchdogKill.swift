import XferEvents
import XferLifecycle
import XferReplay

/// The watchdog killed a process that did not respond in time.
struct WatchdogKill: ProcessRule {
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, ProcessStarted(startReason: .user, executable: "app"))] + steps
  }
  private static func killed(_ reason: ExitReason = .watchdog, signal: Int = 9) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, signal: signal, exitReason: reason, by: .daemon)
  }
  private static let work = AppWorkBegun(work: CorrelationID(9), name: "export")

  static let description = RuleDescription(
    id: "watchdog-kill", severity: .error,
    summary: "The watchdog killed the process because it did not respond in time.",
    explanation: """
      The system gives an app a few seconds to launch and to follow a state change. It kills an app whose main thread is \
      blocked longer (0x8badf00d), and the app leaves no crash report of its own. Typical causes are connecting a background \
      session to a daemon that hangs, reading a large store, and exporting a log. The finding names the oldest unfinished \
      operation; the variant names the phase: "launch", "state change" or "running".
      """,
    remedy: """
      Do not block the main thread: make no synchronous calls to a daemon, and do not read files of unknown size there. When \
      the app goes to the background, finish the remaining work in small pieces within a background assertion \
      (beginBackgroundTask).
      """,
    sources: ["https://forums.developer.apple.com/forums/thread/746742"],
    needsNoDebugger: true,
    consequenceOf: ["logging-caused-harm", "assertion-expired-kill", "callback-thread-blocked"],
    reports: [
      RuleExample(
        "the app was connecting a session during its launch", .certain, variant: "launch",
        cites: [.processStarted, .sessionConnectStarted, .processExitObserved],
        steps: story(
          .at(1, SessionCreated(session: "com.example.img", instance: CorrelationID(1), sessionKind: .background)),
          .at(1, SessionConnectStarted(session: "com.example.img", instance: CorrelationID(1))), .at(20, killed(), by: .daemon))),
      RuleExample(
        "the app was doing its own work while it went to the background", .certain, variant: "state change",
        cites: [.last(.processStateChanged), .appWorkBegun, .processExitObserved],
        steps: story(
          .at(1, ProcessStateChanged(state: .foreground)), .at(59, work), .at(60, ProcessStateChanged(state: .background)),
          .at(66, killed(), by: .daemon))),
      RuleExample(
        "the app was in a callback, long after its launch and its state change", .certain, variant: "running",
        cites: [.deliveryEntered, .processExitObserved],
        steps: story(
          .at(1, ProcessStateChanged(state: .background)), .at(2, TaskCreated(type: .data)),
          .at(2, TaskResumed()), .at(590, AttemptStarted(attempt: 1)),
          .at(600, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
          .at(600, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
          .at(600, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
          .at(630, killed(), by: .daemon))),
      RuleExample(
        "the app was doing its own work, long after its launch", .certain, variant: "running",
        cites: [.appWorkBegun, .processExitObserved], steps: story(.at(100, work), .at(130, killed(), by: .daemon))),
    ],
    staysSilent: [
      RuleExample("the process crashed", steps: story(.at(20, killed(.signal, signal: 11), by: .daemon))),
      RuleExample(
        "the system killed the process because of memory pressure", steps: story(.at(20, killed(.memoryPressure), by: .daemon))),
      RuleExample("the process is running", steps: story(.at(60, LogHeartbeatWritten()))),
    ])

  static let watches: Set<EventKind> = [.processExitObserved]

  /// The maximum time from a launch to the observed exit. iOS gives a launch twenty seconds, and the exit is observed a little
  /// later.
  var launch: Duration = .seconds(25)
  /// The maximum time from a state change to the observed exit. iOS gives a state change five to ten seconds.
  var change: Duration = .seconds(15)

  static let limits = [
    RuleLimit("launch", \Self.launch, "the time after its start in which a process counts as launching"),
    RuleLimit("change", \Self.change, "the time after a state change in which the change counts as unfinished"),
  ]

  /// The exit code of processes that the watchdog of iOS kills (“ate bad food”).
  private static let ateBadFood: UInt32 = 0x8bad_f00d

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let exit = process.exitObserved else { return process.endFact == nil && !asked.isEndOfLog ? nil : .silent }
    let isCoded = process.exitCode.map { UInt32(truncatingIfNeeded: $0) == Self.ateBadFood } ?? false
    guard process.exited == nil, process.exitReason == .watchdog || isCoded else { return .silent }
    let phase = phase(of: process, exit)
    let span = Self.spans(of: process, tasks, in: world).min { ($0.since.monotonic ?? .max) < ($1.since.monotonic ?? .max) }
    let what = span.map { "; it had not finished \($0.name)" } ?? ""
    return .finding(
      Draft(
        variant: phase.name, summary: "\(process.executable ?? "The process") was killed by the watchdog\(phase.text)\(what).",
        claim: .presence, evidence: exit, [span?.since, phase.fact]))
  }

  private func phase(of process: ProcessLifecycle, _ exit: Fact) -> (name: String, text: String, fact: Fact?) {
    if let changed = process.stateChanged, let time = changed.duration(to: exit), time <= change {
      return ("state change", " when it changed to \(process.state?.name ?? "another state")", changed)
    }
    if let started = process.started, let time = started.duration(to: exit), time <= launch, process.stateChanged == nil {
      return ("launch", " at its launch", started)
    }
    return ("running", "", nil)
  }

  /// The operations that the process had begun and not ended.
  private static func spans(of process: ProcessLifecycle, _ tasks: [Int], in world: World) -> [(name: String, since: Fact)] {
    var spans = process.spans.work.map { (name: "“\($0.name)”", since: $0.begun) }
    for session in world.sessions where world.processes[session.process].launch == process.launch {
      if let tried = session.firstConnectTry { spans.append(("connecting \(session.identifier)", tried)) }
    }
    for place in tasks {
      let task = world.tasks[place]
      if let callback = task.runningCallback {
        spans.append(("\(callback.callback.name) of \(task.identity.label)", callback.entered))
      }
      if let work = task.appWork { spans.append(("work for \(task.identity.label)", work)) }
    }
    return spans
  }
}
