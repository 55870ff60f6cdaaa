import XferEvents
import XferLifecycle
import XferReplay

/// The app was asked whether a delayed task may begin and did not answer.
struct BeginDelayUnanswered: TaskRule {
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed())] + steps + [.at(90, LogHeartbeatWritten(liveTasks: 1))]
  }
  private static func query(at seconds: Double = 1) -> RuleExample.Step {
    .at(seconds, TaskDelayAsked(query: CorrelationID(8)))
  }

  static let description = RuleDescription(
    id: "begin-delay-unanswered", severity: .error,
    summary: "The app was asked whether a delayed task may begin and did not answer.",
    explanation: """
      When a task reaches its earliest begin date, its delegate receives willBeginDelayedRequest and must call the completion \
      handler: continue, use another request, or cancel. The task waits until then. If the delegate implements the method and \
      never calls the handler, the task waits forever.
      """,
    remedy: "In willBeginDelayedRequest, call the completion handler on every path, with continueLoading by default.",
    sources: ["https://apple-docs.everest.mt/docs/watchkit/wkurlsessionrefreshbackgroundtask/"], isContractOnly: true,
    reports: [
      RuleExample("the app has not answered for over a minute", .possible, cites: [.taskDelayAsked], steps: story(query())),
      RuleExample(
        "the app cancelled the task minutes after the question", .possible, cites: [.taskDelayAsked],
        steps: story(
          .at(0.5, TaskHeld(hold: .beginDate)), query(), .at(1.001, TaskHoldEnded(hold: .beginDate)),
          .at(1.001, TaskHeld(hold: .delayAnswer)), .at(70, LogHeartbeatWritten(liveTasks: 1)),
          .at(80, TaskCancelRequested(by: .app)))),
    ],
    staysSilent: [
      RuleExample(
        "the app allowed the task to begin",
        steps: story(query(), .at(2, TaskDelayAnswered(query: CorrelationID(8))), .at(2, AttemptStarted(attempt: 1)))),
      RuleExample("the begin date has not been reached", steps: story(.at(1, TaskHeld(hold: .beginDate)))),
      RuleExample("the app cancelled the task", steps: story(query(), .at(2, TaskCancelRequested(by: .app)))),
      RuleExample("the app was asked ten seconds ago", steps: story(query(at: 80))),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskDelayAsked)]
  static let watches: Set<EventKind> = [.taskDelayAsked]

  /// The maximum time for the app to answer; most answers take milliseconds.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "the maximum time for the app to answer")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, let query = task.delayAsked else { return asked.isTaskOver ? .silent : nil }
    // The daemon records the end of the wait for the begin date after the question.
    let waited = asked.covered(since: query, by: world.process(of: task))
    guard waited >= patience, task.hold != .beginDate else {
      return asked.isEndOfLog ? nil : .wait(waited >= patience ? waited + patience : patience, after: query)
    }
    return .finding(
      Draft(
        summary: "The app was asked whether task \(task.identity.label) may begin and did not answer.",
        claim: .absence(since: query, shownBy: .coverage), evidence: query,
        missing: [.init(.taskDelayAnswered, dueBy: query.due(within: patience))]))
  }
}
