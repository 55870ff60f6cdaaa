import XferEvents
import XferLifecycle
import XferReplay

/// The app was asked whether a delayed task may begin, and did not answer.
struct BeginDelayUnanswered: TaskRule {
  private static let story: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download), at: .zero),
    .event(TaskResumed(task: .example), at: .milliseconds(1)),
  ]
  private static let query = TaskDelayAsked(task: .example, query: CorrelationID(8))
  private static let later = RuleExample.Step.event(LogHeartbeatWritten(liveTasks: 1), at: .seconds(90))

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
        "a minute later there is no answer", certainty: .possible, steps: story + [.evidence(query, at: .seconds(1)), later])
    ],
    staysSilent: [
      RuleExample(
        "it may begin",
        steps: story + [
          .event(query, at: .seconds(1)), .event(TaskDelayAnswered(task: .example, query: CorrelationID(8)), at: .seconds(2)),
          .event(AttemptStarted(task: .example, attempt: 1), at: .seconds(2)), later,
        ]),
      RuleExample(
        "its begin date has not come",
        steps: story + [.event(TaskHeld(task: .example, hold: .beginDate), at: .seconds(1)), later]),
      RuleExample(
        "the app cancelled it",
        steps: story + [
          .event(query, at: .seconds(1)), .event(TaskCancelRequested(task: .example, by: .app), at: .seconds(2)), later,
        ]),
      RuleExample("asked a moment ago", steps: story + [.event(query, at: .seconds(80)), later]),
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
