import XferEvents
import XferLifecycle
import XferReplay

/// A task whose progress decreased.
struct ProgressRegressed: TaskRule {
  private static func story(_ kind: SessionKind, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", sessionKind: kind, hasDelegate: true)),
      .at(0, TaskCreated(type: .download, method: "GET")), .at(0, TaskResumed()), .at(1, AttemptStarted(attempt: 1)),
      .at(1, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000)),
    ] + steps
  }
  private static func bytes(
    _ received: Int64, at time: Double, attempt: Int = 1, by process: ExampleProcess = .app
  ) -> RuleExample.Step {
    .at(time, AttemptBytesReceived(attempt: attempt, received: received, expected: 1000), by: process)
  }
  private static func retried(offset: Int64 = 0, by process: ExampleProcess = .app) -> [RuleExample.Step] {
    [
      .at(
        4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 800, retryIn: .seconds(1)),
        by: process),
      .at(5, AttemptStarted(attempt: 2, offset: offset), by: process),
    ]
  }

  static let description = RuleDescription(
    id: "progress-regressed", severity: .warning,
    summary: "The progress of a task decreased.",
    explanation: """
      Received bytes do not disappear, so a decreasing number means that the transfer started over. In background sessions the \
      daemon retries until the resource timeout without telling the app: the app sees its progress bar reach the end and start \
      over, and the server may receive several copies of an upload. The rule reports only a decrease that the app could see: the \
      daemon tells the progress to a running app, and not to one that has exited or is suspended. The variant is "hidden retry" if the log shows another \
      attempt, and "unexplained" otherwise.
      """,
    remedy: """
      Tell the user that the transfer was restarted instead of letting the progress bar jump back. Set \
      timeoutIntervalForResource to limit the retries, and make uploads idempotent, so that a second copy does no harm.
      """,
    sources: [
      "https://github.com/aws-amplify/aws-sdk-ios/issues/2245",
      "https://github.com/Vydia/react-native-background-upload/issues/113",
    ],
    needsWholeLog: true,
    consequenceOf: ["retry-storm", "resume-restarted", "resume-range-ignored", "resume-data-discarded", "resume-entity-changed"],
    reports: [
      RuleExample(
        "the daemon restarted the transfer from the beginning", .certain, variant: "hidden retry",
        cites: [.attemptBytesReceived],
        steps: story(.background, bytes(800, at: 3)) + retried() + [bytes(100, at: 6, attempt: 2)]),
      RuleExample(
        "the count decreased within one attempt", .certain, variant: "unexplained", cites: [.attemptBytesReceived],
        steps: story(.default, bytes(800, at: 3), bytes(100, at: 6))),
    ],
    staysSilent: [
      RuleExample(
        "the app had exited, and the retry succeeded",
        steps: story(.background, .at(2, ProcessExited(code: 0, exitReason: .exitCall)), bytes(800, at: 3, by: .daemon))
          + retried(by: .daemon) + [
            bytes(100, at: 6, attempt: 2, by: .daemon)
          ]),
      RuleExample(
        "the app was suspended when the retry began",
        steps: story(.background, bytes(800, at: 3), .at(4, ProcessStateChanged(state: .suspended))) + retried(by: .daemon) + [
          bytes(100, at: 6, attempt: 2, by: .daemon)
        ]),
      RuleExample("the count increased", steps: story(.default, bytes(100, at: 3), bytes(800, at: 6))),
      RuleExample(
        "the second attempt continued where the first one had stopped",
        steps: story(.background, bytes(800, at: 3)) + retried(offset: 800) + [bytes(100, at: 6, attempt: 2)]),
      RuleExample(
        "the retry took place in the app's own process",
        steps: story(.default, bytes(800, at: 3)) + retried() + [bytes(100, at: 6, attempt: 2)]),
      RuleExample(
        "the first response of the second attempt was an authentication challenge",
        steps: story(.background, bytes(800, at: 3)) + retried() + [
          .at(6, AttemptResponseReceived(attempt: 2, status: 401, expected: 100)), bytes(100, at: 6, attempt: 2),
          .at(7, AttemptResponseReceived(attempt: 2, status: 200, expected: 1000)), bytes(1000, at: 8, attempt: 2),
        ]),
      RuleExample(
        "a second response in the same attempt restarted the count",
        steps: story(
          .default, bytes(800, at: 3),
          .at(4, AttemptResponseReceived(attempt: 1, transaction: 2, status: 200, expected: 1000)), bytes(100, at: 6))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.regressed)]
  static let watches: Set<EventKind> = [.attemptBytesReceived, .attemptBytesSent]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let regress = task.oddities.regress else { return asked.isTaskOver ? .silentSoFar : nil }
    let isBackground = world.sessionKind(of: task) == .background
    if regress.isRetry {
      // Only a retry in the daemon is hidden from the app: an engine in the app's own process reports each attempt to the app.
      // The rule `resume-restarted` reports a resume from zero.
      guard isBackground, task.restart == nil else { return .silent }
    }
    if isBackground, !Self.isShown(regress, of: task, in: world) { return .silent }
    return .finding(
      Draft(
        variant: regress.isRetry ? "hidden retry" : "unexplained",
        summary: """
          The progress of task \(task.identity.label) decreased from \(regress.before.bytes) to \(regress.after.bytes) bytes.
          """,
        claim: .presence, evidence: regress.before.fact, [regress.after.fact]))
  }

  /// Whether the app received the progress before and after the decrease: the daemon reports progress only to an app that runs.
  private static func isShown(_ regress: TaskLifecycle.Regress, of task: TaskLifecycle, in world: World) -> Bool {
    guard let owner = task.owner.map({ world.processes[$0] }), let seen = owner.firstSeen,
      let start = regress.before.fact.monotonic, let end = regress.after.fact.monotonic,
      seen.duration(to: regress.before.fact) ?? .zero >= .zero
    else { return false }
    if let over = owner.endFact, over.duration(to: regress.after.fact) ?? .zero >= .zero { return false }
    return owner.runningTime(from: start, to: end) == end.subtractingClamped(start)
  }
}
