import XferEvents
import XferLifecycle
import XferReplay

/// Reports a downloaded file that no longer existed when the callback with its path was called.
struct TempFileMissingOnOffer: TaskRule {
  private static let done: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(1, TaskTransferred(received: 10, status: 200)),
  ]
  private static let sent = DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)
  private static let received = DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)
  private static let entered = DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)

  private static func offered(_ exists: Bool?) -> FileOffered {
    FileOffered(delivery: DeliveryID(1), inode: exists == true ? 9 : nil, size: 10, exists: exists)
  }

  /// The steps in which the callback returns and the task completes.
  private static func left(at seconds: Double) -> [RuleExample.Step] {
    [
      .at(seconds, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
      .at(seconds, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(seconds, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(seconds, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(seconds, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(seconds, TaskCompleted(delivery: DeliveryID(2), received: 10, status: 200)),
    ]
  }

  static let description = RuleDescription(
    id: "temp-file-missing-on-offer", severity: .critical,
    summary: "The downloaded file no longer existed when the app's callback was called.",
    explanation: """
      The transfer is complete, but the file that the callback names was removed between the end of the transfer and the \
      call. This happens at the first launch after a transfer that ended while the app was not running: the temporary \
      directory was cleared, or the path begins with the directory of an earlier installation. Nothing that the app does in \
      the callback can help.
      """,
    remedy: """
      In the app, treat a missing file as a failed transfer and restart it. In a download library, check that the file exists \
      before you call the callback, pass a descriptor or a path relative to the app's directory, and keep the file out of \
      directories that the system clears.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/7229"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the file is offered at the next launch", .certain, cites: [.fileOffered],
        steps: done + [.at(1, sent), .at(30, received), .at(30, offered(false)), .at(30, entered)] + left(at: 31)),
      RuleExample(
        "the app tried to move the file", .certain, cites: [.fileOffered],
        steps: done + [
          .at(2, sent), .at(2, offered(false)), .at(2, received), .at(2, entered),
          .at(2, FileClaimed(delivery: DeliveryID(1), operation: .move, osError: 2, inCallback: true)),
        ] + left(at: 3) + [.at(30, LogHeartbeatWritten())]),
    ],
    staysSilent: [
      RuleExample("the file exists", steps: done + [.at(2, offered(true))]),
      RuleExample("the file was not checked", steps: done + [.at(2, offered(nil))]),
      RuleExample(
        "the callback was repeated after the file had been moved",
        steps: done + [
          .at(2, offered(true)), .at(2, entered),
          .at(2, FileClaimed(delivery: DeliveryID(1), operation: .move, inCallback: true)),
          .at(9, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading, redelivered: true)),
          .at(9, offered(false)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.fileOffered]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let trouble = task.troubles.first(where: { $0.kind == .offer }) else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: "The downloaded file of task \(task.identity.label) no longer existed when the app's callback was called.",
        claim: .presence, evidence: trouble.fact))
  }
}
