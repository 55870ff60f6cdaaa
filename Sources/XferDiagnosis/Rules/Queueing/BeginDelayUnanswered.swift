import XferEvents
import XferLifecycle
import XferReplay

/// The app was asked whether a delayed task may begin, and did not answer.
struct BeginDelayUnanswered: TaskRule {
  private static let story: [RuleExample.Step] = [.at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed())]
  private static let query = TaskDelayAsked(query: CorrelationID(8))
  private static let later = RuleExample.Step.at(90, LogHeartbeatWritten(liveTasks: 1))

  static let description = RuleDescription(
    id: "begin-delay-unanswered", severity: .error,
    summary: "The app was asked whether a delayed task may begin, and gave no answer.",
    explanation: """
      When the earliest begin date of a task has come, the delegate is asked (willBeginDelayedRequest) and has to call the \
      completion handler: go on, with another request, or cancel. Until it does the task waits. A delegate that takes the \
      question and never answers keeps the task for good.
      """,
    remedy: "Call the completion handler on every path; without a reason for anything else, with continueLoading.",
    sources: ["https://apple-docs.everest.mt/docs/watchkit/wkurlsessionrefreshbackgroundtask/"], isContractOnly: true,
    reports: [
      RuleExample(
        "a minute later there is no answer", .possible, cites: [.taskDelayAsked],
        steps: story + [.at(1, query), later])
    ],
    staysSilent: [
      RuleExample(
        "it may begin",
        steps: story + [
          .at(1, query), .at(2, TaskDelayAnswered(query: CorrelationID(8))), .at(2, AttemptStarted(attempt: 1)), later,
        ]),
      RuleExample("its begin date has not come", steps: story + [.at(1, TaskHeld(hold: .beginDate)), later]),
      RuleExample("the app cancelled it", steps: story + [.at(1, query), .at(2, TaskCancelRequested(by: .app)), later]),
      RuleExample("asked a moment ago", steps: story + [.at(80, query), later]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskDelayAsked)]
  static let watches: Set<EventKind> = [.taskDelayAsked]

  /// An answer takes milliseconds.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to answer")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, let query = task.delayAsked, task.hold != .beginDate else {
      return asked.isTaskOver ? .silent : nil
    }
    guard asked.covered(since: query, by: world.process(of: task)) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: query)
    }
    return .finding(
      Draft(
        summary: "The app was asked whether \(task.identity.text) may begin, and gave no answer.",
        claim: .absence(since: query, shownBy: .coverage), evidence: query,
        missing: [.init(.taskDelayAnswered, dueBy: query.due(within: patience))]))
  }
}
