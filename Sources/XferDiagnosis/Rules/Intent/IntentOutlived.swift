import XferEvents
import XferLifecycle
import XferReplay

/// A request that was sent although the app had declared before that it no longer wanted the result.
struct IntentOutlived: TaskRule {
  private static let made: [RuleExample.Step] = [
    .at(0, SessionCreated(session: "default-1", sessionKind: .default, hasDelegate: true)),
    .at(1, TaskCreated(type: .upload, intent: "photo-7")), .at(1, AppIntentBound(intent: "photo-7", task: .example, key: "uid")),
    .at(1, TaskResumed()), .at(1, TaskHeld(hold: .network)),
  ]
  private static func concluded(_ outcome: Outcome, of task: TaskIdentity? = .example) -> RuleExample.Step {
    .at(3, AppOutcomeRecorded(intent: "photo-7", task: task, outcome: outcome))
  }
  private static let unbound = RuleExample.Step.at(
    3, AppIntentUnbound(intent: "photo-7", task: .example, reason: "deleted by the user"))
  private static let sent: [RuleExample.Step] = [
    .at(9, TaskHoldEnded(hold: .network)), .at(9, AttemptStarted(attempt: 1)), .at(9, AttemptConnectionAcquired(attempt: 1)),
    .at(10, AttemptRequestSent(attempt: 1, method: "POST")),
  ]

  private static let delivery = DeliveryID(1)
  /// The app's callback returns without an outcome.
  private static let completed: [RuleExample.Step] = [
    .at(11, AttemptEnded(attempt: 1, end: .finished)), .at(11, TaskTransferred(sent: 10, status: 201)),
    .at(11, DeliverySent(task: .example, delivery: delivery, callback: .didComplete)),
    .at(11, DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)),
    .at(11, DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete)),
    .at(11, TaskCompleted(delivery: delivery, sent: 10, status: 201)),
    .at(14, DeliveryLeft(task: .example, delivery: delivery, callback: .didComplete)),
  ]
  private static let later = RuleExample.Step.at(73, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "intent-outlived", severity: .warning,
    summary: "A request was sent although the app had declared before that it no longer wanted the result.",
    explanation: """
      A task waits for the network, a connection, its begin date or its next retry. Meanwhile the app stops needing the result: \
      the user deletes the item, cancels the import or signs out. If the app then only deletes its own record of the task, or \
      checks for a cancellation only after the request, the task stays alive and sends its request with unwanted effects: a \
      deleted item reappears, or data of the previous account reaches the server. The variant says how the app gave up the task. \
      "discarded" means that it recorded that the result is not wanted. "unbound" means that it only removed its record of the \
      task, which may also be a mistake of its cleanup code. If the daemon sends the request, orphaned-task reports it.
      """,
    remedy: """
      Call cancel() on the task before you delete its record, and wait for its completion before you sign out. Check whether the \
      work is still wanted immediately before each request and each retry, not only after it.
      """,
    sources: [
      "https://github.com/inaturalist/iNaturalistAndroid/issues/201", "https://github.com/zotero/zotero-ios/issues/149",
      "https://github.com/wordpress-mobile/WordPress-iOS/issues/3632", "https://github.com/Shopify/mobile-buy-sdk-ios/pull/864",
    ],
    needsWholeLog: true, consequenceOf: ["completion-discarded-by-consumer"],
    reports: [
      RuleExample(
        "the app discarded the work while the task waited for the network", .certain, variant: "discarded",
        cites: [.appOutcomeRecorded, .attemptRequestSent], steps: made + [concluded(.discarded)] + sent),
      RuleExample(
        "the app gave up the whole intent, without naming the task", .certain, variant: "discarded",
        cites: [.appOutcomeRecorded, .attemptRequestSent], steps: made + [concluded(.cancelled, of: nil)] + sent),
      RuleExample(
        "the app only removed its record of the task", .probable, variant: "unbound",
        cites: [.appIntentUnbound, .attemptRequestSent], steps: made + [unbound] + sent + completed + [later]),
    ],
    staysSilent: [
      RuleExample(
        "the app cancelled the task", steps: made + [.at(3, TaskCancelRequested(by: .app)), concluded(.discarded)] + sent),
      RuleExample(
        "the app gave up the work after the request",
        steps: made + sent + [
          .at(11, AppOutcomeRecorded(intent: "photo-7", task: .example, outcome: .discarded))
        ]),
      RuleExample(
        "the app wants the result again (a new binding)",
        steps: made + [unbound, .at(4, AppIntentBound(intent: "photo-8", task: .example, key: "uid"))] + sent),
      RuleExample(
        "the app removed its record, and used the result",
        steps: made + [unbound] + sent + completed + [.at(12, AppOutcomeRecorded(task: .example, outcome: .success)), later]),
      RuleExample(
        "the daemon sends the request",
        steps: made + [
          concluded(.discarded), .at(9, AttemptStarted(attempt: 1), by: .daemon),
          .at(10, AttemptRequestSent(attempt: 1, method: "POST"), by: .daemon), later,
        ]),
      RuleExample("the app recorded a success in advance", steps: made + [concluded(.success)] + sent),
      RuleExample(
        "the app gave up another task", steps: made + [concluded(.discarded, of: .example(2))] + sent),
      RuleExample(
        "a recorder writes the request late, and its attempt began before",
        steps: [
          .at(0, SessionCreated(session: "default-1", sessionKind: .default, hasDelegate: true), by: .recorder),
          .at(1, TaskCreated(type: .upload), by: .recorder), .at(1, TaskResumed(), by: .recorder),
          .at(1, AttemptStarted(attempt: 1), by: .recorder),
          .at(3, AppOutcomeRecorded(intent: "photo-7", task: .example, outcome: .discarded), by: .recorder),
          .at(4, AttemptRequestSent(attempt: 1, method: "POST"), by: .recorder),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.orphaned)]
  static let watches: Set<EventKind> = [.attemptRequestSent, .taskCompleted, .appOutcomeRecorded]

  /// The time for the app to record an outcome, which shows that it still wanted the result.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to record an outcome")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // A request of the daemon is reported by another rule.
    guard task.cancelRequested == nil, task.carrier == nil, let unwanted = task.oddities.unwanted, let attempt = task.attempt,
      let sent = attempt.requestSent, unwanted.duration(to: sent) ?? .zero > .zero
    else { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    // URLSession tells of a request only when the response arrives, so the attempt itself must have begun later.
    if process.role == .recorder, !(attempt.started.map { unwanted.isBefore($0) ?? false } ?? false) {
      return asked.isTaskOver ? .silent : nil
    }
    if unwanted.kind == .appIntentUnbound { return unbound(task, unwanted, sent, process, asked) }
    return .finding(
      Draft(
        variant: "discarded", summary: "Task \(task.identity.label) sent a request that the app no longer wanted.",
        claim: .absence(since: unwanted, shownBy: .overtaken(by: sent)), evidence: unwanted, [sent],
        missing: [.init(.taskCancelRequested, dueBy: sent.moment)]))
  }

  /// An app that removes its record of a task may still want the result, and then records an outcome.
  private func unbound(
    _ task: TaskLifecycle, _ unwanted: Fact, _ sent: Fact, _ process: ProcessLifecycle, _ asked: Occasion
  ) -> Verdict? {
    if task.outcome == .success || task.outcome == .failure { return .silent }
    guard let completed = task.completed else { return asked.isEndOfLog ? .silent : nil }
    guard asked.covered(since: completed, by: process) >= patience else {
      return asked.isEndOfLog ? .silent : process.endFact == nil ? .wait(patience, after: completed) : nil
    }
    return .finding(
      Draft(
        variant: "unbound",
        summary: "Task \(task.identity.label) sent a request after the app had removed its record of the task.",
        claim: .absence(since: unwanted, shownBy: .coverage), evidence: unwanted, [sent],
        missing: [
          .init(.taskCancelRequested, dueBy: sent.moment), .init(.appOutcomeRecorded, dueBy: completed.due(within: patience)),
        ],
        unless: ["the app wants the request to be sent, but not to hear of it"]))
  }
}
