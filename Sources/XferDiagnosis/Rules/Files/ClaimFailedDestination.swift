import XferEvents
import XferLifecycle
import XferReplay

/// The app tried to take the downloaded file in time, and the place that it had chosen would not have it.
struct ClaimFailedDestination: TaskRule {
  private static let callback = Callback.didFinishDownloading

  /// A download whose file the app is offered; the claim follows.
  private static let offered: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.01, TaskTransferred(received: 10, status: 200)),
    .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: callback)),
    .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
    .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: callback)),
    .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: callback)),
  ]

  private static func claimed(_ error: Int?, inCallback: Bool = true) -> FileClaimed {
    FileClaimed(operation: .move, osError: error, inCallback: inCallback)
  }

  private static let left = DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: callback)
  /// The callback is over, what was left of the file is removed, and the log goes on.
  private static let over: [RuleExample.Step] = [
    .at(0.016, FileReaped(inode: 9, size: 10)),
    .at(0.017, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    .at(0.017, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    .at(0.018, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    .at(0.019, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    .at(0.02, TaskCompleted(delivery: DeliveryID(2), received: 10, status: 200)),
  ]

  static let description = RuleDescription(
    id: "claim-failed-destination", severity: .error,
    summary: "The downloaded file could not be put where the app wanted it, and is gone.",
    explanation: """
      The app did move the file while it was there to be moved, and the destination refused it: a file of an earlier download \
      has the name, the directory was never made, or may not be written to. Code that ignores the error goes on without \
      the file; code that forces its way (`try!`) dies on the spot, at the end of a transfer for which nothing was wrong. \
      Both show up late, with the second download of the same thing or on a fresh installation.
      """,
    remedy: """
      Make the directory before the task is resumed, replace what has the name in one step instead of removing it first, and make an \
      error of the move the transfer's own outcome.
      """,
    sources: ["https://github.com/AFNetworking/AFNetworking/issues/3617", "https://github.com/Danie1s/Tiercel/issues/170"],
    needsWholeLog: true,
    consequenceOf: ["temp-file-missing-on-offer"],
    reports: [
      RuleExample(
        "an earlier file has the name, and the error was ignored", .certain,
        cites: [.fileOffered, .fileClaimed, .first(.deliveryLeft)],
        steps: offered + [.at(0.014, claimed(17)), .at(0.015, left)] + over + [.at(30, LogHeartbeatWritten())]),
      RuleExample(
        "there is no such directory, and the app calls it a success", .certain,
        cites: [.fileOffered, .fileClaimed, .first(.deliveryLeft)],
        steps: offered + [.at(0.014, claimed(2)), .at(0.015, left)] + over + [
          .at(0.03, AppOutcomeRecorded(task: .example, outcome: .success))
        ]),
      RuleExample(
        "forced, and the app died of it", .certain, cites: [.fileOffered, .fileClaimed, .processExitObserved],
        steps: offered + [
          .at(0.014, claimed(17)),
          .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the second try was for a place that is free",
        steps: offered + [.at(0.014, claimed(17)), .at(0.014, claimed(nil)), .at(0.015, left), .at(30, LogHeartbeatWritten())]),
      RuleExample(
        "the app saw the error, and says that the transfer failed",
        steps: offered + [.at(0.014, claimed(13)), .at(0.015, left)] + over + [
          .at(0.03, AppOutcomeRecorded(task: .example, outcome: .failure)),
          .at(30, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "it tried when the callback had returned, which is another problem",
        steps: offered + [.at(0.015, left)] + over + [.at(0.04, claimed(2, inCallback: false)), .at(30, LogHeartbeatWritten())]),
      RuleExample(
        "the disk is full, wherever the file goes",
        steps: offered + [.at(0.014, claimed(28)), .at(0.015, left)] + over + [.at(30, LogHeartbeatWritten())]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.fileClaimed)]
  static let watches: Set<EventKind> = [.fileClaimed, .appOutcomeRecorded]

  /// For the app to say what it made of the file.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to say what it made of the file")]

  /// What the errors that are about the destination mean; their numbers are the same on all systems.
  private static func reason(_ error: Int) -> String? {
    switch error {
    case 2: "there is no such directory"
    case 13: "permission was denied"
    case 17: "something has its name already"
    case 18: "it is on another file system"
    case 20: "something on the way is no directory"
    case 21: "a directory has its name"
    case 30: "the file system is read-only"
    default: nil
    }
  }

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let file = task.file
    if file.claimed != nil { return .silent }
    guard let failed = file.claimFailed, let error = file.claimError, let reason = Self.reason(error) else {
      return asked.isTaskOver ? .silent : nil
    }
    if let outcome = task.outcome, outcome != .success { return .silent }
    // On a locked device it is the lock that refuses.
    if task.troubles.contains(where: { $0.fact == failed && $0.isDenied && $0.surroundings.protection?.isOn == true }) {
      return .silent
    }
    let process = world.process(of: task)
    // Until the callback returns the app may try elsewhere, and after it say that it knows.
    let isSettled = task.outcome != nil || process.endFact != nil || asked.isEndOfLog
    guard isSettled || asked.covered(since: failed, by: process) >= patience else {
      return .wait(patience, after: failed)
    }
    return .finding(draft(task, failed, reason, diedOfIt: task.fileDelivery?.left == nil && process.endedAbnormally, process))
  }

  private func draft(
    _ task: TaskLifecycle, _ failed: Fact, _ reason: String, diedOfIt: Bool, _ process: ProcessLifecycle
  ) -> Draft {
    let size = task.file.size.map { " of \($0) bytes" } ?? ""
    let end = diedOfIt ? ", and the process died of it" : ""
    return Draft(
      summary: "The file\(size) of task \(task.identity.text) could not be put where it was to go: \(reason)\(end).",
      claim: .presence, evidence: failed,
      [task.file.offered, task.fileDelivery?.left, diedOfIt ? process.endFact : nil])
  }
}
