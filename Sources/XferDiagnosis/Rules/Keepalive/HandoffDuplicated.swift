import XferEvents
import XferLifecycle
import XferReplay

/// Both the old task and the one that was to replace it did the work.
struct HandoffDuplicated: HandoffRule {
  private static let (foreground, background) = ("default-1", "com.example.photos")
  private static let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: foreground, number: 1)
  private static let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
  private static let created = TaskCreated(task: second, type: .upload, method: "POST", intent: "photo-1")

  /// An upload in front that is on the wire, background time, and both sessions.
  private static let story: [RuleExample.Step] = [
    .event(ProcessStarted(executable: "app"), at: .zero),
    .event(SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default), at: .milliseconds(1)),
    .event(SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background), at: .milliseconds(1)),
    .event(TaskCreated(task: first, type: .upload, method: "POST", intent: "photo-1"), at: .milliseconds(2)),
    .event(TaskResumed(task: first), at: .milliseconds(3)),
    .event(AttemptStarted(task: first, attempt: 1), at: .milliseconds(4)),
    .event(AssertionBegun(assertion: CorrelationID(5), name: "photos"), at: .seconds(1)),
  ]

  private static let ended = RuleExample.Step.event(
    AssertionEnded(assertion: CorrelationID(5), name: "photos"), at: .seconds(6))

  private static func done(_ task: TaskIdentity, at time: Duration, isEvidence: Bool) -> [RuleExample.Step] {
    let delivery = DeliveryID(UInt64(task.uid.low))
    let completed = TaskCompleted(task: task, delivery: delivery, sent: 900, status: 200)
    return [
      .event(TaskTransferred(task: task, sent: 900, status: 200), at: time),
      .event(DeliverySent(task: task, delivery: delivery, callback: .didComplete), at: time),
      .event(DeliveryReceived(task: task, delivery: delivery, callback: .didComplete), at: time),
      .event(DeliveryEntered(task: task, delivery: delivery, callback: .didComplete), at: time),
      .event(DeliveryLeft(task: task, delivery: delivery, callback: .didComplete), at: time),
      isEvidence ? .evidence(completed, at: time) : .event(completed, at: time),
    ]
  }

  static let description = RuleDescription(
    id: "handoff-duplicated", severity: .error,
    summary: "A transfer was handed to a background session while the old task went on, and both were done.",
    explanation: """
      Two tasks for one piece of work know nothing of each other. When the old one is not cancelled, or its last bytes had \
      already gone out, both end well: the server has the upload twice (“file (1)”), or the same bytes were fetched twice.
      """,
    remedy: """
      Cancel the old task before the new one is resumed, and wait for its completion where it matters; give uploads a key \
      by which the server knows the second for the first.
      """,
    sources: ["https://github.com/Infomaniak/ios-kDrive/pull/783"],
    reports: [
      RuleExample(
        "the first was not cancelled", certainty: .certain,
        steps: story + [.evidence(created, at: .seconds(5)), .event(TaskResumed(task: second), at: .seconds(5)), ended]
          + done(first, at: .seconds(7), isEvidence: true) + done(second, at: .seconds(20), isEvidence: true)),
      RuleExample(
        "the app says that one goes on as the other, and cancelled too late", certainty: .certain,
        steps: story + [
          .evidence(created, at: .seconds(5)), .evidence(TaskHandedOff(task: first, successor: second), at: .seconds(5)),
          .event(TaskResumed(task: second), at: .seconds(5)), ended,
        ] + done(first, at: .seconds(7), isEvidence: true) + done(second, at: .seconds(20), isEvidence: true)),
    ],
    staysSilent: [
      RuleExample(
        "the first was cancelled",
        steps: story + [
          .event(created, at: .seconds(5)), .event(TaskResumed(task: second), at: .seconds(5)), ended,
          .event(TaskCancelRequested(task: first, by: .app), at: .seconds(6)),
          .event(AttemptEnded(task: first, attempt: 1, end: .cancelled), at: .seconds(6)),
          .event(TaskCompleted(task: first, domain: .url, error: -999, cancelReason: CancelReason.none), at: .seconds(6)),
        ] + done(second, at: .seconds(20), isEvidence: false)),
      RuleExample(
        "the first failed, and the second did it",
        steps: story + [
          .event(created, at: .seconds(5)), .event(TaskResumed(task: second), at: .seconds(5)), ended,
          .event(AttemptEnded(task: first, attempt: 1, end: .transport, domain: .curl, error: 56), at: .seconds(6)),
          .event(TaskCompleted(task: first, domain: .curl, error: 56), at: .seconds(6)),
        ] + done(second, at: .seconds(20), isEvidence: false)),
      RuleExample(
        "the second was for something else",
        steps: story + [
          .event(TaskCreated(task: second, type: .upload, intent: "photo-2"), at: .seconds(5)),
          .event(TaskResumed(task: second), at: .seconds(5)), ended,
        ] + done(first, at: .seconds(7), isEvidence: false) + done(second, at: .seconds(20), isEvidence: false)),
      RuleExample(
        "the second was made when the first was done",
        steps: story + done(first, at: .seconds(4), isEvidence: false) + [
          .event(created, at: .seconds(5)), .event(TaskResumed(task: second), at: .seconds(5)), ended,
        ] + done(second, at: .seconds(20), isEvidence: false)),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on handoff: HandoffLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if handoff.firstCompleted != nil, handoff.firstSucceeded == nil { return .silent }
    guard let created = handoff.successorCreated, let first = handoff.firstSucceeded, let second = handoff.successorSucceeded,
      let other = handoff.successor
    else { return asked.isEndOfLog ? .silent : nil }
    // Made when the first was done, it is a repetition of another kind.
    guard created.duration(to: first) ?? .zero > .zero else { return .silent }
    return .finding(
      Draft(
        summary: "Tasks \(handoff.first.text) and \(other.text) were for the same, and both were done.", claim: .presence,
        evidence: created, [handoff.announced, first, second], tasks: [handoff.first, other]))
  }
}
