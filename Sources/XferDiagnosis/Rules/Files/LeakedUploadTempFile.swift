import XferEvents
import XferLifecycle
import XferReplay

/// A file that was made for one upload was left lying when the upload was over.
struct LeakedUploadTempFile: TaskRule {
  private static func created(owned: Bool? = true, type: TaskType = .upload) -> TaskCreated {
    TaskCreated(type: type, method: "POST", sourceFile: "/tmp/body-1", sourceSize: 10, sourceOwned: owned)
  }
  private static let completed = TaskCompleted(delivery: DeliveryID(1), sent: 10, status: 200)
  private static let failed = TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1001)
  private static let resumed: RuleExample.Step = .at(0.001, TaskResumed())
  /// The app ended without deleting it, and has been launched again.
  private static let leftToNextLife: [RuleExample.Step] = [
    .at(0, created()), resumed, .at(1, completed), .at(2, ProcessExited(code: 0, exitReason: .returned)),
    .at(20, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
  ]
  private static func covered(_ time: Duration) -> RuleExample.Step { .at(time, LogHeartbeatWritten()) }

  static let description = RuleDescription(
    id: "leaked-upload-temp-file", severity: .warning,
    summary: "A file that was made for one upload was not deleted when the upload was over.",
    explanation: """
      A background upload comes from a file, so apps write one for each body. The session removes the files that it makes \
      itself, for downloads; those of uploads are the app's, and stay until it deletes them. They fill the disk, and code \
      that looks at the directory for work that is left sends them again. A failed upload is not judged, for its file may be \
      wanted for the next try.
      """,
    remedy: "Delete the file when the task is complete, and look for files without a task at each launch.",
    sources: ["https://github.com/Sage-Bionetworks/Bridge-iOS-SDK/pull/94"],
    reports: [
      RuleExample(
        "ten minutes later it is still there", .probable, cites: [.taskCreated, .taskCompleted],
        .at(0, created()), resumed, .at(1, completed), covered(.seconds(700))),
      RuleExample(
        "the app ended without deleting it, and nothing is known of a later life", .possible,
        cites: [.taskCreated, .taskCompleted],
        .at(0, created()), resumed, .at(1, completed), .at(2, ProcessExited(code: 0, exitReason: .returned))),
      RuleExample(
        "the next launch did not delete it either", .probable, cites: [.taskCreated, .taskCompleted],
        steps: leftToNextLife + [.at(120, LogHeartbeatWritten(), by: .nextLife)]),
      RuleExample(
        "the next launch has only just begun", .possible, cites: [.taskCreated, .taskCompleted],
        steps: leftToNextLife + [.at(30, LogHeartbeatWritten(), by: .nextLife)]),
    ],
    staysSilent: [
      RuleExample(
        "deleted in the completion",
        .at(0, created()), resumed, .at(1, completed), .at(1, FileDeleted(by: .app)), covered(.seconds(700))),
      RuleExample("the user's own file", .at(0, created(owned: nil)), resumed, .at(1, completed), covered(.seconds(700))),
      RuleExample("kept for another try", .at(0, created()), resumed, .at(1, failed), covered(.seconds(700))),
      RuleExample(
        "deleted at the next launch",
        .at(0, created()), resumed, .at(1, completed), .at(2, ProcessExited(code: 0, exitReason: .returned)),
        .at(20, FileDeleted(by: .app), by: .nextLife)),
      RuleExample("the app has had no time yet", .at(0, created()), resumed, .at(1, completed), covered(.seconds(20))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.ownsSource)]
  static let watches: Set<EventKind> = [.taskCompleted, .fileDeleted, .appOutcomeRecorded]

  /// For an app that tidies up now and then while it runs.
  var patience: Duration = .seconds(600)
  /// For an app that tidies up when it starts.
  var nextPatience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long the app may keep the file while it runs"),
    RuleLimit("nextPatience", \Self.nextPatience, "how long the next launch may take to tidy up"),
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
    // The next life may tidy up; whether it had the time to is known at the end only.
    return .finding(draft(task, created, completed, hadTime(after: task.process, in: world) ? .coverage : .endOfLog))
  }

  private func hadTime(after process: Int, in world: World) -> Bool {
    guard let next = world.lifeAfter(process), let start = world.processes[next].firstSeen?.monotonic else { return false }
    let life = world.processes[next]
    return life.exited != nil || .nanoseconds(life.runningTime(from: start, to: life.coveredUntil)) >= nextPatience
  }

  private func draft(_ task: TaskLifecycle, _ created: Fact, _ completed: Fact, _ proof: Draft.AbsenceProof) -> Draft {
    Draft(
      summary: "The file that was made for the upload \(task.identity.text) was not deleted when that was over.",
      claim: .absence(since: completed, shownBy: proof), evidence: created, [completed],
      missing: [.init(.fileDeleted, dueBy: completed.due(within: patience))],
      unless: ["the app deletes it later, or in code that records nothing"])
  }
}
