import XferEvents
import XferLifecycle
import XferReplay

/// The app was asked about a redirect and never answered.
struct RedirectUnanswered: TaskRule {
  private static func begun(_ kind: SessionKind = .default) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: kind)),
      .at(0, TaskCreated(type: .data, scheme: "https", host: "example.com")),
      .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1, scheme: "https", host: "example.com")),
      .at(0.003, AttemptRequestSent(attempt: 1, method: "GET")),
    ]
  }
  private static let redirect = AttemptRedirectReceived(
    task: .example, attempt: 1, transaction: 1, status: 302, scheme: "https", host: "www.example.com", path: "/a")
  private static let held = TaskHeld(hold: .redirect, host: "www.example.com")
  private static let asked: [RuleExample.Step] = [.at(1, redirect), .at(1, held)]
  private static let later = RuleExample.Step.at(70, LogHeartbeatWritten(liveTasks: 1))
  private static func answered(at time: Duration) -> [RuleExample.Step] {
    [
      .at(time, TaskHoldEnded(hold: .redirect)),
      .at(time, AttemptRedirectAnswered(attempt: 1, transaction: 1, decision: .followed, by: .app)),
    ]
  }

  static let description = RuleDescription(
    id: "redirect-unanswered", severity: .error,
    summary: "The app was asked whether to follow a redirect, and did not answer.",
    explanation: """
      willPerformHTTPRedirection comes with a completion handler, and the task does nothing until it is called: with the new \
      request to follow, with another one, or with none to take the redirect itself for the answer. A delegate that returns \
      without a call, or forgets one branch, leaves the task standing, and no error comes before its time limit. Background \
      sessions never ask; they follow.
      """,
    remedy: """
      Call the completion handler on every path, with the request that was passed where you have nothing against it. If all \
      redirects are to be followed, leave the method out.
      """,
    sources: [
      "https://developer.apple.com/library/content/documentation/Cocoa/Conceptual/URLLoadingSystem/Articles/RequestChanges.html",
      "https://github.com/nextcloud/ios/issues/173",
    ],
    isContractOnly: true, consequenceOf: ["callback-thread-blocked"],
    reports: [
      RuleExample(
        "a minute without an answer", .possible, cites: [.attemptRedirectReceived, .taskHeld],
        steps: begun() + [.at(1, redirect), .at(1, held), later]),
      RuleExample(
        "its callback has not returned", .possible, cites: [.attemptRedirectReceived, .deliveryEntered],
        steps: begun() + [
          .at(1, redirect), .at(1, DeliveryEntered(task: .example, delivery: DeliveryID(3), callback: .willPerformRedirect)),
          later,
        ]),
    ],
    staysSilent: [
      RuleExample("answered", steps: begun() + asked + answered(at: .seconds(50)) + [later]),
      RuleExample("a background session does not ask", steps: begun(.background) + asked + [later]),
      RuleExample("the app cancelled it", steps: begun() + asked + [.at(20, TaskCancelRequested(by: .app)), later]),
      RuleExample(
        "the attempt ended meanwhile",
        steps: begun() + asked + [
          .at(30, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28, retryIn: .seconds(1))), later,
        ]),
      RuleExample(
        "the app says that it is at work for it",
        steps: begun() + asked + [.at(1, AppWorkBegun(work: CorrelationID(5), name: "ask the user", task: .example)), later]),
      RuleExample(
        "the app was suspended for most of the minute",
        steps: begun() + asked + [
          .at(2, ProcessStateChanged(state: .suspended)), .at(60, ProcessStateChanged(state: .resumed)), later,
        ]),
      RuleExample("the log ends within the minute", steps: begun() + asked + [.at(59, LogHeartbeatWritten(liveTasks: 1))]),
      RuleExample("nobody was asked", steps: begun() + [.at(1, redirect), later]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptRedirectReceived)]
  static let watches: Set<EventKind> = [.attemptRedirectReceived, .taskHeld, .deliveryEntered, .appWorkEnded]

  /// Code answers at once; who has to ask the user says so.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to answer")]

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
    // Who ended a moment later might have answered.
    guard asked.covered(since: question, by: process) >= patience else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          The app was asked whether task \(task.identity.text) is to follow a redirect, and had no answer in \
          \(patience.inSeconds).
          """,
        claim: .absence(since: question, shownBy: proof), evidence: redirect, [question],
        missing: [.init(.attemptRedirectAnswered, dueBy: question.due(within: patience))],
        unless: ["the user is being asked, which an app can say with app.workBegun"]))
  }

  /// What shows that the app was asked.
  private static func question(of task: TaskLifecycle) -> Fact? {
    if task.hold == .redirect { return task.held }
    guard let running = task.runningCallback, running.callback == .willPerformRedirect else { return nil }
    return running.entered
  }
}
