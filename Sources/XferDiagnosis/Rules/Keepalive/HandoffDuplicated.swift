import XferEvents
import XferLifecycle
import XferReplay

/// Reports a transfer that both the old task and its replacement in a background session completed.
struct HandoffDuplicated: HandoffRule {
  private static let (foreground, background) = ("default-1", "com.example.photos")
  private static let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: foreground, number: 1)
  private static let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
  private static let created = TaskCreated(task: second, type: .upload, method: "POST", intent: "photo-1")

  /// The steps up to the start of a background assertion, with an upload in flight in a default session, and with a background
  /// session.
  private static let begun: [RuleExample.Step] = [
    .at(0, ProcessStarted(executable: "app")),
    .at(0.001, SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default)),
    .at(0.001, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background)),
    .at(0.002, TaskCreated(task: first, type: .upload, method: "POST", intent: "photo-1")),
    .at(0.003, TaskResumed(task: first)), .at(0.004, AttemptStarted(task: first, attempt: 1)),
    .at(1, AssertionBegun(assertion: CorrelationID(5), name: "photos")),
  ]

  /// The steps in which the second task is created and the background assertion ends.
  private static func replaced(
    _ created: TaskCreated = created, announcing handoff: TaskHandedOff? = nil
  ) -> [RuleExample.Step] {
    let announcement: [RuleExample.Step] = handoff.map { [.at(5, $0)] } ?? []
    return [.at(5, created)] + announcement + [
      .at(5, TaskResumed(task: second)), .at(6, AssertionEnded(assertion: CorrelationID(5), name: "photos")),
    ]
  }

  private static func done(_ task: TaskIdentity, at seconds: Double) -> [RuleExample.Step] {
    let delivery = DeliveryID(UInt64(task.uid.low))
    return [
      .at(seconds, TaskTransferred(task: task, sent: 900, status: 200)),
      .at(seconds, DeliverySent(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, TaskCompleted(task: task, delivery: delivery, sent: 900, status: 200)),
    ]
  }

  static let description = RuleDescription(
    id: "handoff-duplicated", severity: .error,
    summary: "A transfer was handed off to a background session, and both the old and the new task completed it.",
    explanation: """
      A handoff continues a foreground transfer in the background: the app cancels the old task and creates a new one in a \
      background session. The two tasks do not know of each other. When the old task is not cancelled, or had already sent its \
      last bytes, both succeed: the server stores the upload twice (“file (1)”), or the same bytes are downloaded twice.
      """,
    remedy: """
      Cancel the old task before you resume the new one. If a duplicate does harm, first wait for \
      urlSession(_:task:didCompleteWithError:) of the old task, and discard the new task if the old one succeeded. Send an \
      Idempotency-Key with uploads, so that the server detects the second one.
      """,
    sources: ["https://github.com/Infomaniak/ios-kDrive/pull/783"],
    reports: [
      RuleExample(
        "the first task was not cancelled", .certain, cites: [.last(.taskCreated), .taskCompleted],
        steps: begun + replaced() + done(first, at: 7) + done(second, at: 20)),
      RuleExample(
        "the app recorded the handoff and did not cancel the first task", .certain,
        cites: [.last(.taskCreated), .taskHandedOff, .taskCompleted],
        steps: begun + replaced(announcing: TaskHandedOff(task: first, successor: second)) + done(first, at: 7)
          + done(second, at: 20)),
    ],
    staysSilent: [
      RuleExample(
        "the first task was cancelled",
        steps: begun + replaced() + [
          .at(6, TaskCancelRequested(task: first, by: .app)),
          .at(6, AttemptEnded(task: first, attempt: 1, end: .cancelled)),
          .at(6, TaskCompleted(task: first, domain: .url, error: -999, cancelReason: CancelReason.none)),
        ] + done(second, at: 20)),
      RuleExample(
        "the first task failed, and the second succeeded",
        steps: begun + replaced() + [
          .at(6, AttemptEnded(task: first, attempt: 1, end: .transport, domain: .curl, error: 56)),
          .at(6, TaskCompleted(task: first, domain: .curl, error: 56)),
        ] + done(second, at: 20)),
      RuleExample(
        "the second task was for other work (another intent)",
        steps: begun + replaced(TaskCreated(task: second, type: .upload, intent: "photo-2")) + done(first, at: 7)
          + done(second, at: 20)),
      RuleExample(
        "the second task was created after the first had completed",
        steps: begun + done(first, at: 4) + replaced() + done(second, at: 20)),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on handoff: HandoffLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if handoff.firstCompleted != nil, handoff.firstSucceeded == nil { return .silent }
    guard let created = handoff.successorCreated, let first = handoff.firstSucceeded, let second = handoff.successorSucceeded,
      let other = handoff.successor
    else { return asked.isEndOfLog ? .silent : nil }
    // A task that was created after the first had completed is not a handoff.
    guard created.duration(to: first) ?? .zero > .zero else { return .silent }
    return .finding(
      Draft(
        summary: "Tasks \(handoff.first.label) and \(other.label) were for the same work, and both completed it.",
        claim: .presence, evidence: created, [handoff.announced, first, second], tasks: [handoff.first, other]))
  }
}
