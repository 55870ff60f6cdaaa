import XferEvents
import XferLifecycle
import XferReplay

/// The downloaded file was the app's only while the callback ran, and the app let it go.
struct TempFileNotMoved: TaskRule {
  /// A callback returned without a claim, and the file is removed.
  private static let leftAlone: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download), at: .zero),
    .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(10)),
    .event(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
    .event(DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(15)),
    .event(FileReaped(task: .example, inode: 9, size: 10), at: .milliseconds(16)),
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
        "the callback returned without a claim", certainty: .probable,
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(10)),
        .event(DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(11)),
        .evidence(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
        .event(
          DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(12)),
        .evidence(
          DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(13)),
        .evidence(
          DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(14)),
        .evidence(FileReaped(task: .example, inode: 9, size: 10), at: .milliseconds(15)),
        .event(LogHeartbeatWritten(), at: .seconds(30))),
      RuleExample(
        "the log ends before the app could say what it made of it", certainty: .possible,
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(10)),
        .evidence(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
        .evidence(
          DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(13)),
        .evidence(
          DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(14)),
        .evidence(FileReaped(task: .example, inode: 9, size: 10), at: .milliseconds(15))),
      RuleExample(
        "the app tried after the callback had returned", certainty: .certain,
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(10)),
        .evidence(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
        .event(DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(11)),
        .event(
          DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(12)),
        .evidence(
          DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(13)),
        .evidence(
          DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(14)),
        .evidence(FileReaped(task: .example, inode: 9, size: 10), at: .milliseconds(15)),
        .evidence(FileClaimed(task: .example, operation: .move, osError: 2, inCallback: false), at: .milliseconds(40))),
      RuleExample(
        "left where it was, by a URLSession that removes nothing", certainty: .probable,
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(10)),
        .event(
          DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(12)),
        .evidence(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
        .evidence(
          DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(13)),
        .evidence(
          DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(14)),
        .evidence(FileUnclaimed(task: .example, delivery: DeliveryID(1), inode: 9, size: 10), at: .milliseconds(15)),
        .event(LogHeartbeatWritten(), at: .seconds(30))),
    ],
    staysSilent: [
      RuleExample(
        "moved during the callback",
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
        .event(
          DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(13)),
        .event(FileClaimed(task: .example, operation: .move, inCallback: true), at: .milliseconds(14)),
        .event(DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(15)),
        .event(LogHeartbeatWritten(), at: .seconds(30))),
      RuleExample(
        "copied, and the temporary file removed afterwards",
        .event(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
        .event(FileClaimed(task: .example, operation: .copy, inCallback: true), at: .milliseconds(14)),
        .event(DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(15)),
        .event(FileReaped(task: .example, inode: 9, size: 10), at: .milliseconds(16)),
        .event(LogHeartbeatWritten(), at: .seconds(30))),
      RuleExample(
        "an error page that the app rightly left alone",
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(TaskTransferred(task: .example, received: 10, status: 404), at: .milliseconds(10)),
        .event(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
        .event(DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(15)),
        .event(FileReaped(task: .example, inode: 9, size: 10), at: .milliseconds(16)),
        .event(TaskCompleted(task: .example, status: 404), at: .milliseconds(17)),
        .event(LogHeartbeatWritten(), at: .seconds(30))),
      RuleExample(
        "the app says that it does not want the file",
        steps: leftAlone + [
          .event(AppOutcomeRecorded(task: .example, outcome: .discarded), at: .milliseconds(17)),
          .event(LogHeartbeatWritten(), at: .seconds(30)),
        ]),
      RuleExample(
        "the app says so some seconds later",
        steps: leftAlone + [
          .event(LogHeartbeatWritten(), at: .seconds(3)),
          .event(AppOutcomeRecorded(task: .example, outcome: .discarded), at: .seconds(5)),
          .event(LogHeartbeatWritten(), at: .seconds(30)),
        ]),
      RuleExample(
        "the destination refused it during the callback, which is another problem",
        .event(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
        .event(FileClaimed(task: .example, operation: .move, osError: 17, inCallback: true), at: .milliseconds(14)),
        .event(DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading), at: .milliseconds(15)),
        .event(FileReaped(task: .example, inode: 9, size: 10), at: .milliseconds(16)),
        .event(LogHeartbeatWritten(), at: .seconds(30))),
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
