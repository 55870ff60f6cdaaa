import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that mistakes “all events are delivered” for “all tasks are done”.
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
  /// Returns the steps up to “all events are delivered” with a running task, followed by other steps.
  private static func delivered(_ steps: RuleExample.Step...) -> [RuleExample.Step] { made + [.at(5, finished(1))] + steps }
  private static let unbound = AppIntentUnbound(intent: "film", task: .example, reason: "done")

  static let description = RuleDescription(
    id: "finish-events-misread-as-all-done", severity: .critical,
    summary: "The app cleaned up when a session had delivered all its events, although tasks of the session were still running.",
    explanation: """
      urlSessionDidFinishEvents(forBackgroundURLSession:) means only that no events are waiting for delivery. The system also \
      calls it after a launch for an authentication challenge, when no task has completed, and when only some of the tasks \
      have completed. An app that then drops its records, deletes files or cancels the session loses the running transfers, \
      and cannot match later completions to a record. The variant says what the app did: "records dropped", "file deleted" or \
      "session cancelled".
      """,
    remedy: """
      In urlSessionDidFinishEvents(forBackgroundURLSession:), only call the system's completion handler. Clean up after each \
      task in urlSession(_:task:didCompleteWithError:).
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/pull/1582",
      "https://developer.apple.com/documentation/uikit/uiapplicationdelegate/1622941-application",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the app drops the record of a running task", .certain, variant: "records dropped",
        cites: [.sessionEventsFinished, .appIntentUnbound],
        steps: delivered(.at(6, unbound))),
      RuleExample(
        "the app deletes a file of a running task", .certain, variant: "file deleted",
        cites: [.sessionEventsFinished, .fileDeleted],
        steps: delivered(.at(6, FileDeleted(by: .app)))),
      RuleExample(
        "the app cancels the session", .certain, variant: "session cancelled",
        cites: [.sessionEventsFinished, .sessionInvalidationRequested],
        steps: delivered(.at(6, invalidated(.cancel)))),
    ],
    staysSilent: [
      RuleExample(
        "no task was running",
        steps: made + [.at(4, TaskCompleted(received: 9, status: 200)), .at(5, finished(0)), .at(6, invalidated(.cancel))]),
      RuleExample("the app lets the session finish its tasks", steps: delivered(.at(6, invalidated(.finishTasks)))),
      RuleExample("the app cleaned up a minute later", steps: delivered(.at(60, unbound))),
      RuleExample(
        "the app drops the record of a completed task",
        steps: made + [
          .at(1, TaskCreated(task: .example(2), type: .download)), .at(1, TaskResumed(task: .example(2))),
          .at(4, TaskCompleted(received: 9, status: 200)), .at(5, finished(1)), .at(6, unbound),
        ]),
      RuleExample(
        "the app cancelled the task before it dropped the record",
        steps: delivered(.at(6, TaskCancelRequested(by: .app)), .at(6, unbound))),
    ])

  static let watches: Set<EventKind> = [
    .sessionInvalidationRequested, .appIntentUnbound, .appOutcomeRecorded, .fileDeleted,
  ]

  /// The maximum time from the callback to a cleanup that is attributed to it.
  var window: Duration = .seconds(10)

  static let limits = [
    RuleLimit("window", \Self.window, "the time after the callback within which a cleanup is attributed to it")
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let open = session.unfinished, let misread = open.misread, let time = open.finished.duration(to: misread),
      time <= window
    else { return asked.isEndOfLog ? .silent : nil }
    let (variant, cleanup) =
      switch misread.kind {
      case .sessionInvalidationRequested: ("session cancelled", "cancelled the session")
      case .fileDeleted: ("file deleted", "deleted a file of a running task")
      case .appOutcomeRecorded: ("records dropped", "recorded an outcome for a running task")
      default: ("records dropped", "dropped the record of a running task")
      }
    return .finding(
      Draft(
        variant: variant,
        summary: """
          After session \(session.identifier) had delivered all its events, the app \(cleanup), although \(open.liveTasks) of \
          the session's tasks \(open.liveTasks == 1 ? "was" : "were") still running.
          """,
        claim: .presence, evidence: open.finished, [misread]))
  }
}
