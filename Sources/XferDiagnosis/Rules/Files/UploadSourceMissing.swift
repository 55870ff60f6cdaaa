import XferEvents
import XferLifecycle
import XferReplay

/// Reports an upload whose file was missing when the upload began.
struct UploadSourceMissing: TaskRule {
  /// The steps of an example: an upload begins a minute after its creation; then `rest` follows.
  private static func upload(size: Int64? = 1000, _ rest: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: size)), .at(0.001, TaskResumed()),
      .at(60, AttemptStarted(attempt: 1)),
    ] + rest
  }

  /// The steps of an example: the daemon holds an upload before its first attempt.
  private static let held: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: 1000)), .at(0.001, TaskResumed()),
    .at(0.002, TaskHeld(hold: .protectedData), by: .daemon),
  ]

  private static func ended(_ osError: Int) -> RuleExample.Step {
    .at(
      60, AttemptEnded(attempt: 1, end: .file, domain: .curl, error: 26, errorName: "cannotOpenFile", osError: osError, sent: 0))
  }
  private static func failed(_ osError: Int) -> RuleExample.Step {
    .at(61, TaskCompleted(sent: 0, domain: .curl, error: 26, errorName: "cannotOpenFile", osError: osError))
  }
  private static let stored = RuleExample.Step.at(61, AttemptResponseReceived(attempt: 1, status: 201, expected: 0))
  private static let finished = RuleExample.Step.at(61, AttemptEnded(attempt: 1, end: .finished, received: 0, sent: 0))
  private static func completed(sent: Int64? = 0, status: Int = 201) -> RuleExample.Step {
    .at(62, TaskCompleted(sent: sent, status: status))
  }

  static let description = RuleDescription(
    id: "upload-source-missing", severity: .critical,
    summary: "The file of an upload was missing when the upload began.",
    explanation: """
      The file existed when the task was created and does not when an attempt opens it: it was deleted or moved, or its path \
      leads into the directory of an earlier installation. An engine or a daemon that checks fails the task before it connects \
      and perhaps before the first attempt ("failed"). One that does not check sends an empty body, and the server confirms that \
      it stored it: a success without a byte ("sent empty").
      """,
    remedy: """
      Keep the file until the completion has been handled, in a directory that the system does not clear. Check that it \
      exists when an attempt begins, and fail before connecting. On the server, compare the body's length with the declared one.
      """,
    sources: [
      "https://github.com/lionheart/openradar-mirror/issues/4047",
      "https://github.com/kesha-antonov/react-native-background-downloader/issues/170",
    ],
    needsWholeLog: true,
    consequenceOf: ["absolute-path-persisted"],
    reports: [
      RuleExample(
        "the attempt could not open the file", .certain, variant: "failed", cites: [.taskCreated, .attemptEnded],
        steps: upload(ended(2), failed(2))),
      RuleExample(
        "the daemon failed the task before the first attempt", .certain, variant: "failed",
        cites: [.taskCreated, .taskCompleted], steps: held + [failed(2)]),
      RuleExample(
        "the daemon could not open the file, and the app has not been launched since", .certain, variant: "failed",
        cites: [.taskCreated, .diskOpenFailed],
        steps: held + [.at(60, DiskOpenFailed(task: .example, file: "/data/a", osError: 2), by: .daemon)]),
      RuleExample(
        "the log contains only the daemon's events", .certain, variant: "failed", cites: [.diskOpenFailed],
        .at(0, TaskHeld(hold: .protectedData), by: .daemon),
        .at(60, DiskOpenFailed(task: .example, file: "/data/a", osError: 2), by: .daemon)),
      RuleExample(
        "URLSession reports that the file does not exist", .certain, variant: "failed", cites: [.taskCreated, .taskCompleted],
        steps: held + [.at(61, TaskCompleted(domain: .url, error: -1100, errorName: "fileDoesNotExist"))]),
      RuleExample(
        "an empty body was sent, and the server accepted it", .certain, variant: "sent empty",
        cites: [.taskCreated, .taskCompleted], steps: upload(stored, finished, completed())),
    ],
    staysSilent: [
      RuleExample("the file is empty", steps: upload(size: 0, stored, finished, completed())),
      RuleExample("the file exists, but permission to read it was denied", steps: upload(ended(13), failed(13))),
      RuleExample("the daemon was denied permission to read the file before the first attempt", steps: held + [failed(13)]),
      RuleExample(
        "the app could not open another file of its own during the upload",
        steps: upload(
          .at(60, DiskOpenFailed(task: .example, file: "/data/notes", osError: 2)), stored, finished, completed(sent: 1000))),
      RuleExample(
        "the log records that the app deleted the file after the first attempt",
        steps: upload(
          .at(60.2, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56)),
          .at(60.4, FileDeleted(task: .example, file: "/data/a", by: .app)), .at(60.5, AttemptStarted(attempt: 2)),
          .at(60.6, AttemptEnded(attempt: 2, end: .file, domain: .curl, error: 26, osError: 2)), failed(2))),
      RuleExample(
        "a download's destination does not exist",
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()),
        .at(1, TaskCompleted(domain: .curl, error: 23, errorName: "cannotCreateFile", osError: 2))),
      RuleExample(
        "the server rejected the upload before a byte was sent",
        steps: upload(.at(61, AttemptResponseReceived(attempt: 1, status: 403)), finished, completed(status: 403))),
      RuleExample(
        "the whole file was sent",
        steps: upload(stored, .at(61, AttemptEnded(attempt: 1, end: .finished, sent: 1000)), completed(sent: 1000))),
      RuleExample(
        "the attempt opened the file, and the server answered before it was sent",
        steps: [
          .at(0, TaskCreated(type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: 1000)), .at(0.001, TaskResumed()),
          .at(60, AttemptStarted(attempt: 1, sourceSize: 1000)), stored, finished, completed(),
        ]),
      RuleExample("the number of bytes sent is unknown", steps: upload(stored, completed(sent: nil))),
      RuleExample(
        "the server redirected the upload to another resource",
        steps: upload(
          .at(60, AttemptRedirectReceived(attempt: 1, status: 303, scheme: "https", host: "b")),
          .at(60, AttemptRedirectAnswered(attempt: 1, decision: .followed)), stored, finished, completed())),
    ])

  static let watches: Set<EventKind> = [.attemptEnded, .taskCompleted, .diskOpenFailed]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // Only uploads have a file that the daemon opens, so the type may be missing from a log of the daemon alone.
    let isKnownUpload = task.type == .upload || task.type == nil && task.troubles.contains { $0.fact.kind == .diskOpenFailed }
    guard isKnownUpload else { return asked.isTaskOver || task.type != nil ? .silent : nil }
    if let missing = Self.missing(task) {
      return .finding(
        Draft(
          variant: "failed", summary: "The file of upload \(task.identity.label) was missing when the upload began.",
          claim: .presence, evidence: missing, [task.created]))
    }
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    // An attempt that opened the file did not send an empty body: the server answered before it had the body.
    guard let size = task.source?.size, size > 0, task.error == nil, (200..<300).contains(task.status ?? 0), task.sent == 0,
      task.attempt?.redirects.received == nil, task.attempt?.sourceSize ?? 0 == 0
    else { return .silent }
    return .finding(
      Draft(
        variant: "sent empty",
        summary: "Task \(task.identity.label) sent no bytes of a file of \(size) bytes, and the server accepted the empty body.",
        claim: .presence, evidence: completed, [task.created]))
  }

  /// URLSession's NSURLErrorFileDoesNotExist.
  private static let fileDoesNotExist = -1100

  /// Returns the event that shows that the file did not exist, unless the log says why; `nil` if none does.
  private static func missing(_ task: TaskLifecycle) -> Fact? {
    let trouble = task.troubles.first { $0.kind == .transfer && $0.osError == FileTrouble.noSuchFile }?.fact
    let isMissing = task.error?.domain == .url && task.error?.number == fileDoesNotExist
    guard let shown = trouble ?? (isMissing ? task.completed : nil) else { return nil }
    // The rule `upload-source-deleted-too-early` reports a deletion that the log records.
    if let deleted = task.file.deleted, deleted.duration(to: shown) ?? .zero >= .zero { return nil }
    return shown
  }
}
