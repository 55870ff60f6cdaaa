import XferEvents
import XferLifecycle
import XferReplay

/// Reports a file that the app could not move or open because the device was locked.
struct ClaimFailedProtected: TaskRule {
  private static let locked = RuleExample.Step.at(0.005, ProtectionEnabled(), by: .daemon)

  private static func claimed(_ error: Int?) -> FileClaimed {
    FileClaimed(delivery: DeliveryID(1), operation: .move, osError: error, inCallback: true)
  }

  /// The steps of an example: the file of a download is offered in a callback, in which the steps `inCallback` happen; the task
  /// completes; then `later` follows.
  private static func story(
    lock: [RuleExample.Step] = [locked], _ inCallback: [RuleExample.Step], later: [RuleExample.Step] = []
  ) -> [RuleExample.Step] {
    let offered: [RuleExample.Step] = [
      .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.01, TaskTransferred(received: 10, status: 200)),
      .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
      .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
      .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
      .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
    ]
    let left: [RuleExample.Step] = [
      .at(0.015, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
      .at(0.016, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(0.016, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(0.017, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(0.017, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(0.018, TaskCompleted(delivery: DeliveryID(2), received: 10, status: 200)),
    ]
    return lock + offered + inCallback + left + later + [.at(90, LogHeartbeatWritten())]
  }

  static let description = RuleDescription(
    id: "claim-failed-protected", severity: .critical,
    summary: "The downloaded file could not be stored because the device was locked.",
    explanation: """
      A file's protection class, or that of its directory, may forbid all access while the device is locked. A transfer that \
      ends in the background often ends on a locked device. The move then fails (EPERM or EACCES), and the temporary file is \
      removed when the callback returns. During development, with the device unlocked, the move always works. An encrypted \
      home directory that is not mounted has the same effect on Linux. The variant says whether a move was refused ("claim") \
      or a file of the app could not be opened ("open").
      """,
    remedy: """
      Store downloads in a directory whose protection class allows access after the first unlock, and check the class of the \
      directory as well as the file's. Move them to their final place when protected data becomes available.
      """,
    sources: [
      "https://github.com/cryptomator/ios/issues/11", "https://github.com/signalapp/Signal-iOS/pull/3009",
      "https://github.com/forcedotcom/SalesforceMobileSDK-iOS/pull/1091",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the file was moved while the device was locked", .certain, variant: "claim",
        cites: [.protectionEnabled, .fileClaimed], steps: story([.at(0.014, claimed(1))])),
      RuleExample(
        "the app's database could not be opened", .certain, variant: "open", cites: [.protectionEnabled, .diskOpenFailed],
        steps: story([.at(0.014, DiskOpenFailed(task: .example, file: "/data/store.db", osError: 13))])),
    ],
    staysSilent: [
      RuleExample(
        "the device was unlocked, so the move failed for another reason",
        steps: story(lock: [locked, .at(0.006, ProtectionDisabled(), by: .daemon)], [.at(0.014, claimed(13))])),
      RuleExample("the device was locked, and the move succeeded", steps: story([.at(0.014, claimed(nil))])),
      RuleExample("the device was locked, and the destination already exists", steps: story([.at(0.014, claimed(17))])),
      RuleExample(
        "a second move to another destination succeeded",
        steps: story([.at(0.014, claimed(1)), .at(0.014, claimed(nil))])),
      RuleExample(
        "a second move succeeded half a minute later",
        steps: story([.at(0.014, claimed(1))], later: [.at(10, LogHeartbeatWritten()), .at(30, claimed(nil))])),
      RuleExample("the log does not say whether the device was locked", steps: story(lock: [], [.at(0.014, claimed(1))])),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.fileClaimed, .diskOpenFailed, .deliveryLeft]

  /// The time that the app has to move the file to another destination.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to move the file elsewhere")]

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
    // The app may still move the file, or a copy of it.
    let process = world.process(of: task)
    guard process.endFact != nil || asked.isEndOfLog || asked.covered(since: trouble.fact, by: process) >= patience else {
      return .wait(patience, after: trouble.fact)
    }
    let isClaim = trouble.kind == .claim
    return .finding(
      Draft(
        variant: isClaim ? "claim" : "open",
        summary: isClaim
          ? "The file of task \(task.identity.label) could not be moved while the device was locked."
          : "A file that task \(task.identity.label) needs could not be opened while the device was locked.",
        claim: .presence, evidence: trouble.fact, [lock.changed]))
  }
}
