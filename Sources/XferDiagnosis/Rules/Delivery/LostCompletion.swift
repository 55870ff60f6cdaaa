import XferEvents
import XferLifecycle
import XferReplay

/// The engine was done with a task, and the app never heard of it.
struct LostCompletion: TaskRule {
  static let description = RuleDescription(
    id: "lost-completion", severity: .critical,
    summary: "The transfer had ended, but its completion never reached the app.",
    explanation: """
      Between the last byte and the app's code lie five steps: the completion is sent, received, entered (the app's code \
      is called), left (it has returned) and recorded. When the chain breaks, the app waits for ever for a transfer that \
      is long over. The variant names the step at which it broke: what was never sent was lost by the engine or the \
      daemon, what was sent but not received was lost between processes, what was received but not entered waited behind \
      another callback or died with the process, and what was entered but not left hangs in, or crashed in, the app's \
      own code.
      """,
    remedy: """
      Keep a record of every task before it is resumed, and compare it with the session's tasks at each launch: what is \
      neither listed nor recorded as complete has to be asked for again. Return from callbacks quickly.
      """,
    sources: [
      "https://github.com/lionheart/openradar-mirror/issues/6697", "https://developer.apple.com/forums/thread/740564",
      "https://github.com/Infomaniak/ios-kDrive/issues/735", "https://github.com/firebase/firebase-ios-sdk/issues/147",
    ],
    needsWholeLog: true,
    consequenceOf: ["callback-thread-blocked", "claim-failed-destination", "delegate-missing"],
    reports: [
      RuleExample(
        "killed between the last byte and the callback", .certain, variant: "never sent",
        cites: [.taskTransferred, .processExitObserved],
        .at(0, ProcessStarted(executable: "app")), .at(0.001, TaskCreated(type: .data, method: "GET", host: "example.com")),
        .at(0.002, TaskResumed()), .at(0.003, AttemptStarted(attempt: 1)),
        .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 10)),
        .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "the callback was queued and never ran, and the app went on", .probable, variant: "received, not entered",
        cites: [.taskTransferred, .deliverySent, .deliveryReceived],
        .at(0, TaskCreated(type: .data)), .at(0.002, TaskResumed()), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(90, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "the app's code was called and never returned", .certain, variant: "entered, not left",
        cites: [.attemptEnded, .deliverySent, .deliveryReceived, .deliveryEntered, .processExitObserved],
        .at(0, TaskCreated(type: .data)), .at(0.003, AttemptStarted(attempt: 1)),
        .at(0.01, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)),
        .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(20, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .memoryPressure), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "delivered",
        .at(0, TaskCreated(type: .data)), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.014, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.015, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)),
        .at(100, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "the app has no code for it",
        .at(0, TaskCreated(type: .data)), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
        .at(0.012, DeliveryDropped(task: .example, delivery: DeliveryID(1), callback: .didComplete, why: .noConsumer)),
        .at(0.013, TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)),
        .at(90, LogHeartbeatWritten(liveTasks: 0))),
      RuleExample(
        "still on its way when the log ends",
        .at(0, TaskCreated(type: .data)), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didComplete))),
      RuleExample(
        "the daemon keeps it until the app comes back",
        .at(0, SessionCreated(session: TaskIdentity.example.session, instance: CorrelationID(1), sessionKind: .background)),
        .at(0.001, TaskCreated(type: .download)), .at(0.002, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(0.01, TaskTransferred(received: 10, status: 200), by: .daemon),
        .at(5, ProcessExited(code: 0, exitReason: .returned), by: .daemon)),
      RuleExample(
        "the daemon keeps it, and the log lacks what the session is",
        .at(0.001, TaskCreated(type: .download)), .at(0.002, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(0.01, TaskTransferred(received: 10, status: 200), by: .daemon),
        .at(5, ProcessExited(code: 0, exitReason: .returned), by: .daemon)),
      RuleExample(
        "the app had cancelled it",
        .at(0, TaskCreated(type: .data)), .at(0.005, TaskCancelRequested(by: .app)), .at(0.003, AttemptStarted(attempt: 1)),
        .at(0.006, AttemptEnded(attempt: 1, end: .cancelled)), .at(100, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "the process was suspended for most of the time",
        .at(0, TaskCreated(type: .data)), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(1, ProcessStateChanged(state: .suspended)), .at(300, ProcessStateChanged(state: .resumed)),
        .at(301, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "the attempt failed and another one is to come",
        .at(0, TaskCreated(type: .data)), .at(0.003, AttemptStarted(attempt: 1)),
        .at(0.01, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .seconds(120))),
        .at(90, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample(
        "another task goes on with the response",
        .at(0, TaskCreated(type: .data)), .at(0.003, AttemptStarted(attempt: 1)),
        .at(0.01, AttemptEnded(attempt: 1, end: .handedOff)), .at(0.01, TaskHandedOff(successor: .example(2))),
        .at(90, LogHeartbeatWritten(liveTasks: 1))),
    ])

  /// The steps in between change nothing but the stage, for which there is time until the deadline.
  static let watches: Set<EventKind> = [.taskCompleted, .taskHandedOff]
  static let watchesUnlessWaiting: Set<EventKind> = [.taskTransferred, .attemptEnded]

  /// Long enough for any queue; an app's callbacks take milliseconds.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a completion may take from the last byte to the app’s code")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // A completion that the app asked for by cancelling is no news to it (G10).
    if task.cancelledBy == .app { return .silent }
    // Another task has the completion.
    if task.handedOff != nil { return .silent }
    guard let wireEnd = task.wireEnd else { return asked.isTaskOver ? .silent : nil }
    let delivery = task.completionDelivery
    // Nobody listens: nothing was lost on the way.
    if delivery?.dropReason == .noConsumer { return .silent }
    // `entered` alone proves that the app's code ran; what follows it is bookkeeping.
    if delivery?.entered != nil, delivery?.left != nil, task.completed != nil { return .silent }
    let process = world.process(of: task)
    // The daemon keeps what it has not sent, in all its lives; why nobody came for it is another question.
    if delivery?.sent == nil, process.role == .daemon, world.mayOutliveProcess(task) { return .silent }
    // The next life of a background session may still deliver what this one did not.
    if process.endFact != nil, !asked.isEndOfLog, world.sessionKind(of: task) == .background { return nil }
    guard let proof = asked.proofOfAbsence(since: wireEnd, within: patience, by: process) else {
      return asked.isEndOfLog ? nil : .wait(patience, after: wireEnd)
    }
    return .finding(draft(task, delivery, wireEnd: wireEnd, proof: proof, mayGoOn: world.mayOutliveProcess(task)))
  }

  private func draft(
    _ task: TaskLifecycle, _ delivery: DeliveryLifecycle?, wireEnd: Fact, proof: Draft.AbsenceProof, mayGoOn: Bool
  ) -> Draft {
    let (stage, missing, since) = Self.stage(of: delivery)
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return Draft(
      variant: stage,
      summary: "Task \(task.identity.session)/\(task.identity.number) had ended on the wire, but its completion was \(stage).",
      claim: .absence(since: since ?? wireEnd, shownBy: proof),
      evidence: wireEnd, [delivery?.sent, delivery?.received, delivery?.entered, delivery?.left, end],
      missing: [.init(missing, dueBy: wireEnd.due(within: patience))],
      unless: mayGoOn ? ["a later launch is still to connect the session"] : [])
  }

  /// The step at which the completion was lost, the event that would have shown the next one, and the last that was there.
  private static func stage(of delivery: DeliveryLifecycle?) -> (String, EventKind, Fact?) {
    guard let delivery else { return ("never sent", .deliverySent, nil) }
    if delivery.entered == nil {
      return delivery.received == nil
        ? ("sent, not received", .deliveryReceived, delivery.sent)
        : ("received, not entered", .deliveryEntered, delivery.received)
    }
    return delivery.left == nil
      ? ("entered, not left", .deliveryLeft, delivery.entered) : ("left, not completed", .taskCompleted, delivery.left)
  }
}
