import XferEvents
import XferLifecycle
import XferReplay

/// The downloaded file was the app's only while the callback ran, and the app let it go.
struct TempFileNotMoved: TaskRule {
  /// A callback returned without a claim, and the file is removed.
  private static let leftAlone: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.01, TaskTransferred(received: 10, status: 200)),
    .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
    .at(0.015, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
    .at(0.016, FileReaped(inode: 9, size: 10)),
  ]

  static let description = RuleDescription(
    id: "temp-file-not-moved", severity: .critical,
    summary: "The downloaded file was not moved during the callback, and is gone.",
    explanation: """
      A download ends in a temporary file that belongs to the app only until didFinishDownloading returns; then it is \
      removed. Code that stores the address and moves the file later finds nothing, at times only sometimes, because the \
      removal and the move race.
      """,
    remedy: "Move or copy the file before the callback returns, to a place of the app's own; do the rest later, from there.",
    sources: [
      "https://github.com/FuJacob/cotabby/issues/30", "https://github.com/fluttercommunity/flutter_downloader/issues/23",
    ],
    consequenceOf: ["temp-file-missing-on-offer", "claim-failed-protected", "completion-discarded-by-consumer"],
    reports: [
      RuleExample(
        "the callback returned without a claim", .probable, cites: [.fileOffered, .deliveryEntered, .deliveryLeft, .fileReaped],
        .at(0, TaskCreated(type: .download)), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.014, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.015, FileReaped(inode: 9, size: 10)), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the log ends before the app could say what it made of it", .possible,
        cites: [.fileOffered, .deliveryEntered, .deliveryLeft, .fileReaped],
        .at(0, TaskCreated(type: .download)), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.014, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.015, FileReaped(inode: 9, size: 10))),
      RuleExample(
        "the app tried after the callback had returned", .certain,
        cites: [.fileOffered, .deliveryEntered, .deliveryLeft, .fileReaped, .fileClaimed],
        .at(0, TaskCreated(type: .download)), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
        .at(0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.014, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.015, FileReaped(inode: 9, size: 10)), .at(0.04, FileClaimed(operation: .move, osError: 2, inCallback: false))),
      RuleExample(
        "left where it was, by a URLSession that removes nothing", .probable,
        cites: [.fileOffered, .deliveryEntered, .deliveryLeft, .fileUnclaimed],
        .at(0, TaskCreated(type: .download)), .at(0.01, TaskTransferred(received: 10, status: 200)),
        .at(0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.014, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.015, FileUnclaimed(delivery: DeliveryID(1), inode: 9, size: 10)), .at(30, LogHeartbeatWritten())),
    ],
    staysSilent: [
      RuleExample(
        "moved during the callback",
        .at(0, TaskCreated(type: .download)),
        .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
        .at(0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.014, FileClaimed(operation: .move, inCallback: true)),
        .at(0.015, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(30, LogHeartbeatWritten())),
      RuleExample(
        "copied, and the temporary file removed afterwards",
        .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
        .at(0.014, FileClaimed(operation: .copy, inCallback: true)),
        .at(0.015, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.016, FileReaped(inode: 9, size: 10)), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "an error page that the app rightly left alone",
        .at(0, TaskCreated(type: .download)), .at(0.01, TaskTransferred(received: 10, status: 404)),
        .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
        .at(0.015, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.016, FileReaped(inode: 9, size: 10)), .at(0.017, TaskCompleted(status: 404)), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the app says that it does not want the file",
        steps: leftAlone + [.at(0.017, AppOutcomeRecorded(task: .example, outcome: .discarded)), .at(30, LogHeartbeatWritten())]),
      RuleExample(
        "the app says so some seconds later",
        steps: leftAlone + [
          .at(3, LogHeartbeatWritten()), .at(5, AppOutcomeRecorded(task: .example, outcome: .discarded)),
          .at(30, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the destination refused it during the callback, which is another problem",
        .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
        .at(0.014, FileClaimed(operation: .move, osError: 17, inCallback: true)),
        .at(0.015, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading)),
        .at(0.016, FileReaped(inode: 9, size: 10)), .at(30, LogHeartbeatWritten())),
    ])

  static let watches: Set<EventKind> = [.fileClaimed, .fileUnclaimed, .fileReaped, .appOutcomeRecorded]

  /// For the app to say what it made of the file.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to say what it made of the file")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let file = task.file
    if file.claimed != nil { return .silent }
    guard let offered = file.offered, let left = task.fileDelivery?.left else { return asked.isTaskOver ? .silent : nil }
    if let late = file.lateClaim { return .finding(draft(task, offered, left, claim: .presence, late: late)) }
    // A claim that failed while it could have worked is about the destination.
    if file.claimFailed != nil { return .silent }
    guard let letGo = file.unclaimed ?? file.reaped else { return asked.isEndOfLog ? .silent : nil }
    if (task.status ?? 0) >= 400 || (task.outcome != nil && task.outcome != .success) { return .silent }
    let process = world.process(of: task)
    let isCovered = asked.proofOfAbsence(since: letGo, within: patience, by: process) != nil
    guard isCovered || asked.isEndOfLog else { return .wait(patience, after: letGo) }
    // The app may have opened the file during the callback and read it from there, which nobody can see.
    let proof = isCovered ? Draft.AbsenceProof.coverage : .endOfLog
    return .finding(draft(task, offered, left, claim: .absence(since: letGo, shownBy: proof), late: nil))
  }

  private func draft(_ task: TaskLifecycle, _ offered: Fact, _ left: Fact, claim: Draft.Claim, late: Fact?) -> Draft {
    let size = task.file.size.map { " of \($0) bytes" } ?? ""
    let fate = task.file.reaped == nil && task.file.unclaimed != nil ? "is nobody's" : "is gone"
    let tail = late == nil ? "nobody moved it while the callback ran" : "the app tried to move it after the callback had returned"
    return Draft(
      summary: "The file\(size) of task \(task.identity.session)/\(task.identity.number) \(fate): \(tail).",
      claim: claim, evidence: offered, [task.fileDelivery?.entered, left, task.file.unclaimed, task.file.reaped, late],
      missing: late == nil ? [.init(.fileClaimed, dueBy: left.moment)] : [],
      unless: late == nil ? ["the app opened the file during the callback and reads it from there"] : [])
  }
}
