import XferEvents
import XferLifecycle
import XferReplay

/// The app deleted a file that an upload still had to read.
struct UploadSourceDeletedTooEarly: TaskRule {
  private static func created(_ task: TaskIdentity = .example) -> RuleExample.Step {
    let event = TaskCreated(task: task, type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: 1000)
    return .at(0, event)
  }

  private static let resumed = RuleExample.Step.at(0.001, TaskResumed())
  private static let started = RuleExample.Step.at(1, AttemptStarted(attempt: 1, sourceSize: 1000))
  private static let lost = RuleExample.Step.at(4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 55, sent: 400))
  private static let deleted = FileDeleted(file: "/data/a", by: .app)
  private static let entered = DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didComplete)
  private static let left = DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didComplete)
  private static let failed = TaskCompleted(
    task: .example, sent: 400, domain: .curl, error: 55, errorName: "networkConnectionLost")
  private static let succeeded = TaskCompleted(sent: 1000, status: 200)

  static let description = RuleDescription(
    id: "upload-source-deleted-too-early", severity: .critical,
    summary: "The file to send was deleted before its upload was over.",
    explanation: """
      A task only names its file; it is read when an attempt begins, and read again when the attempt has to be repeated. An \
      app that deletes the file when it has made the task, or when one of several tasks is done with it, takes away what a \
      later attempt needs: the upload ends with an error that no retry can mend, or is empty.
      """,
    remedy: """
      Delete the file when the completion has been handled, and not before; count the tasks that use it. Or give each task a \
      link or a copy of its own.
      """,
    sources: ["https://github.com/kesha-antonov/react-native-background-downloader/issues/170"],
    isContractOnly: true,
    reports: [
      RuleExample(
        "the connection was lost, and there was nothing left to send again", .possible,
        cites: [.taskCreated, .fileDeleted, .taskCompleted],
        created(), resumed, started, .at(2, deleted), lost, .at(5, failed)),
      RuleExample(
        "deleted by the task that was done first", .possible, cites: [.first(.taskCreated), .fileDeleted, .taskCompleted],
        created(), created(.example(2)), resumed, started,
        .at(2, FileDeleted(task: .example(2), file: "/data/a", by: .app)), lost, .at(5, failed)),
    ],
    staysSilent: [
      RuleExample("deleted when it was over", created(), resumed, started, .at(4, succeeded), .at(5, deleted)),
      RuleExample(
        "deleted in the callback that says that the server refused it",
        created(), resumed, started, .at(4, entered), .at(4.001, deleted), .at(4.002, left),
        .at(4.002, TaskCompleted(delivery: DeliveryID(1), sent: 1000, status: 403))),
      RuleExample(
        "the engine had all of it, open or copied",
        created(), resumed, started, .at(2, deleted), .at(4, succeeded)),
      RuleExample(
        "the app had cancelled it",
        created(), resumed, started, .at(2, TaskCancelRequested(by: .app)), .at(3, deleted),
        .at(4, TaskCompleted(domain: .curl, error: 42, errorName: "cancelled"))),
      RuleExample(
        "another file",
        created(), resumed, started, .at(2, FileDeleted(task: .example(2), file: "/data/b", by: .app)), lost,
        .at(5, failed)),
      RuleExample("still under way, and it may have it open", created(), resumed, started, .at(2, deleted)),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.fileDeleted)]
  static let watches: Set<EventKind> = [.fileDeleted, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.type == .upload, let deleted = task.file.deleted else { return asked.isTaskOver ? .silentSoFar : nil }
    guard let completed = task.completed else { return nil }
    // The app is told before it is known that it was: in the callback the file may go, however the task ended.
    let told = task.completionDelivery?.entered ?? completed
    if let over = told.monotonic, let gone = deleted.monotonic, gone >= over { return .silent }
    // What was given up before needs no file.
    if task.cancelRequested != nil || task.result == .cancelled || task.result == .succeeded { return .silent }
    return .finding(
      Draft(
        summary: "The file that task \(task.identity.text) was to send was deleted before the task was over; it has failed.",
        claim: .presence, evidence: deleted, [task.created, completed],
        unless: ["the engine had a copy or a link of its own"]))
  }
}
