import XferEvents
import XferLifecycle
import XferReplay

/// The app took “all events are delivered” for “all tasks are done”.
struct FinishEventsMisreadAsAllDone: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made: [RuleExample.Step] = [
    .event(SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true), at: .zero),
    .event(TaskCreated(task: .example, type: .download, intent: "film"), at: .zero),
    .event(TaskResumed(task: .example), at: .zero),
  ]
  private static func finished(_ live: Int64) -> SessionEventsFinished {
    SessionEventsFinished(session: session, instance: instance, liveTasks: live)
  }
  private static func invalidated(_ mode: InvalidationMode) -> SessionInvalidationRequested {
    SessionInvalidationRequested(session: session, instance: instance, invalidation: mode, by: .app)
  }
  private static let unbound = AppIntentUnbound(intent: "film", task: .example, reason: "done")

  static let description = RuleDescription(
    id: "finish-events-misread-as-all-done", severity: .critical,
    summary: "The app cleared up after “all events are delivered” while tasks of the session still ran.",
    explanation: """
      urlSessionDidFinishEvents says that nothing waits to be delivered, and nothing else. It also comes after a wake for an \
      authentication challenge, when no task is complete, and whenever some tasks of many are done. Code that then drops its \
      records, deletes the files or cancels the session loses what is still under way, and later completions find nobody. The \
      variant says what was done: "records dropped", "file deleted" or "session cancelled".
      """,
    remedy:
      "Take it for “the queue is empty” only: call the system's completion handler there, and clear up per task, at its completion.",
    sources: [
      "https://github.com/AFNetworking/AFNetworking/pull/1582",
      "https://developer.apple.com/documentation/uikit/uiapplicationdelegate/1622941-application",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the record of a running task is dropped", certainty: .certain, variant: "records dropped",
        steps: made + [.evidence(finished(1), at: .seconds(5)), .evidence(unbound, at: .seconds(6))]),
      RuleExample(
        "a file of a running task is deleted", certainty: .certain, variant: "file deleted",
        steps: made + [
          .evidence(finished(1), at: .seconds(5)), .evidence(FileDeleted(task: .example, by: .app), at: .seconds(6)),
        ]),
      RuleExample(
        "the session is cancelled", certainty: .certain, variant: "session cancelled",
        steps: made + [.evidence(finished(1), at: .seconds(5)), .evidence(invalidated(.cancel), at: .seconds(6))]),
    ],
    staysSilent: [
      RuleExample(
        "no task was left",
        steps: made + [
          .event(TaskCompleted(task: .example, received: 9, status: 200), at: .seconds(4)), .event(finished(0), at: .seconds(5)),
          .event(invalidated(.cancel), at: .seconds(6)),
        ]),
      RuleExample(
        "the session finishes its tasks first",
        steps: made + [.event(finished(1), at: .seconds(5)), .event(invalidated(.finishTasks), at: .seconds(6))]),
      RuleExample(
        "cleared up much later, for another reason",
        steps: made + [.event(finished(1), at: .seconds(5)), .event(unbound, at: .seconds(60))]),
      RuleExample(
        "what is dropped is the record of a task that was done",
        steps: made + [
          .event(TaskCreated(task: .example(2), type: .download), at: .seconds(1)),
          .event(TaskResumed(task: .example(2)), at: .seconds(1)),
          .event(TaskCompleted(task: .example, received: 9, status: 200), at: .seconds(4)), .event(finished(1), at: .seconds(5)),
          .event(unbound, at: .seconds(6)),
        ]),
      RuleExample(
        "the app cancelled the task first",
        steps: made + [
          .event(finished(1), at: .seconds(5)), .event(TaskCancelRequested(task: .example, by: .app), at: .seconds(6)),
          .event(unbound, at: .seconds(6)),
        ]),
    ])

  static let watches: Set<EventKind> = [
    .sessionInvalidationRequested, .appIntentUnbound, .appOutcomeRecorded, .fileDeleted,
  ]

  /// What is done later has another reason.
  var window: Duration = .seconds(10)

  static let limits = [RuleLimit("window", \Self.window, "how soon after the call clearing up counts as its consequence")]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let open = session.unfinished, let misread = open.misread, let time = open.finished.duration(to: misread),
      time <= window
    else { return asked.isEndOfLog ? .silent : nil }
    let variant =
      switch misread.kind {
      case .sessionInvalidationRequested: "session cancelled"
      case .fileDeleted: "file deleted"
      default: "records dropped"
      }
    return .finding(
      Draft(
        variant: variant,
        summary: """
          All events of \(session.identifier) were delivered while \(open.liveTasks) of its tasks still ran, and the app took them for \
          done (\(variant)).
          """,
        claim: .presence, evidence: open.finished, [misread]))
  }
}
