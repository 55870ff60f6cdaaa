import XferEvents
import XferLifecycle
import XferReplay

/// A task was started before the app had stored what it is for.
struct StartedBeforeRecorded: IntentRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(startReason: .user, executable: "app"))

  private static func declared(durable: Bool?) -> AppIntentDeclared { AppIntentDeclared(intent: "import-7", durable: durable) }

  private static func created(metadata: String? = nil) -> RuleExample.Step {
    .at(2, TaskCreated(type: .upload, intent: "import-7", metadata: metadata))
  }

  private static let resumed = TaskResumed()
  private static let exited = ProcessExited(code: 0, exitReason: .returned)

  static let description = RuleDescription(
    id: "started-before-recorded", severity: .critical,
    summary: "The task was resumed before the app had on disk what it is for.",
    explanation: """
      Between the resume of a task and the moment when the app’s record of it is on disk there is a gap in which the process \
      may end. Afterwards the task goes on in the daemon and belongs to nobody: its completion finds no record, and the app \
      starts the same again. The variant says whether the record came late, never, or not before the process had died.
      """,
    remedy: """
      Write the record first, and synchronise it; resume the task then. Or let what is needed to know it again travel with \
      the task, as metadata or as its description.
      """,
    sources: ["https://github.com/home-assistant/iOS/pull/5703"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "stored a moment after the resume", .certain, variant: "late", cites: [.last(.appIntentDeclared), .taskResumed],
        started, .at(1, declared(durable: false)), created(), .at(3, resumed), .at(4, declared(durable: true))),
      RuleExample(
        "never stored", .certain, variant: "never", cites: [.taskResumed, .processExited],
        started, .at(1, declared(durable: false)), created(), .at(3, resumed), .at(5, TaskCompleted(sent: 1, status: 200)),
        .at(90, exited)),
      RuleExample(
        "a minute later the app still has not stored it", .probable, variant: "never", cites: [.taskResumed],
        started, .at(1, declared(durable: false)), created(), .at(3, resumed), .at(90, LogHeartbeatWritten())),
      RuleExample(
        "the process died in between", .certain, variant: "died before", cites: [.taskResumed, .processExitObserved],
        .at(0, SessionCreated(session: "default-1", sessionKind: .background)), started, .at(1, declared(durable: false)),
        created(), .at(3, resumed),
        .at(4, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), by: .daemon)),
    ],
    staysSilent: [
      RuleExample("stored first", started, .at(1, declared(durable: true)), created(), .at(3, resumed), .at(90, exited)),
      RuleExample(
        "the task carries what is needed",
        started, .at(1, declared(durable: false)), created(metadata: #"{"id":"7"}"#), .at(3, resumed), .at(90, exited)),
      RuleExample("it was never resumed", started, .at(1, declared(durable: false)), created(), .at(30, exited)),
      RuleExample(
        "there is still time",
        started, .at(1, declared(durable: false)), created(), .at(3, resumed), .at(20, LogHeartbeatWritten())),
      RuleExample(
        "the app does not say what it has on disk",
        started, .at(1, declared(durable: nil)), created(), .at(3, resumed), .at(90, exited)),
    ])

  static let watches: Set<EventKind> = [.taskResumed, .appIntentDeclared, .appIntentBound]

  /// For a record that comes late.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the record may take before it is taken to be missing")]

  func verdict(on intent: IntentLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let resumed = intent.resumed else { return asked.isEndOfLog ? .silent : nil }
    if intent.hasMetadata { return .silent }
    let tasks = intent.bindings.last.map { [$0.task] } ?? []
    let process = world.processes[intent.process]
    // A record that the log lost may have come at any time.
    let begin = process.firstSeen ?? resumed
    if let recorded = intent.recorded {
      guard let time = resumed.duration(to: recorded), time > .zero else { return .silent }
      return .finding(
        Draft(
          variant: "late", summary: "The task for “\(intent.key)” was resumed before the app had stored what it is for.",
          claim: .absence(since: begin, shownBy: .overtaken(by: recorded)), evidence: resumed, [recorded],
          missing: [.init(.appIntentDeclared, dueBy: resumed.moment)], tasks: tasks))
    }
    guard intent.saysRecorded else { return asked.isEndOfLog ? .undecidable(needs: "durable of app.intentDeclared") : nil }
    guard let proof = asked.proofOfAbsence(since: resumed, within: patience, by: process) else {
      return asked.isEndOfLog ? nil : .wait(patience, after: resumed)
    }
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    let due = resumed.monotonic.map { Moment(monotonic: $0.addingClamped(patience.nanoseconds)) }
    let died = end != nil && process.endedAbnormally
    return .finding(
      Draft(
        variant: died ? "died before" : "never",
        summary: died
          ? "The process died when the task for “\(intent.key)” ran and the app had not stored what it is for."
          : "The task for “\(intent.key)” was resumed, and the app never stored what it is for.",
        claim: .absence(since: begin, shownBy: proof), evidence: resumed, [end],
        missing: [.init(.appIntentDeclared, dueBy: due)], tasks: tasks))
  }
}
