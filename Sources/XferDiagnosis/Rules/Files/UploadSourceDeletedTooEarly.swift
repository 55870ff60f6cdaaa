import XferEvents
import XferLifecycle
import XferReplay

/// Reports a file that the app deleted while an upload still needed it.
struct UploadSourceDeletedTooEarly: TaskRule {
  private static func created(_ task: TaskIdentity = .example) -> RuleExample.Step {
    .at(0, TaskCreated(task: task, type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: 1000))
  }

  private static let begun: [RuleExample.Step] = [
    .at(0.001, TaskResumed()), .at(1, AttemptStarted(attempt: 1, sourceSize: 1000)),
  ]
  private static let deleted = FileDeleted(file: "/data/a", by: .app)
  /// The steps in which the connection is lost and the task fails.
  private static let failed: [RuleExample.Step] = [
    .at(4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 55, sent: 400)),
    .at(5, TaskCompleted(sent: 400, domain: .curl, error: 55, errorName: "networkConnectionLost")),
  ]
  private static let succeeded = RuleExample.Step.at(4, TaskCompleted(sent: 1000, status: 200))

  /// The steps of an example: an upload starts; then `rest` follows.
  private static func upload(_ rest: RuleExample.Step...) -> [RuleExample.Step] { [created()] + begun + rest }

  static let description = RuleDescription(
    id: "upload-source-deleted-too-early", severity: .critical,
    summary: "The file of an upload was deleted before the upload had completed.",
    explanation: """
      A task only refers to its file: it reads the file when an attempt begins, and again for each retry. An app that deletes \
      the file as soon as it has created the task, or when one of several tasks that use it has completed, leaves later \
      attempts without the file. The upload then fails with an error that no retry can fix, or sends an empty body.
      """,
    remedy: """
      Delete the file only after the completion has been handled (didCompleteWithError). Count the tasks that use a file, or \
      give each task its own hard link or copy.
      """,
    sources: ["https://github.com/kesha-antonov/react-native-background-downloader/issues/170"],
    isContractOnly: true,
    reports: [
      RuleExample(
        "the connection was lost, and the file that a retry needs had been deleted", .possible,
        cites: [.taskCreated, .fileDeleted, .taskCompleted], steps: upload(.at(2, deleted)) + failed),
      RuleExample(
        "the file was deleted when another task that used it had completed", .possible,
        cites: [.first(.taskCreated), .fileDeleted, .taskCompleted],
        steps: [created(), created(.example(2))] + begun
          + [.at(2, FileDeleted(task: .example(2), file: "/data/a", by: .app))] + failed),
    ],
    staysSilent: [
      RuleExample("the file was deleted after the upload had completed", steps: upload(succeeded, .at(5, deleted))),
      RuleExample(
        "the file was deleted in the completion callback of a rejected upload",
        steps: upload(
          .at(4, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didComplete)), .at(4.001, deleted),
          .at(4.002, DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didComplete)),
          .at(4.002, TaskCompleted(delivery: DeliveryID(1), sent: 1000, status: 403)))),
      RuleExample("the engine had the file open or copied, and the upload succeeded", steps: upload(.at(2, deleted), succeeded)),
      RuleExample(
        "the app had cancelled the upload",
        steps: upload(
          .at(2, TaskCancelRequested(by: .app)), .at(3, deleted),
          .at(4, TaskCompleted(domain: .curl, error: 42, errorName: "cancelled")))),
      RuleExample(
        "another file was deleted",
        steps: upload(.at(2, FileDeleted(task: .example(2), file: "/data/b", by: .app))) + failed),
      RuleExample("the upload is in flight and may have the file open", steps: upload(.at(2, deleted))),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.fileDeleted)]
  static let watches: Set<EventKind> = [.fileDeleted, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.type == .upload, let deleted = task.file.deleted else { return asked.isTaskOver ? .silentSoFar : nil }
    guard let completed = task.completed else { return nil }
    // The app may delete the file in the completion callback, which begins before task.completed is recorded.
    let told = task.completionDelivery?.entered ?? completed
    if let time = told.duration(to: deleted), time >= .zero { return .silent }
    // An upload that was cancelled or succeeded no longer needs its file.
    if task.cancelRequested != nil || task.result == .cancelled || task.result == .succeeded { return .silent }
    return .finding(
      Draft(
        summary: "The file of upload \(task.identity.label) was deleted before the upload had completed, and the upload failed.",
        claim: .presence, evidence: deleted, [task.created, completed],
        unless: ["the engine had its own copy of the file or a link to it"]))
  }
}
