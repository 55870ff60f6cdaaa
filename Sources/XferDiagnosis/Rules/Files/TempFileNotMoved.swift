import XferEvents
import XferLifecycle
import XferReplay

/// Reports a downloaded file that the app did not move before the callback returned.
struct TempFileNotMoved: TaskRule {
  private static let created = RuleExample.Step.at(0, TaskCreated(type: .download))
  private static func transferred(_ status: Int = 200) -> RuleExample.Step {
    .at(0.01, TaskTransferred(received: 10, status: status))
  }
  private static let sent = RuleExample.Step.at(
    0.011, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading))
  private static let offered = RuleExample.Step.at(
    0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true))
  private static let received = RuleExample.Step.at(
    0.012, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading))
  private static let entered = RuleExample.Step.at(
    0.013, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading))
  private static func left(_ seconds: Double) -> RuleExample.Step {
    .at(seconds, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didFinishDownloading))
  }
  private static func reaped(_ seconds: Double) -> RuleExample.Step { .at(seconds, FileReaped(inode: 9, size: 10)) }
  private static let alive = RuleExample.Step.at(30, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "temp-file-not-moved", severity: .critical,
    summary:
      "The app did not move the downloaded file during the callback, so the file was deleted or left at its temporary path.",
    explanation: """
      A download ends in a temporary file that the app may use only until didFinishDownloading returns. Then URLSession \
      deletes it, and code that stores the URL and moves the file later finds no file. The fault may be intermittent, because \
      the deletion and the move race. FoundationNetworking on Linux does not delete the file, which then stays at its \
      temporary path.
      """,
    remedy: "Move or copy the file to your own directory before the callback returns; process it later, from there.",
    sources: [
      "https://github.com/FuJacob/cotabby/issues/30", "https://github.com/fluttercommunity/flutter_downloader/issues/23",
    ],
    consequenceOf: ["temp-file-missing-on-offer", "claim-failed-protected", "completion-discarded-by-consumer"],
    reports: [
      RuleExample(
        "the callback returned without a move or copy", .probable,
        cites: [.fileOffered, .deliveryEntered, .deliveryLeft, .fileReaped],
        created, transferred(), sent, offered, received, entered, left(0.014), reaped(0.015), alive),
      RuleExample(
        "the log ends before the app could record an outcome", .possible,
        cites: [.fileOffered, .deliveryEntered, .deliveryLeft, .fileReaped],
        created, transferred(), offered, entered, left(0.014), reaped(0.015)),
      RuleExample(
        "the app tried to move the file after the callback had returned", .certain,
        cites: [.fileOffered, .deliveryEntered, .deliveryLeft, .fileReaped, .fileClaimed],
        created, transferred(), offered, sent, received, entered, left(0.014), reaped(0.015),
        .at(0.04, FileClaimed(operation: .move, osError: 2, inCallback: false))),
      RuleExample(
        "the file was left in place by a URLSession that deletes no files", .probable,
        cites: [.fileOffered, .deliveryEntered, .deliveryLeft, .fileUnclaimed],
        created, transferred(), received, offered, entered, left(0.014),
        .at(0.015, FileUnclaimed(delivery: DeliveryID(1), inode: 9, size: 10)), alive),
    ],
    staysSilent: [
      RuleExample(
        "the file was moved during the callback",
        created, offered, entered, .at(0.014, FileClaimed(operation: .move, inCallback: true)), left(0.015), alive),
      RuleExample(
        "the file was copied, and the temporary file deleted afterwards",
        offered, .at(0.014, FileClaimed(operation: .copy, inCallback: true)), left(0.015), reaped(0.016), alive),
      RuleExample(
        "the file is an error page, which the app rightly ignored",
        created, transferred(404), offered, left(0.015), reaped(0.016), .at(0.017, TaskCompleted(status: 404)), alive),
      RuleExample(
        "the resource had not changed, and the app kept the file that it had",
        created, transferred(304), offered, left(0.015), reaped(0.016), .at(0.017, TaskCompleted(status: 304)), alive),
      RuleExample(
        "the app recorded that it discards the file",
        created, transferred(), offered, left(0.015), reaped(0.016),
        .at(0.017, AppOutcomeRecorded(task: .example, outcome: .discarded)), alive),
      RuleExample(
        "the app recorded some seconds later that it discards the file",
        created, transferred(), offered, left(0.015), reaped(0.016), .at(3, LogHeartbeatWritten()),
        .at(5, AppOutcomeRecorded(task: .example, outcome: .discarded)), alive),
      RuleExample(
        "the destination refused the file during the callback, which is another fault",
        offered, .at(0.014, FileClaimed(operation: .move, osError: 17, inCallback: true)), left(0.015), reaped(0.016), alive),
    ])

  static let watches: Set<EventKind> = [.fileClaimed, .fileUnclaimed, .fileReaped, .appOutcomeRecorded]

  /// The time that the app has to record the transfer's outcome.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to record the transfer's outcome")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let file = task.file
    if file.claimed != nil { return .silent }
    guard let offered = file.offered, let left = task.fileDelivery?.left else { return asked.isTaskOver ? .silent : nil }
    if let late = file.lateClaim { return .finding(draft(task, offered, left, claim: .presence, late: late)) }
    // If a move failed while the file existed, the fault is at the destination, which another rule reports.
    if file.claimFailed != nil { return .silent }
    guard let letGo = file.unclaimed ?? file.reaped else { return asked.isEndOfLog ? .silent : nil }
    // The answer 304 has no body, so the file is empty.
    if task.status == 304 || (task.status ?? 0) >= 400 || (task.outcome != nil && task.outcome != .success) { return .silent }
    let process = world.process(of: task)
    let isCovered = asked.proofOfAbsence(since: letGo, within: patience, by: process) != nil
    guard isCovered || asked.isEndOfLog else { return .wait(patience, after: letGo) }
    // The finding rests on the absence of a move, so it is at most probable: the app may have opened the file during the callback and may
    // still be reading it, which no event shows.
    let proof = isCovered ? Draft.AbsenceProof.coverage : .endOfLog
    return .finding(draft(task, offered, left, claim: .absence(since: letGo, shownBy: proof), late: nil))
  }

  private func draft(_ task: TaskLifecycle, _ offered: Fact, _ left: Fact, claim: Draft.Claim, late: Fact?) -> Draft {
    let size = task.file.size.map { " of \($0) bytes" } ?? ""
    let fate = task.file.reaped == nil && task.file.unclaimed != nil ? "was left at its temporary path" : "was deleted"
    let cause =
      late == nil ? "the app did not move it during the callback" : "the app tried to move it after the callback had returned"
    return Draft(
      summary: "The downloaded file\(size) of task \(task.identity.session)/\(task.identity.number) \(fate): \(cause).",
      claim: claim, evidence: offered, [task.fileDelivery?.entered, left, task.file.unclaimed, task.file.reaped, late],
      missing: late == nil ? [.init(.fileClaimed, dueBy: left.moment)] : [],
      unless: late == nil ? ["the app opened the file during the callback and reads it later"] : [])
  }
}
