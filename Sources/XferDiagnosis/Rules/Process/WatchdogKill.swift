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
        "at its launch, while it connected a session", certainty: .certain, variant: "launch",
        .evidence(launched, at: .zero),
        .event(SessionCreated(session: "com.example.img", instance: CorrelationID(1), sessionKind: .background), at: .seconds(1)),
        .evidence(SessionConnectStarted(session: "com.example.img", instance: CorrelationID(1)), at: .seconds(1)),
        .evidence(killed(), at: .seconds(20), by: .daemon)),
      RuleExample(
        "when it went to the background, in the middle of work of its own", certainty: .certain, variant: "state change",
        .event(launched, at: .zero), .event(ProcessStateChanged(state: .foreground), at: .seconds(1)),
        .evidence(AppWorkBegun(work: CorrelationID(9), name: "export"), at: .seconds(59)),
        .evidence(ProcessStateChanged(state: .background), at: .seconds(60)), .evidence(killed(), at: .seconds(66), by: .daemon)),
      RuleExample(
        "in a callback, long after both", certainty: .certain, variant: "running",
        .event(launched, at: .zero), .event(ProcessStateChanged(state: .background), at: .seconds(1)),
        .event(TaskCreated(task: .example, type: .data), at: .seconds(2)), .event(TaskResumed(task: .example), at: .seconds(2)),
        .event(AttemptStarted(task: .example, attempt: 1), at: .seconds(590)),
        .event(DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didReceiveData), at: .seconds(600)),
        .event(DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didReceiveData), at: .seconds(600)),
        .evidence(DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didReceiveData), at: .seconds(600)),
        .evidence(killed(), at: .seconds(630), by: .daemon)),
      RuleExample(
        "at work of its own, long after its launch", certainty: .certain, variant: "running",
        .event(launched, at: .zero), .evidence(AppWorkBegun(work: CorrelationID(9), name: "export"), at: .seconds(100)),
        .evidence(killed(), at: .seconds(130), by: .daemon)),
    ],
    staysSilent: [
      RuleExample("it crashed", .event(launched, at: .zero), .event(killed(.signal, signal: 11), at: .seconds(20), by: .daemon)),
      RuleExample(
        "the system needed its memory",
        .event(launched, at: .zero), .event(killed(.memoryPressure), at: .seconds(20), by: .daemon)),
      RuleExample("it is at work", .event(launched, at: .zero), .event(LogHeartbeatWritten(), at: .seconds(60))),
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
