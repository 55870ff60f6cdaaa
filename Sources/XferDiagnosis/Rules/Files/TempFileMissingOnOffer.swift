import XferEvents
import XferLifecycle
import XferReplay

/// The app was offered a downloaded file that was not there.
struct TempFileMissingOnOffer: TaskRule {
  private static let delivery = DeliveryID(1)
  private static let done: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(1, TaskTransferred(received: 10, status: 200)),
  ]

  private static func offered(_ exists: Bool?) -> FileOffered {
    FileOffered(delivery: delivery, inode: exists == true ? 9 : nil, size: 10, exists: exists)
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
        "offered at the next launch, and not there", .certain, cites: [.fileOffered],
        steps: done + [
          .at(1, DeliverySent(task: .example, delivery: delivery, callback: .didFinishDownloading)),
          .at(30, DeliveryReceived(task: .example, delivery: delivery, callback: .didFinishDownloading)), .at(30, offered(false)),
          .at(30, DeliveryEntered(task: .example, delivery: delivery, callback: .didFinishDownloading)),
          .at(31, DeliveryLeft(task: .example, delivery: delivery, callback: .didFinishDownloading)),
          .at(31, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
          .at(31, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
          .at(31, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
          .at(31, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
          .at(31, TaskCompleted(delivery: DeliveryID(2), received: 10, status: 200)),
        ]),
      RuleExample(
        "the app tried to move it", .certain, cites: [.fileOffered],
        steps: done + [
          .at(2, DeliverySent(task: .example, delivery: delivery, callback: .didFinishDownloading)), .at(2, offered(false)),
          .at(2, DeliveryReceived(task: .example, delivery: delivery, callback: .didFinishDownloading)),
          .at(2, DeliveryEntered(task: .example, delivery: delivery, callback: .didFinishDownloading)),
          .at(2, FileClaimed(delivery: delivery, operation: .move, osError: 2, inCallback: true)),
          .at(3, DeliveryLeft(task: .example, delivery: delivery, callback: .didFinishDownloading)),
          .at(3, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
          .at(3, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
          .at(3, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
          .at(3, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
          .at(3, TaskCompleted(delivery: DeliveryID(2), received: 10, status: 200)), .at(30, LogHeartbeatWritten()),
        ]),
    ],
    staysSilent: [
      RuleExample("it is there", steps: done + [.at(2, offered(true))]),
      RuleExample("nobody looked", steps: done + [.at(2, offered(nil))]),
      RuleExample(
        "the callback came again, when the file had been moved",
        steps: done + [
          .at(2, offered(true)), .at(2, DeliveryEntered(task: .example, delivery: delivery, callback: .didFinishDownloading)),
          .at(2, FileClaimed(delivery: delivery, operation: .move, inCallback: true)),
          .at(9, DeliverySent(task: .example, delivery: delivery, callback: .didFinishDownloading, redelivered: true)),
          .at(9, offered(false)),
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
