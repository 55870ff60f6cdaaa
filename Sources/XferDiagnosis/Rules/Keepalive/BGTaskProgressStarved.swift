import XferEvents
import XferLifecycle
import XferReplay

/// A continued processing task that expired while its work, transfers of a background session, reported no progress.
struct BGTaskProgressStarved: AssertionRule {
  private static func begun(_ needsProgress: Bool? = true) -> RuleExample.Step {
    .at(1, AssertionBegun(assertion: CorrelationID(5), name: "com.example.export", needsProgress: needsProgress))
  }
  private static let expired = RuleExample.Step.at(
    60, AssertionExpired(assertion: CorrelationID(5), name: "com.example.export"))

  /// The steps of an example: the assertion begins, and an upload begins and sends bytes once.
  private static func story(
    in kind: SessionKind = .background, needsProgress: Bool? = true, _ rest: RuleExample.Step...
  ) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", sessionKind: kind, hasDelegate: true)), begun(needsProgress),
      .at(2, TaskCreated(type: .upload)), .at(2, TaskResumed()), .at(2, AttemptStarted(attempt: 1)), sent(1000, at: 3),
      .at(5, ProcessStateChanged(state: .background)),
    ] + rest
  }
  private static func sent(_ bytes: Int64, at time: Double) -> RuleExample.Step {
    .at(time, AttemptBytesSent(attempt: 1, sent: bytes, expected: 1_000_000))
  }

  static let description = RuleDescription(
    id: "bgtask-progress-starved", severity: .error,
    summary: "A continued processing task expired while the background session that does its work reported no progress.",
    explanation: """
      The system lets a BGContinuedProcessingTask (iOS 26) run in the background as long as its Progress advances, and expires \
      tasks with little or no progress first. A background session works in another process, which wakes the app for completions \
      and not for progress, so that an app that takes the progress of its task from such a session has nothing to report: the \
      task expires, usually seconds after the app left the foreground, and the user reads that it failed. The transfers \
      themselves continue.
      """,
    remedy: """
      Use a default session for transfers under a BGContinuedProcessingTask, which keeps the app running, and update the progress \
      with each didSendBodyData or didWriteData, in bytes and not in files. Or use a background session without the task, and \
      show its result when it completes.
      """,
    sources: [
      "https://github.com/aws-amplify/aws-sdk-ios/issues/5540", "https://developer.apple.com/forums/thread/805554",
      "https://developer.apple.com/documentation/backgroundtasks/bgcontinuedprocessingtask",
    ],
    untriggerable: "Only iOS 26 and later have such tasks; the daemon’s background time does not depend on progress.",
    reports: [
      RuleExample(
        "the last progress came 57 seconds before", .probable,
        cites: [.assertionBegun, .attemptBytesSent, .assertionExpired], steps: story(expired))
    ],
    staysSilent: [
      RuleExample(
        "progress came until the end", steps: story(sent(2000, at: 20), sent(3000, at: 40), sent(4000, at: 55), expired)),
      RuleExample("the transfers belong to a default session", steps: story(in: .default, expired)),
      RuleExample("the assertion is ordinary background time", steps: story(needsProgress: nil, expired)),
      RuleExample("the upload had completed before", steps: story(.at(30, TaskCompleted(sent: 1_000_000, status: 201)), expired)),
      RuleExample("the app suspended the upload", steps: story(.at(30, TaskSuspended(by: .app)), expired)),
      RuleExample(
        "the task was ended in time",
        steps: story(.at(40, AssertionEnded(assertion: CorrelationID(5), name: "com.example.export")))),
    ])

  static let watches: Set<EventKind> = [.assertionExpired]

  /// The longest pause between two progress reports.
  var patience: Duration = .seconds(15)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the progress of the transfers may pause")]

  func verdict(on assertion: AssertionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard assertion.needsProgress, let begun = assertion.begun, let expired = assertion.expired else {
      return asked.isEndOfLog ? .silent : nil
    }
    let tasks = world.tasks.indexes(ofProcess: assertion.process).map { world.tasks[$0] }.filter {
      $0.isLive && $0.resumed != nil && $0.suspended == nil && $0.cancelRequested == nil
        && world.sessionKind(of: $0) == .background
    }
    // The assertion covers all transfers, so any of them may report its progress.
    let moves = tasks.compactMap { [$0.attempt?.lastByteSent, $0.attempt?.lastByte].compactMap(\.self).max(by: Self.isEarlier) }
    guard let task = tasks.first else { return .silent }
    let last = moves.max(by: Self.isEarlier)
    guard let since = last ?? task.resumed, let pause = since.duration(to: expired), pause >= patience,
      begun.duration(to: expired) ?? .zero >= patience
    else { return .silent }
    return .finding(
      Draft(
        summary: """
          The continued processing task “\(assertion.text)” expired \(pause.inSeconds) after the last progress of its background \
          session.
          """,
        claim: .absence(since: since, shownBy: .coverage), evidence: since, [begun, expired],
        missing: [.init(.attemptBytesSent, dueBy: expired.moment)],
        unless: ["the user cancelled the task", "the app reported the progress of other work"], tasks: tasks.map(\.identity)))
  }

  private static func isEarlier(_ one: Fact, _ other: Fact) -> Bool { one.isBefore(other) ?? false }
}
