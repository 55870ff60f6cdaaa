import XferEvents
import XferLifecycle
import XferReplay

/// Reports a redirect that the app was asked about and did not answer.
struct RedirectUnanswered: TaskRule {
  /// The steps of a task up to its redirect.
  private static func begun(_ kind: SessionKind = .default) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: kind)),
      .at(0, TaskCreated(type: .data, scheme: "https", host: "example.com")), .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1, scheme: "https", host: "example.com")),
      .at(0.003, AttemptRequestSent(attempt: 1, method: "GET")),
      .at(
        1,
        AttemptRedirectReceived(
          attempt: 1, transaction: 1, status: 302, scheme: "https", host: "www.example.com", path: "/a")),
    ]
  }
  private static let later = RuleExample.Step.at(70, LogHeartbeatWritten(liveTasks: 1))

  /// The steps of an example: a task's redirect waits for the app's answer; then `rest` follows.
  private static func asked(_ kind: SessionKind = .default, then rest: RuleExample.Step...) -> [RuleExample.Step] {
    begun(kind) + [.at(1, TaskHeld(hold: .redirect, host: "www.example.com"))] + rest
  }

  static let description = RuleDescription(
    id: "redirect-unanswered", severity: .error,
    summary: "The app was asked whether to follow a redirect and did not answer.",
    explanation: """
      willPerformHTTPRedirection comes with a completion handler, and the task waits until the app calls it: with the new \
      request to follow it, with another request, or with nil to accept the redirect itself as the response. A delegate that \
      returns without the call, or misses it on one branch, leaves the task stuck, and no error occurs before its timeout. \
      Background sessions always follow redirects without asking.
      """,
    remedy: """
      Call the completion handler on every path, with the passed request unless you object to it. If all redirects are to be \
      followed, do not implement the method.
      """,
    sources: [
      "https://developer.apple.com/library/content/documentation/Cocoa/Conceptual/URLLoadingSystem/Articles/RequestChanges.html",
      "https://github.com/nextcloud/ios/issues/173",
    ],
    isContractOnly: true, consequenceOf: ["callback-thread-blocked"],
    reports: [
      RuleExample(
        "the redirect is unanswered for a minute", .possible, cites: [.attemptRedirectReceived, .taskHeld],
        steps: asked(then: later)),
      RuleExample(
        "the redirect callback has not returned", .possible, cites: [.attemptRedirectReceived, .deliveryEntered],
        steps: begun() + [
          .at(1, DeliveryEntered(task: .example, delivery: DeliveryID(3), callback: .willPerformRedirect)), later,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the app answered",
        steps: asked(
          then: .at(50, TaskHoldEnded(hold: .redirect)),
          .at(50, AttemptRedirectAnswered(attempt: 1, transaction: 1, decision: .followed, by: .app)), later)),
      RuleExample("a background session does not ask", steps: asked(.background, then: later)),
      RuleExample("the app cancelled the task", steps: asked(then: .at(20, TaskCancelRequested(by: .app)), later)),
      RuleExample(
        "the attempt timed out within the minute",
        steps: asked(
          then: .at(30, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28, retryIn: .seconds(1))), later)),
      RuleExample(
        "the app recorded work for the task",
        steps: asked(then: .at(1, AppWorkBegun(work: CorrelationID(5), name: "ask the user", task: .example)), later)),
      RuleExample(
        "the app was suspended for most of the minute",
        steps: asked(
          then: .at(2, ProcessStateChanged(state: .suspended)), .at(60, ProcessStateChanged(state: .resumed)), later)),
      RuleExample("the log ends within the minute", steps: asked(then: .at(59, LogHeartbeatWritten(liveTasks: 1)))),
      RuleExample("the log does not show that the app was asked", steps: begun() + [later]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptRedirectReceived)]
  static let watches: Set<EventKind> = [.attemptRedirectReceived, .taskHeld, .deliveryEntered, .appWorkEnded]

  /// The time that the app has to answer; an app that asks the user records app.workBegun.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to answer a redirect")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.isLive, task.cancelRequested == nil, let attempt = task.attempt, attempt.ended == nil,
      let redirect = attempt.redirects.received, attempt.redirects.answered == nil,
      let question = Self.question(of: task)
    else { return asked.isTaskOver ? .silent : nil }
    if world.sessionKind(of: task) == .background { return .silent }
    if task.appWork != nil { return asked.isTaskOver ? .silent : nil }
    let process = world.process(of: task)
    guard let proof = asked.proofOfAbsence(since: question, within: patience, by: process) else {
      return asked.isEndOfLog ? nil : .wait(patience, after: question)
    }
    // A process that ended before the deadline might still have answered.
    guard asked.covered(since: question, by: process) >= patience else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          The app was asked whether task \(task.identity.label) should follow a redirect and did not answer within \
          \(patience.inSeconds).
          """,
        claim: .absence(since: question, shownBy: proof), evidence: redirect, [question],
        missing: [.init(.attemptRedirectAnswered, dueBy: question.due(within: patience))],
        unless: ["the app is asking the user, which it can record with app.workBegun"]))
  }

  /// Returns the event that shows that the app was asked; `nil` if no event does.
  private static func question(of task: TaskLifecycle) -> Fact? {
    if task.hold == .redirect { return task.held }
    guard let running = task.runningCallback, running.callback == .willPerformRedirect else { return nil }
    return running.entered
  }
}
