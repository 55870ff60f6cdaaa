import XferEvents
import XferLifecycle
import XferReplay

/// A task that was resumed before the app had stored its intent durably.
struct StartedBeforeRecorded: IntentRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(startReason: .user, executable: "app"))
  private static func declared(durable: Bool? = false, at time: Double = 1) -> RuleExample.Step {
    .at(time, AppIntentDeclared(intent: "import-7", durable: durable))
  }
  private static func created(metadata: String? = nil) -> RuleExample.Step {
    .at(2, TaskCreated(type: .upload, intent: "import-7", metadata: metadata))
  }
  private static let resumed = RuleExample.Step.at(3, TaskResumed())
  private static let exited = RuleExample.Step.at(90, ProcessExited(code: 0, exitReason: .returned))

  static let description = RuleDescription(
    id: "started-before-recorded", severity: .critical,
    summary: "The task was resumed before the app had stored on disk what the task is for.",
    explanation: """
      The process may end between the resume of a task and the moment when the app’s record of the task is on disk. The task \
      then continues in the daemon without an owner: its completion finds no record, and the app starts the same transfer \
      again. The variant says whether the record came late ("late"), never came ("never"), or was still missing when the \
      process died ("died before").
      """,
    remedy: """
      Write and sync the record first, then resume the task. Alternatively, store the information that identifies the task \
      with the task itself, as metadata or in its description.
      """,
    sources: ["https://github.com/home-assistant/iOS/pull/5703"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the record was stored a second after the resume", .certain, variant: "late",
        cites: [.last(.appIntentDeclared), .taskResumed],
        started, declared(), created(), resumed, declared(durable: true, at: 4)),
      RuleExample(
        "the record was never stored", .certain, variant: "never", cites: [.taskResumed, .processExited],
        started, declared(), created(), resumed, .at(5, TaskCompleted(sent: 1, status: 200)), exited),
      RuleExample(
        "the record was not stored within a minute", .probable, variant: "never", cites: [.taskResumed],
        started, declared(), created(), resumed, .at(90, LogHeartbeatWritten())),
      RuleExample(
        "the process died before the record was stored", .certain, variant: "died before",
        cites: [.taskResumed, .processExitObserved],
        .at(0, SessionCreated(session: "default-1", sessionKind: .background)), started, declared(), created(), resumed,
        .at(4, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 11, exitReason: .signal), by: .daemon)),
    ],
    staysSilent: [
      RuleExample("the record was stored first", started, declared(durable: true), created(), resumed, exited),
      RuleExample(
        "the task's metadata identifies its purpose",
        started, declared(), created(metadata: #"{"id":"7"}"#), resumed, exited),
      RuleExample(
        "the task was never resumed", started, declared(), created(), .at(30, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "the task was resumed a few seconds ago", started, declared(), created(), resumed, .at(20, LogHeartbeatWritten())),
      RuleExample(
        "the app does not log whether its record is on disk",
        started, declared(durable: nil), created(), resumed, exited),
    ])

  static let watches: Set<EventKind> = [.taskResumed, .appIntentDeclared, .appIntentBound]

  /// The time after which a record counts as missing rather than late.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the record may take before it counts as missing")]

  func verdict(on intent: IntentLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let resumed = intent.resumed else { return asked.isEndOfLog ? .silent : nil }
    if intent.hasMetadata { return .silent }
    let tasks = intent.bindings.last.map { [$0.task] } ?? []
    let process = world.processes[intent.process]
    // The absence counts from the beginning of the log, because a gap anywhere may hide an event that says that the record was stored.
    let begin = process.firstSeen ?? resumed
    if let recorded = intent.recorded {
      guard let time = resumed.duration(to: recorded), time > .zero else { return .silent }
      return .finding(
        Draft(
          variant: "late", summary: "The task for “\(intent.key)” was resumed before the app had stored its record on disk.",
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
          ? "The process died after the task for “\(intent.key)” was resumed and before the app had stored its record on disk."
          : "The task for “\(intent.key)” was resumed, but the app never stored its record on disk.",
        claim: .absence(since: begin, shownBy: proof), evidence: resumed, [end],
        missing: [.init(.appIntentDeclared, dueBy: due)], tasks: tasks))
  }
}
