import XferEvents
import XferLifecycle
import XferReplay

/// Reports a downloaded file that the app tried to move or copy in time, to a destination that refused the file.
struct ClaimFailedDestination: TaskRule {
  /// The steps up to the start of a callback that offers a downloaded file. The steps in which the app claims (moves or copies)
  /// the file follow.
  private static let offered: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.01, TaskTransferred(received: 10, status: 200)),
    .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
    .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
    .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
    .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
  ]

  private static func claimed(_ error: Int?, inCallback: Bool = true) -> FileClaimed {
    FileClaimed(operation: .move, osError: error, inCallback: inCallback)
  }

  private static let left = RuleExample.Step.at(
    0.015, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading))
  private static let alive = RuleExample.Step.at(30, LogHeartbeatWritten())

  /// The steps of an example: the callback of a download returns after at most one claim; the file is removed; the task
  /// completes; then `rest` follows.
  private static func story(_ claim: FileClaimed?, _ rest: RuleExample.Step...) -> [RuleExample.Step] {
    let completion: [RuleExample.Step] = [
      .at(0.016, FileReaped(inode: 9, size: 10)),
      .at(0.017, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(0.017, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(0.018, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(0.019, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(0.02, TaskCompleted(delivery: DeliveryID(2), received: 10, status: 200)),
    ]
    let claims: [RuleExample.Step] = claim.map { [.at(0.014, $0)] } ?? []
    return offered + claims + [left] + completion + rest
  }

  static let description = RuleDescription(
    id: "claim-failed-destination", severity: .error,
    summary: "The app could not move the downloaded file to its destination, and the file was lost.",
    explanation: """
      The app tried to move the file during the callback, and the destination refused it: a file of an earlier download \
      has the same name, the directory was never created, or the directory is not writable. Code that ignores the error \
      continues without the file. Code that forces the move (`try!`) crashes at the end of a transfer that itself \
      succeeded. Both faults appear late: with the second download of the same file, or on a fresh installation.
      """,
    remedy: """
      Create the directory before you resume the task. Replace an existing file atomically (FileManager.replaceItemAt) instead \
      of removing it first. When the move fails, record the transfer as failed.
      """,
    sources: ["https://github.com/AFNetworking/AFNetworking/issues/3617", "https://github.com/Danie1s/Tiercel/issues/170"],
    needsWholeLog: true,
    consequenceOf: ["temp-file-missing-on-offer"],
    reports: [
      RuleExample(
        "a file with the same name exists, and the error was ignored", .certain,
        cites: [.fileOffered, .fileClaimed, .first(.deliveryLeft)], steps: story(claimed(17), alive)),
      RuleExample(
        "the directory does not exist, and the app records a success", .certain,
        cites: [.fileOffered, .fileClaimed, .first(.deliveryLeft)],
        steps: story(claimed(2), .at(0.03, AppOutcomeRecorded(task: .example, outcome: .success)))),
      RuleExample(
        "the move failed, and the app terminated", .certain, cites: [.fileOffered, .fileClaimed, .processExitObserved],
        steps: offered + [
          .at(0.014, claimed(17)),
          .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a second move to another destination succeeded",
        steps: offered + [.at(0.014, claimed(17)), .at(0.014, claimed(nil)), left, alive]),
      RuleExample(
        "the app recorded the transfer as failed",
        steps: story(claimed(13), .at(0.03, AppOutcomeRecorded(task: .example, outcome: .failure)), alive)),
      RuleExample(
        "the move came after the callback had returned, which is another fault",
        steps: story(nil, .at(0.04, claimed(2, inCallback: false)), alive)),
      RuleExample("the disk is full, which is another fault", steps: story(claimed(28), alive)),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.fileClaimed)]
  static let watches: Set<EventKind> = [.fileClaimed, .appOutcomeRecorded]

  /// The time that the app has to record the transfer's outcome.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to record the transfer's outcome")]

  /// Returns the meaning of an `errno` that concerns the destination; `nil` for any other. The numbers are the same on all
  /// systems.
  private static func reason(_ error: Int) -> String? {
    switch error {
    case 2: "the directory does not exist"
    case 13: "permission was denied"
    case 17: "a file with the same name exists"
    case 18: "the destination is on another file system"
    case 20: "a component of the path is not a directory"
    case 21: "the destination is a directory"
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
    // On a locked device, data protection refuses the move; `claim-failed-protected` reports it.
    if task.troubles.contains(where: { $0.fact == failed && $0.isDenied && $0.surroundings.protection?.isOn == true }) {
      return .silent
    }
    let process = world.process(of: task)
    // The app may still try another destination or record the failure.
    let isSettled = task.outcome != nil || process.endFact != nil || asked.isEndOfLog
    guard isSettled || asked.covered(since: failed, by: process) >= patience else {
      return .wait(patience, after: failed)
    }
    return .finding(draft(task, failed, reason, isFatal: task.fileDelivery?.left == nil && process.endedAbnormally, process))
  }

  private func draft(
    _ task: TaskLifecycle, _ failed: Fact, _ reason: String, isFatal: Bool, _ process: ProcessLifecycle
  ) -> Draft {
    let size = task.file.size.map { " of \($0) bytes" } ?? ""
    let end = isFatal ? "; the process then terminated abnormally" : ""
    return Draft(
      summary: "The downloaded file\(size) of task \(task.identity.label) could not be moved because \(reason)\(end).",
      claim: .presence, evidence: failed,
      [task.file.offered, task.fileDelivery?.left, isFatal ? process.endFact : nil])
  }
}
