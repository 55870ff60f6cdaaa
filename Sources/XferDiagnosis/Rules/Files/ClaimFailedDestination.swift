import XferEvents
import XferLifecycle
import XferReplay

/// The app tried to take the downloaded file in time, and the place that it had chosen would not have it.
struct ClaimFailedDestination: TaskRule {
  private static let callback = Callback.didFinishDownloading

  /// A download whose file the app is offered; the claim follows.
  private static let offered: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download), at: .zero),
    .event(TaskResumed(task: .example), at: .milliseconds(1)),
    .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(10)),
    .event(DeliverySent(task: .example, delivery: DeliveryID(1), callback: callback), at: .milliseconds(11)),
    .evidence(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
    .event(DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: callback), at: .milliseconds(12)),
    .event(DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: callback), at: .milliseconds(13)),
  ]

  private static func claimed(_ error: Int?, inCallback: Bool = true) -> FileClaimed {
    FileClaimed(task: .example, operation: .move, osError: error, inCallback: inCallback)
  }

  private static let left = DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: callback)
  /// The callback is over, what was left of the file is removed, and the log goes on.
  private static let over: [RuleExample.Step] = [
    .event(FileReaped(task: .example, inode: 9, size: 10), at: .milliseconds(16)),
    .event(DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .milliseconds(17)),
    .event(DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .milliseconds(17)),
    .event(DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .milliseconds(18)),
    .event(DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete), at: .milliseconds(19)),
    .event(TaskCompleted(task: .example, delivery: DeliveryID(2), received: 10, status: 200), at: .milliseconds(20)),
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
        "an earlier file has the name, and the error was ignored", certainty: .certain,
        steps: offered + [.evidence(claimed(17), at: .milliseconds(14)), .evidence(left, at: .milliseconds(15))] + over + [
          .event(LogHeartbeatWritten(), at: .seconds(30))
        ]),
      RuleExample(
        "there is no such directory, and the app calls it a success", certainty: .certain,
        steps: offered + [.evidence(claimed(2), at: .milliseconds(14)), .evidence(left, at: .milliseconds(15))] + over + [
          .event(AppOutcomeRecorded(task: .example, outcome: .success), at: .milliseconds(30))
        ]),
      RuleExample(
        "forced, and the app died of it", certainty: .certain,
        steps: offered + [
          .evidence(claimed(17), at: .milliseconds(14)),
          .evidence(
            ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), at: .seconds(5), by: .nextLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the second try was for a place that is free",
        steps: offered + [
          .event(claimed(17), at: .milliseconds(14)), .event(claimed(nil), at: .milliseconds(14)),
          .event(left, at: .milliseconds(15)), .event(LogHeartbeatWritten(), at: .seconds(30)),
        ]),
      RuleExample(
        "the app saw the error, and says that the transfer failed",
        steps: offered + [.event(claimed(13), at: .milliseconds(14)), .event(left, at: .milliseconds(15))] + over + [
          .event(AppOutcomeRecorded(task: .example, outcome: .failure), at: .milliseconds(30)),
          .event(LogHeartbeatWritten(), at: .seconds(30)),
        ]),
      RuleExample(
        "it tried when the callback had returned, which is another problem",
        steps: offered + [.event(left, at: .milliseconds(15))] + over + [
          .event(claimed(2, inCallback: false), at: .milliseconds(40)), .event(LogHeartbeatWritten(), at: .seconds(30)),
        ]),
      RuleExample(
        "the disk is full, wherever the file goes",
        steps: offered + [.event(claimed(28), at: .milliseconds(14)), .event(left, at: .milliseconds(15))] + over + [
          .event(LogHeartbeatWritten(), at: .seconds(30))
        ]),
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
