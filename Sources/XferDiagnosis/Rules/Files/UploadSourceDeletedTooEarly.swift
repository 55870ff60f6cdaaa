import XferEvents
import XferLifecycle
import XferReplay

/// The app deleted a file that an upload still had to read.
struct UploadSourceDeletedTooEarly: TaskRule {
  private static func created(_ task: TaskIdentity = .example, isEvidence: Bool = true) -> RuleExample.Step {
    let event = TaskCreated(task: task, type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: 1000)
    return isEvidence ? .evidence(event, at: .zero) : .event(event, at: .zero)
  }

  private static let resumed = RuleExample.Step.event(TaskResumed(task: .example), at: .milliseconds(1))
  private static let started = RuleExample.Step.event(
    AttemptStarted(task: .example, attempt: 1, sourceSize: 1000), at: .seconds(1))
  private static let lost = RuleExample.Step.event(
    AttemptEnded(task: .example, attempt: 1, end: .transport, domain: .curl, error: 55, sent: 400), at: .seconds(4))
  private static let deleted = FileDeleted(task: .example, file: "/data/a", by: .app)
  private static let entered = DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didComplete)
  private static let left = DeliveryLeft(task: .example, delivery: DeliveryID(1), callback: .didComplete)
  private static let failed = TaskCompleted(
    task: .example, sent: 400, domain: .curl, error: 55, errorName: "networkConnectionLost")
  private static let succeeded = TaskCompleted(task: .example, sent: 1000, status: 200)

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
        "the connection was lost, and there was nothing left to send again", certainty: .possible,
        created(), resumed, started, .evidence(deleted, at: .seconds(2)), lost, .evidence(failed, at: .seconds(5))),
      RuleExample(
        "deleted by the task that was done first", certainty: .possible,
        created(), created(.example(2), isEvidence: false), resumed, started,
        .evidence(FileDeleted(task: .example(2), file: "/data/a", by: .app), at: .seconds(2)), lost,
        .evidence(failed, at: .seconds(5))),
    ],
    staysSilent: [
      RuleExample(
        "deleted when it was over",
        created(isEvidence: false), resumed, started, .event(succeeded, at: .seconds(4)), .event(deleted, at: .seconds(5))),
      RuleExample(
        "deleted in the callback that says that the server refused it",
        created(isEvidence: false), resumed, started, .event(entered, at: .seconds(4)), .event(deleted, at: .milliseconds(4001)),
        .event(left, at: .milliseconds(4002)),
        .event(TaskCompleted(task: .example, delivery: DeliveryID(1), sent: 1000, status: 403), at: .milliseconds(4002))),
      RuleExample(
        "the engine had all of it, open or copied",
        created(isEvidence: false), resumed, started, .event(deleted, at: .seconds(2)), .event(succeeded, at: .seconds(4))),
      RuleExample(
        "the app had cancelled it",
        created(isEvidence: false), resumed, started, .event(TaskCancelRequested(task: .example, by: .app), at: .seconds(2)),
        .event(deleted, at: .seconds(3)),
        .event(TaskCompleted(task: .example, domain: .curl, error: 42, errorName: "cancelled"), at: .seconds(4))),
      RuleExample(
        "another file",
        created(isEvidence: false), resumed, started,
        .event(FileDeleted(task: .example(2), file: "/data/b", by: .app), at: .seconds(2)), lost,
        .event(failed, at: .seconds(5))),
      RuleExample(
        "still under way, and it may have it open",
        created(isEvidence: false), resumed, started, .event(deleted, at: .seconds(2))),
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
