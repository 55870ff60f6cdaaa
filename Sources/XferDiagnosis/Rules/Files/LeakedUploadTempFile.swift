import XferEvents
import XferLifecycle
import XferReplay

/// Reports a file that the app created for an upload and did not delete when the upload had completed.
struct LeakedUploadTempFile: TaskRule {
  /// The steps of an example: an upload is created and ends; then `rest` follows. `owned` states whether the app created the file
  /// for this upload; `nil` if the log does not state it.
  private static func upload(
    owned: Bool? = true, end: TaskCompleted = TaskCompleted(delivery: DeliveryID(1), sent: 10, status: 200),
    _ rest: RuleExample.Step...
  ) -> [RuleExample.Step] {
    let created = TaskCreated(type: .upload, method: "POST", sourceFile: "/tmp/body-1", sourceSize: 10, sourceOwned: owned)
    return [.at(0, created), .at(0.001, TaskResumed()), .at(1, end)] + rest
  }

  private static let exited = RuleExample.Step.at(2, ProcessExited(code: 0, exitReason: .returned))
  private static let launched = RuleExample.Step.at(
    20, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife)
  private static let later = RuleExample.Step.at(700, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "leaked-upload-temp-file", severity: .warning,
    summary: "A file that the app created for an upload was not deleted after the upload.",
    explanation: """
      A background upload reads its body from a file, so apps write a file for each body. The session deletes only the files \
      that it creates itself, for downloads; the app must delete those of uploads. Files left behind fill the disk, and code \
      that scans the directory for pending work uploads them again. A failed upload is not reported, because the app may need \
      its file for a retry.
      """,
    remedy: "Delete the file when the task has completed, and delete files without a task at each launch.",
    sources: ["https://github.com/Sage-Bionetworks/Bridge-iOS-SDK/pull/94"],
    reports: [
      RuleExample(
        "the file was not deleted within ten minutes", .probable, cites: [.taskCreated, .taskCompleted], steps: upload(later)),
      RuleExample(
        "the app exited without deleting it, and the log shows no later launch", .possible,
        cites: [.taskCreated, .taskCompleted], steps: upload(exited)),
      RuleExample(
        "the next launch did not delete it either", .probable, cites: [.taskCreated, .taskCompleted],
        steps: upload(exited, launched, .at(120, LogHeartbeatWritten(), by: .nextLife))),
      RuleExample(
        "the next launch has only just begun", .possible, cites: [.taskCreated, .taskCompleted],
        steps: upload(exited, launched, .at(30, LogHeartbeatWritten(), by: .nextLife))),
    ],
    staysSilent: [
      RuleExample("the file was deleted on completion", steps: upload(.at(1, FileDeleted(by: .app)), later)),
      RuleExample("the file is the user's own", steps: upload(owned: nil, later)),
      RuleExample(
        "the upload failed, and the file is kept for a retry",
        steps: upload(end: TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1001), later)),
      RuleExample(
        "the file was deleted at the next launch", steps: upload(exited, .at(20, FileDeleted(by: .app), by: .nextLife))),
      RuleExample("the log covers only twenty seconds after the upload", steps: upload(.at(20, LogHeartbeatWritten()))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.ownsSource)]
  static let watches: Set<EventKind> = [.taskCompleted, .fileDeleted, .appOutcomeRecorded]

  /// The time that the app may keep the file while it runs.
  var patience: Duration = .seconds(600)
  /// The time that the next launch has to delete the file.
  var nextPatience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long the app may keep the file while it runs"),
    RuleLimit("nextPatience", \Self.nextPatience, "how long the next launch may take to delete the file"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.traits.contains(.ownsSource), task.type == .upload else { return asked.isTaskOver ? .silentSoFar : nil }
    if task.file.deleted != nil { return .silent }
    guard let completed = task.completed, let created = task.created else { return asked.isEndOfLog ? .silent : nil }
    if task.result == .failed, task.outcome != .discarded, task.outcome != .cancelled { return asked.isEndOfLog ? .silent : nil }
    let process = world.process(of: task)
    if asked.covered(since: completed, by: process) >= patience {
      return .finding(draft(task, created, completed, .coverage))
    }
    guard process.endFact != nil else { return asked.isEndOfLog ? nil : .wait(patience, after: completed) }
    guard asked.isEndOfLog else { return nil }
    // The next launch may delete the file; whether it had enough time is known only at the end of the log.
    return .finding(draft(task, created, completed, hadTime(after: task.process, in: world) ? .coverage : .endOfLog))
  }

  private func hadTime(after process: Int, in world: World) -> Bool {
    guard let next = world.lifeAfter(process), let start = world.processes[next].firstSeen?.monotonic else { return false }
    let life = world.processes[next]
    return life.exited != nil || .nanoseconds(life.runningTime(from: start, to: life.coveredUntil)) >= nextPatience
  }

  private func draft(_ task: TaskLifecycle, _ created: Fact, _ completed: Fact, _ proof: Draft.AbsenceProof) -> Draft {
    Draft(
      summary: "The file that was created for upload \(task.identity.label) was not deleted after the upload.",
      claim: .absence(since: completed, shownBy: proof), evidence: created, [completed],
      missing: [.init(.fileDeleted, dueBy: completed.due(within: patience))],
      unless: ["the app deletes the file later, or in code that records no event"])
  }
}
