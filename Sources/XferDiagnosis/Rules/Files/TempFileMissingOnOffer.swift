import XferEvents
import XferLifecycle
import XferReplay

/// The app was offered a downloaded file that was not there.
struct TempFileMissingOnOffer: TaskRule {
  private static let delivery = DeliveryID(1)
  private static let done: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download), at: .zero),
    .event(TaskResumed(task: .example), at: .milliseconds(1)),
    .event(TaskTransferred(task: .example, received: 10, status: 200), at: .seconds(1)),
  ]

  private static func offered(_ exists: Bool?) -> FileOffered {
    FileOffered(task: .example, delivery: delivery, inode: exists == true ? 9 : nil, size: 10, exists: exists)
  }

  static let description = RuleDescription(
    id: "temp-file-missing-on-offer", severity: .critical,
    summary: "The downloaded file was already gone when the app was called with it.",
    explanation: """
      The transfer is complete and the callback names a file, but there is none: it was removed between the end of the \
      transfer and the call. That happens with the first launch after a transfer that ended while the app was not running: \
      the temporary directory was cleared, or the path begins with a directory that an earlier installation had. Nothing that \
      the app does in the callback can help.
      """,
    remedy: """
      Treat a file that is not there as a failed transfer, and start it again. Whoever offers files looks for them before the \
      callback, hands over a descriptor or a path relative to the app's directory, and keeps them out of directories that \
      others clear.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/7229"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "offered at the next launch, and not there", certainty: .certain,
        steps: done + [
          .event(DeliverySent(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(1)),
          .event(DeliveryReceived(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(30)),
          .evidence(offered(false), at: .seconds(30)),
          .event(DeliveryEntered(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(30)),
          .event(DeliveryLeft(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(31)),
          .event(DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .seconds(31)),
          .event(DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .seconds(31)),
          .event(DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .seconds(31)),
          .event(DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .seconds(31)),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(2), received: 10, status: 200), at: .seconds(31)),
        ]),
      RuleExample(
        "the app tried to move it", certainty: .certain,
        steps: done + [
          .event(DeliverySent(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(2)),
          .evidence(offered(false), at: .seconds(2)),
          .event(DeliveryReceived(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(2)),
          .event(DeliveryEntered(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(2)),
          .event(
            FileClaimed(task: .example, delivery: delivery, operation: .move, osError: 2, inCallback: true), at: .seconds(2)),
          .event(DeliveryLeft(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(3)),
          .event(DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .seconds(3)),
          .event(DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .seconds(3)),
          .event(DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .seconds(3)),
          .event(DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .seconds(3)),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(2), received: 10, status: 200), at: .seconds(3)),
          .event(LogHeartbeatWritten(), at: .seconds(30)),
        ]),
    ],
    staysSilent: [
      RuleExample("it is there", steps: done + [.event(offered(true), at: .seconds(2))]),
      RuleExample("nobody looked", steps: done + [.event(offered(nil), at: .seconds(2))]),
      RuleExample(
        "the callback came again, when the file had been moved",
        steps: done + [
          .event(offered(true), at: .seconds(2)),
          .event(DeliveryEntered(task: .example, delivery: delivery, callback: .didFinishDownloading), at: .seconds(2)),
          .event(FileClaimed(task: .example, delivery: delivery, operation: .move, inCallback: true), at: .seconds(2)),
          .event(
            DeliverySent(task: .example, delivery: delivery, callback: .didFinishDownloading, redelivered: true), at: .seconds(9)),
          .event(offered(false), at: .seconds(9)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.fileOffered]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let trouble = task.troubles.first(where: { $0.kind == .offer }) else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: "The downloaded file of task \(task.identity.text) was not there when the app was called with it.",
        claim: .presence, evidence: trouble.fact))
  }
}
