import XferEvents
import XferLifecycle
import XferReplay

/// The app could not take over a file, because the device was locked.
struct ClaimFailedProtected: TaskRule {
  private static let delivery = DeliveryID(1)
  private static let locked = RuleExample.Step.at(0.005, ProtectionEnabled(), by: .daemon)
  private static let evidentlyLocked = RuleExample.Step.at(0.005, ProtectionEnabled(), by: .daemon)
  private static let offered: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.01, TaskTransferred(received: 10, status: 200)),
    .at(0.011, DeliverySent(task: .example, delivery: delivery, callback: .didFinishDownloading)),
    .at(0.012, FileOffered(delivery: delivery, inode: 9, size: 10, exists: true)),
    .at(0.012, DeliveryReceived(task: .example, delivery: delivery, callback: .didFinishDownloading)),
    .at(0.013, DeliveryEntered(task: .example, delivery: delivery, callback: .didFinishDownloading)),
  ]

  private static func claimed(_ error: Int?) -> FileClaimed {
    FileClaimed(delivery: delivery, operation: .move, osError: error, inCallback: true)
  }

  private static let left: [RuleExample.Step] = [
    .at(0.015, DeliveryLeft(task: .example, delivery: delivery, callback: .didFinishDownloading)),
    .at(0.016, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    .at(0.016, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    .at(0.017, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    .at(0.017, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    .at(0.018, TaskCompleted(delivery: DeliveryID(2), received: 10, status: 200)),
  ]
  private static let later = RuleExample.Step.at(90, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "claim-failed-protected", severity: .critical,
    summary: "The downloaded file could not be stored, because the device was locked.",
    explanation: """
      Files are made with a class of protection, which may forbid all use while the device is locked: the file's own, or that \
      of the directory that it is put into. A transfer that ends in the background ends, as often as not, on a locked \
      device. The move is refused then (EPERM or EACCES), the temporary file goes when the callback returns, and in front \
      of a developer, with the device unlocked, it always works. An encrypted home that is not mounted does the same on \
      Linux. The variant says whether a move was refused, or a file of the app's could not be opened.
      """,
    remedy: """
      Put downloads into a directory whose class allows use after the first unlock, check the class of the directory as well \
      as that of the file, and move them to where they belong when protected data becomes available.
      """,
    sources: [
      "https://github.com/cryptomator/ios/issues/11", "https://github.com/signalapp/Signal-iOS/pull/3009",
      "https://github.com/forcedotcom/SalesforceMobileSDK-iOS/pull/1091",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "moved while the device was locked", .certain, variant: "claim", cites: [.protectionEnabled, .fileClaimed],
        steps: [evidentlyLocked] + offered + [.at(0.014, claimed(1))] + left + [later]),
      RuleExample(
        "the app's own store could not be opened", .certain, variant: "open", cites: [.protectionEnabled, .diskOpenFailed],
        steps: [evidentlyLocked] + offered + [.at(0.014, DiskOpenFailed(task: .example, file: "/data/store.db", osError: 13))]
          + left + [later]),
    ],
    staysSilent: [
      RuleExample(
        "refused, with the device unlocked: that is about the destination",
        steps: [locked, .at(0.006, ProtectionDisabled(), by: .daemon)] + offered + [.at(0.014, claimed(13))] + left + [later]),
      RuleExample("locked, and moved all the same", steps: [locked] + offered + [.at(0.014, claimed(nil))] + left + [later]),
      RuleExample("locked, and the name was taken", steps: [locked] + offered + [.at(0.014, claimed(17))] + left + [later]),
      RuleExample(
        "refused, and then put where it is allowed",
        steps: [locked] + offered + [.at(0.014, claimed(1)), .at(0.014, claimed(nil))] + left + [later]),
      RuleExample(
        "refused, and put elsewhere half a minute later",
        steps: [locked] + offered + [.at(0.014, claimed(1))] + left + [
          .at(10, LogHeartbeatWritten()), .at(30, claimed(nil)), later,
        ]),
      RuleExample("nobody has said whether it was locked", steps: offered + [.at(0.014, claimed(1))] + left + [later]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.fileClaimed, .diskOpenFailed, .deliveryLeft]

  /// For the app to put the file elsewhere.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to put the file elsewhere")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if task.file.claimed != nil { return .silent }
    let denied = task.troubles.filter { $0.isDenied && ($0.kind == .claim || $0.kind == .open) }
    guard let first = denied.first else { return asked.isTaskOver ? .silent : nil }
    guard let trouble = denied.first(where: { $0.surroundings.protection?.isOn == true }),
      let lock = trouble.surroundings.protection
    else {
      if asked.isEndOfLog, first.surroundings.protection == nil {
        return .undecidable(needs: "protection.enabled or protection.disabled")
      }
      return asked.isTaskOver ? .silent : nil
    }
    // While the file is there, and after a copy of it was made, it may still be moved.
    let process = world.process(of: task)
    guard process.endFact != nil || asked.isEndOfLog || asked.covered(since: trouble.fact, by: process) >= patience else {
      return .wait(patience, after: trouble.fact)
    }
    let isClaim = trouble.kind == .claim
    return .finding(
      Draft(
        variant: isClaim ? "claim" : "open",
        summary: isClaim
          ? "The file of task \(task.identity.text) could not be moved while the device was locked."
          : "A file that task \(task.identity.text) needs could not be opened while the device was locked.",
        claim: .presence, evidence: trouble.fact, [lock.changed]))
  }
}
