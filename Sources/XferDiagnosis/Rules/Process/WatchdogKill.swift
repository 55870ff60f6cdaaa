import XferEvents
import XferLifecycle
import XferReplay

/// The process took too long, and was ended for it.
struct WatchdogKill: ProcessRule {
  private static func killed(_ reason: ExitReason = .watchdog, signal: Int = 9) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, signal: signal, exitReason: reason, by: .daemon)
  }

  private static let launched = ProcessStarted(startReason: .user, executable: "app")

  static let description = RuleDescription(
    id: "watchdog-kill", severity: .error,
    summary: "The process was ended because it did not answer in time.",
    explanation: """
      The system gives an app some seconds to launch and to follow a change of its state; an app whose main thread is busy \
      then is ended (0x8badf00d) and leaves no crash of its own. Connecting a background session to a daemon that hangs, \
      reading a large store and exporting a log are what is found at that place. The finding names what the process had \
      begun longest ago and not ended; the variant is the phase that it was in.
      """,
    remedy: """
      Do nothing on the main thread that waits: no synchronous call of a daemon, no file of unknown size. Do what remains \
      when the app goes to the background in background time, in pieces.
      """,
    sources: ["https://forums.developer.apple.com/forums/thread/746742"],
    needsNoDebugger: true,
    consequenceOf: ["logging-caused-harm", "assertion-expired-kill", "callback-thread-blocked"],
    reports: [
      RuleExample(
        "at its launch, while it connected a session", .certain, variant: "launch",
        cites: [.processStarted, .sessionConnectStarted, .processExitObserved],
        .at(0, launched),
        .at(1, SessionCreated(session: "com.example.img", instance: CorrelationID(1), sessionKind: .background)),
        .at(1, SessionConnectStarted(session: "com.example.img", instance: CorrelationID(1))), .at(20, killed(), by: .daemon)),
      RuleExample(
        "when it went to the background, in the middle of work of its own", .certain, variant: "state change",
        cites: [.last(.processStateChanged), .appWorkBegun, .processExitObserved],
        .at(0, launched), .at(1, ProcessStateChanged(state: .foreground)),
        .at(59, AppWorkBegun(work: CorrelationID(9), name: "export")), .at(60, ProcessStateChanged(state: .background)),
        .at(66, killed(), by: .daemon)),
      RuleExample(
        "in a callback, long after both", .certain, variant: "running", cites: [.deliveryEntered, .processExitObserved],
        .at(0, launched), .at(1, ProcessStateChanged(state: .background)), .at(2, TaskCreated(type: .data)),
        .at(2, TaskResumed()), .at(590, AttemptStarted(attempt: 1)),
        .at(600, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
        .at(600, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
        .at(600, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didReceiveData)),
        .at(630, killed(), by: .daemon)),
      RuleExample(
        "at work of its own, long after its launch", .certain, variant: "running", cites: [.appWorkBegun, .processExitObserved],
        .at(0, launched), .at(100, AppWorkBegun(work: CorrelationID(9), name: "export")), .at(130, killed(), by: .daemon)),
    ],
    staysSilent: [
      RuleExample("it crashed", .at(0, launched), .at(20, killed(.signal, signal: 11), by: .daemon)),
      RuleExample("the system needed its memory", .at(0, launched), .at(20, killed(.memoryPressure), by: .daemon)),
      RuleExample("it is at work", .at(0, launched), .at(60, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [.processExitObserved]

  /// Twenty seconds is what iOS gives a launch; whoever sees the end sees it a little later.
  var launch: Duration = .seconds(25)
  /// Five to ten seconds is what it gives a change of state.
  var change: Duration = .seconds(15)

  static let limits = [
    RuleLimit("launch", \Self.launch, "how long after its start a process is taken to be launching"),
    RuleLimit("change", \Self.change, "how long after it a change of state is taken to be under way"),
  ]

  /// “Ate bad food”: the code with which iOS ends who took too long.
  private static let ateBadFood: UInt32 = 0x8bad_f00d

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let exit = process.exitObserved else { return process.endFact == nil && !asked.isEndOfLog ? nil : .silent }
    let isCoded = process.exitCode.map { UInt32(truncatingIfNeeded: $0) == Self.ateBadFood } ?? false
    guard process.exited == nil, process.exitReason == .watchdog || isCoded else { return .silent }
    let phase = phase(of: process, exit)
    let span = Self.spans(of: process, tasks, in: world).min { ($0.since.monotonic ?? .max) < ($1.since.monotonic ?? .max) }
    let what = span.map { "; it had not ended \($0.name)" } ?? ""
    return .finding(
      Draft(
        variant: phase.name, summary: "\(process.executable ?? "The process") was ended by the watchdog\(phase.text)\(what).",
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

  /// What it had begun and not ended.
  private static func spans(of process: ProcessLifecycle, _ tasks: [Int], in world: World) -> [(name: String, since: Fact)] {
    var spans = process.spans.work.map { (name: "“\($0.name)”", since: $0.begun) }
    for session in world.sessions where world.processes[session.process].launch == process.launch {
      if let tried = session.firstConnectTry { spans.append(("connecting \(session.identifier)", tried)) }
    }
    for place in tasks {
      let task = world.tasks[place]
      if let callback = task.runningCallback {
        spans.append(("\(callback.callback.name) of \(task.identity.text)", callback.entered))
      }
      if let work = task.appWork { spans.append(("work for \(task.identity.text)", work)) }
    }
    return spans
  }
}
