import XferEvents
import XferLifecycle
import XferReplay

/// A task that the engine finished but whose completion never reached the app.
struct LostCompletion: TaskRule {
  private static let created = RuleExample.Step.at(0, TaskCreated(type: .data))
  private static let transferred = RuleExample.Step.at(0.01, TaskTransferred(received: 10, status: 200))
  private static let attempt = RuleExample.Step.at(0.003, AttemptStarted(attempt: 1))
  private static let sent = RuleExample.Step.at(
    0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didComplete))
  private static let received = RuleExample.Step.at(
    0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didComplete))
  private static let entered = RuleExample.Step.at(
    0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didComplete))
  private static let completed = TaskCompleted(delivery: DeliveryID(1), received: 10, status: 200)
  private static let alive = RuleExample.Step.at(90, LogHeartbeatWritten(liveTasks: 1))

  private static func failed(retryIn time: Duration? = nil) -> RuleExample.Step {
    .at(0.01, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: time))
  }

  static let description = RuleDescription(
    id: "lost-completion", severity: .critical,
    summary: "The transfer ended, but its completion never reached the app.",
    explanation: """
      A completion takes five steps from the last byte to the app's code: it is sent, received, entered (the app's callback is \
      called), left (the callback has returned) and recorded (task.completed is logged). When a step is missing, the app waits \
      forever for a transfer that has ended. The variant names the missing step. Not sent: the engine or the daemon lost the \
      completion. Not received: it was lost between processes. Not entered: it was queued behind another callback, or lost \
      with the process. Not left: the app's callback hung or crashed, or the process ended during the callback. Not completed: \
      the callback returned, but task.completed was never logged, for example because the process ended in between.
      """,
    remedy: """
      Store a record of every task before it is resumed, and compare the records with the session's tasks at each launch; \
      restart the transfers that are neither listed nor recorded as complete. Return from callbacks quickly.
      """,
    sources: [
      "https://github.com/lionheart/openradar-mirror/issues/6697", "https://developer.apple.com/forums/thread/740564",
      "https://github.com/Infomaniak/ios-kDrive/issues/735", "https://github.com/firebase/firebase-ios-sdk/issues/147",
    ],
    needsWholeLog: true,
    consequenceOf: [
      "callback-thread-blocked", "claim-failed-destination", "delegate-missing", "background-launch-crash-loop",
    ],
    reports: [
      RuleExample(
        "the process was killed between the last byte and the callback", .certain, variant: "never sent",
        cites: [.taskTransferred, .processExitObserved],
        .at(0, ProcessStarted(executable: "app")), .at(0.001, TaskCreated(type: .data, method: "GET", host: "example.com")),
        .at(0.002, TaskResumed()), attempt, .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 10)), transferred,
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "the callback was queued but never called, and the app kept running", .probable, variant: "received, not entered",
        cites: [.taskTransferred, .deliverySent, .deliveryReceived],
        created, .at(0.002, TaskResumed()), transferred, sent, received, alive),
      RuleExample(
        "the callback was called but never returned", .certain, variant: "entered, not left",
        cites: [.attemptEnded, .deliverySent, .deliveryReceived, .deliveryEntered, .processExitObserved],
        created, attempt, failed(), sent, received, entered,
        .at(20, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .memoryPressure), by: .nextLife)),
    ],
    staysSilent: [
      RuleExample(
        "the completion was delivered",
        created, transferred, sent, received, entered,
        .at(0.014, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didComplete)), .at(0.015, completed),
        .at(100, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "the app has no callback for the completion",
        created, transferred, received,
        .at(0.012, DeliveryDropped(task: .example, delivery: DeliveryID(1), callback: .didComplete, why: .noConsumer)),
        .at(0.013, completed), .at(90, LogHeartbeatWritten(liveTasks: 0))),
      RuleExample("the completion is still in flight when the log ends", created, transferred, sent),
      RuleExample(
        "the daemon keeps the completion until the app is launched again",
        .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .background)),
        .at(0.001, TaskCreated(type: .download)), .at(0.002, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(0.01, TaskTransferred(received: 10, status: 200), by: .daemon),
        .at(5, ProcessExited(code: 0, exitReason: .returned), by: .daemon)),
      RuleExample(
        "the daemon keeps the completion, and the kind of the session is unknown",
        .at(0.001, TaskCreated(type: .download)), .at(0.002, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(0.01, TaskTransferred(received: 10, status: 200), by: .daemon),
        .at(5, ProcessExited(code: 0, exitReason: .returned), by: .daemon)),
      RuleExample(
        "the app had cancelled the task",
        created, .at(0.005, TaskCancelRequested(by: .app)), attempt, .at(0.006, AttemptEnded(attempt: 1, end: .cancelled)),
        .at(100, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "the process was suspended for most of the time",
        created, transferred, .at(1, ProcessStateChanged(state: .suspended)), .at(300, ProcessStateChanged(state: .resumed)),
        .at(301, LogHeartbeatWritten(liveTasks: 1))),
      RuleExample("the attempt failed and a retry is scheduled", created, attempt, failed(retryIn: .seconds(120)), alive),
      RuleExample(
        "the response was handed off to another task",
        created, attempt, .at(0.01, AttemptEnded(attempt: 1, end: .handedOff)),
        .at(0.01, TaskHandedOff(successor: .example(2))), alive),
    ])

  /// The events that can decide the rule. The events of the delivery in between only change the variant, which is determined at the
  /// deadline.
  static let watches: Set<EventKind> = [.taskCompleted, .taskHandedOff]
  static let watchesUnlessWaiting: Set<EventKind> = [.taskTransferred, .attemptEnded]

  /// The time that a completion has to reach the app; most callbacks take milliseconds, but queues may be long.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a completion may take from the last byte to the app’s code")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // An app that cancelled the task does not depend on its completion (guard G10).
    if task.cancelledBy == .app { return .silent }
    // After a handoff, the successor task receives the completion, so none is missing here.
    if task.handedOff != nil { return .silent }
    guard let wireEnd = task.wireEnd else { return asked.isTaskOver ? .silent : nil }
    let delivery = task.completionDelivery
    // A completion that was dropped because the app had no consumer for it was not lost on its way.
    if delivery?.dropReason == .noConsumer { return .silent }
    // The app's callback ran and returned, and the task was recorded as complete. Earlier steps that are missing do not matter.
    if delivery?.entered != nil, delivery?.left != nil, task.completed != nil { return .silent }
    let process = world.process(of: task)
    // The daemon keeps unsent completions across its restarts; other rules report why the app did not connect.
    if delivery?.sent == nil, process.role == .daemon, world.mayOutliveProcess(task) { return .silent }
    // For a background session, the app's next launch may still receive the completion.
    if process.endFact != nil, !asked.isEndOfLog, world.sessionKind(of: task) == .background { return nil }
    guard let proof = asked.proofOfAbsence(since: wireEnd, within: patience, by: process) else {
      return asked.isEndOfLog ? nil : .wait(patience, after: wireEnd)
    }
    return .finding(draft(task, delivery, wireEnd: wireEnd, proof: proof, mayGoOn: world.mayOutliveProcess(task)))
  }

  private func draft(
    _ task: TaskLifecycle, _ delivery: DeliveryLifecycle?, wireEnd: Fact, proof: Draft.AbsenceProof, mayGoOn: Bool
  ) -> Draft {
    let (stage, fault, missing, since) = Self.stage(of: delivery)
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    return Draft(
      variant: stage,
      summary: "Task \(task.identity.session)/\(task.identity.number) finished, but \(fault).",
      claim: .absence(since: since ?? wireEnd, shownBy: proof),
      evidence: wireEnd, [delivery?.sent, delivery?.received, delivery?.entered, delivery?.left, end],
      missing: [.init(missing, dueBy: wireEnd.due(within: patience))],
      unless: mayGoOn ? ["a later launch connects the session and receives the completion"] : [])
  }

  /// Returns the variant, the fault in words, the missing event, and the last event before it.
  private static func stage(of delivery: DeliveryLifecycle?) -> (String, fault: String, EventKind, Fact?) {
    guard let delivery else { return ("never sent", "its completion was never sent", .deliverySent, nil) }
    if delivery.entered == nil {
      return delivery.received == nil
        ? ("sent, not received", "the completion sent to the app was never received", .deliveryReceived, delivery.sent)
        : ("received, not entered", "its completion callback was never called", .deliveryEntered, delivery.received)
    }
    return delivery.left == nil
      ? ("entered, not left", "its completion callback never returned", .deliveryLeft, delivery.entered)
      : ("left, not completed", "it was never recorded as complete", .taskCompleted, delivery.left)
  }
}
