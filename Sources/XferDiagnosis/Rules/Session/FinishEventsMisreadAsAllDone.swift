import XferEvents
import XferLifecycle
import XferReplay

/// The app took “all events are delivered” for “all tasks are done”.
struct FinishEventsMisreadAsAllDone: SessionRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)
  private static let made: [RuleExample.Step] = [
    .at(0, SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true)),
    .at(0, TaskCreated(type: .download, intent: "film")), .at(0, TaskResumed()),
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
        "the record of a running task is dropped", .certain, variant: "records dropped",
        cites: [.sessionEventsFinished, .appIntentUnbound],
        steps: made + [.at(5, finished(1)), .at(6, unbound)]),
      RuleExample(
        "a file of a running task is deleted", .certain, variant: "file deleted", cites: [.sessionEventsFinished, .fileDeleted],
        steps: made + [.at(5, finished(1)), .at(6, FileDeleted(by: .app))]),
      RuleExample(
        "the session is cancelled", .certain, variant: "session cancelled",
        cites: [.sessionEventsFinished, .sessionInvalidationRequested],
        steps: made + [.at(5, finished(1)), .at(6, invalidated(.cancel))]),
    ],
    staysSilent: [
      RuleExample(
        "no task was left",
        steps: made + [.at(4, TaskCompleted(received: 9, status: 200)), .at(5, finished(0)), .at(6, invalidated(.cancel))]),
      RuleExample(
        "the session finishes its tasks first",
        steps: made + [.at(5, finished(1)), .at(6, invalidated(.finishTasks))]),
      RuleExample("cleared up much later, for another reason", steps: made + [.at(5, finished(1)), .at(60, unbound)]),
      RuleExample(
        "what is dropped is the record of a task that was done",
        steps: made + [
          .at(1, TaskCreated(task: .example(2), type: .download)), .at(1, TaskResumed(task: .example(2))),
          .at(4, TaskCompleted(received: 9, status: 200)), .at(5, finished(1)), .at(6, unbound),
        ]),
      RuleExample(
        "the app cancelled the task first",
        steps: made + [.at(5, finished(1)), .at(6, TaskCancelRequested(by: .app)), .at(6, unbound)]),
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
