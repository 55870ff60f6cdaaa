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
    .at(0, ProcessStarted(executable: "app")),
    .at(0.001, SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default)),
    .at(0.001, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background)),
    .at(0.002, TaskCreated(task: first, type: .upload, method: "POST", intent: "photo-1")),
    .at(0.003, TaskResumed(task: first)), .at(0.004, AttemptStarted(task: first, attempt: 1)),
    .at(1, AssertionBegun(assertion: CorrelationID(5), name: "photos")),
  ]

  private static let ended = RuleExample.Step.at(6, AssertionEnded(assertion: CorrelationID(5), name: "photos"))

  private static func done(_ task: TaskIdentity, at time: Duration) -> [RuleExample.Step] {
    let delivery = DeliveryID(UInt64(task.uid.low))
    let completed = TaskCompleted(task: task, delivery: delivery, sent: 900, status: 200)
    return [
      .at(time, TaskTransferred(task: task, sent: 900, status: 200)),
      .at(time, DeliverySent(task: task, delivery: delivery, callback: .didComplete)),
      .at(time, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
      .at(time, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
      .at(time, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
      .at(time, completed),
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
        "the first was not cancelled", .certain, cites: [.last(.taskCreated), .taskCompleted],
        steps: story + [
          .at(5, created), .at(5, TaskResumed(task: second)), ended,
        ] + done(first, at: .seconds(7)) + done(second, at: .seconds(20))),
      RuleExample(
        "the app says that one goes on as the other, and cancelled too late", .certain,
        cites: [.last(.taskCreated), .taskHandedOff, .taskCompleted],
        steps: story + [
          .at(5, created), .at(5, TaskHandedOff(task: first, successor: second)), .at(5, TaskResumed(task: second)), ended,
        ] + done(first, at: .seconds(7)) + done(second, at: .seconds(20))),
    ],
    staysSilent: [
      RuleExample(
        "the first was cancelled",
        steps: story + [
          .at(5, created), .at(5, TaskResumed(task: second)), ended, .at(6, TaskCancelRequested(task: first, by: .app)),
          .at(6, AttemptEnded(task: first, attempt: 1, end: .cancelled)),
          .at(6, TaskCompleted(task: first, domain: .url, error: -999, cancelReason: CancelReason.none)),
        ] + done(second, at: .seconds(20))),
      RuleExample(
        "the first failed, and the second did it",
        steps: story + [
          .at(5, created), .at(5, TaskResumed(task: second)), ended,
          .at(6, AttemptEnded(task: first, attempt: 1, end: .transport, domain: .curl, error: 56)),
          .at(6, TaskCompleted(task: first, domain: .curl, error: 56)),
        ] + done(second, at: .seconds(20))),
      RuleExample(
        "the second was for something else",
        steps: story + [
          .at(5, TaskCreated(task: second, type: .upload, intent: "photo-2")), .at(5, TaskResumed(task: second)), ended,
        ] + done(first, at: .seconds(7)) + done(second, at: .seconds(20))),
      RuleExample(
        "the second was made when the first was done",
        steps: story + done(first, at: .seconds(4)) + [
          .at(5, created), .at(5, TaskResumed(task: second)), ended,
        ] + done(second, at: .seconds(20))),
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
