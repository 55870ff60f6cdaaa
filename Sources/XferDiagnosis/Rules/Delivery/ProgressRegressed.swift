import XferEvents
import XferLifecycle
import XferReplay

/// Progress that had been counted was taken back.
struct ProgressRegressed: TaskRule {
  private static func story(_ kind: SessionKind) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: TaskIdentity.example.session, sessionKind: kind, hasDelegate: true)),
      .at(0, TaskCreated(type: .download, method: "GET")),
      .at(0, TaskResumed()), .at(1, AttemptStarted(attempt: 1)),
      .at(1, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000)),
    ]
  }
  private static func bytes(_ received: Int64, attempt: Int = 1) -> AttemptBytesReceived {
    AttemptBytesReceived(attempt: attempt, received: received, expected: 1000)
  }
  private static func again(offset: Int64 = 0) -> [RuleExample.Step] {
    [
      .at(4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 800, retryIn: .seconds(1))),
      .at(5, AttemptStarted(attempt: 2, offset: offset)),
    ]
  }

  static let description = RuleDescription(
    id: "progress-regressed", severity: .warning,
    summary: "Progress of a task went back.",
    explanation: """
      Bytes that have come do not go away, so a number that falls says that something began anew. In background sessions the \
      daemon tries again by itself, for as long as the resource limit lets it, and the app is not told: it sees its bar reach the \
      end and start over, and the server may get several copies. The variant says which: "hidden retry", where the log shows the \
      other attempt, or "unexplained".
      """,
    remedy: """
      Show attempts, not a bar that jumps. Set a resource limit, so that trying again ends, and make uploads such that a second \
      copy does no harm.
      """,
    sources: [
      "https://github.com/aws-amplify/aws-sdk-ios/issues/2245",
      "https://github.com/Vydia/react-native-background-upload/issues/113",
    ],
    needsWholeLog: true,
    consequenceOf: ["retry-storm", "resume-restarted", "resume-range-ignored", "resume-data-discarded", "resume-entity-changed"],
    reports: [
      RuleExample(
        "the daemon began anew", .certain, variant: "hidden retry", cites: [.attemptBytesReceived],
        steps: story(.background) + [.at(3, bytes(800))] + again() + [.at(6, bytes(100, attempt: 2))]),
      RuleExample(
        "within one attempt", .certain, variant: "unexplained", cites: [.attemptBytesReceived],
        steps: story(.default) + [.at(3, bytes(800)), .at(6, bytes(100))]),
    ],
    staysSilent: [
      RuleExample("it grows", steps: story(.default) + [.at(3, bytes(100)), .at(6, bytes(800))]),
      RuleExample(
        "the second attempt goes on where the first had got to",
        steps: story(.background) + [.at(3, bytes(800))] + again(offset: 800) + [.at(6, bytes(100, attempt: 2))]),
      RuleExample(
        "another attempt in the app's own process, which the log shows it",
        steps: story(.default) + [.at(3, bytes(800))] + again() + [.at(6, bytes(100, attempt: 2))]),
      RuleExample(
        "the second attempt's first answer is a page that asks for credentials",
        steps: story(.background) + [.at(3, bytes(800))] + again() + [
          .at(6, AttemptResponseReceived(attempt: 2, status: 401, expected: 100)),
          .at(6, bytes(100, attempt: 2)),
          .at(7, AttemptResponseReceived(attempt: 2, status: 200, expected: 1000)),
          .at(8, bytes(1000, attempt: 2)),
        ]),
      RuleExample(
        "another response begins to count anew",
        steps: story(.default) + [
          .at(3, bytes(800)), .at(4, AttemptResponseReceived(attempt: 1, transaction: 2, status: 200, expected: 1000)),
          .at(6, bytes(100)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.regressed)]
  static let watches: Set<EventKind> = [.attemptBytesReceived, .attemptBytesSent]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let regress = task.oddities.regress else { return asked.isTaskOver ? .silentSoFar : nil }
    if regress.isRetry {
      // An engine in the app's own process tells its app of each attempt; that a resume began anew is told by itself.
      guard world.sessionKind(of: task) == .background, task.restart == nil else { return .silent }
    }
    return .finding(
      Draft(
        variant: regress.isRetry ? "hidden retry" : "unexplained",
        summary: "Progress of task \(task.identity.text) went back from \(regress.before.bytes) to \(regress.after.bytes) bytes.",
        claim: .presence, evidence: regress.before.fact, [regress.after.fact]))
  }
}
