import XferEvents
import XferLifecycle
import XferReplay

/// The file to send was not there when it was to be sent.
struct UploadSourceMissing: TaskRule {
  private static func created(size: Int64? = 1000) -> TaskCreated {
    TaskCreated(type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: size)
  }

  private static let resumed = RuleExample.Step.at(0.001, TaskResumed())
  private static let started = RuleExample.Step.at(60, AttemptStarted(attempt: 1))

  private static func ended(_ osError: Int) -> AttemptEnded {
    AttemptEnded(
      task: .example, attempt: 1, end: .file, domain: .curl, error: 26, errorName: "cannotOpenFile", osError: osError, sent: 0)
  }

  private static func failed(_ osError: Int) -> TaskCompleted {
    TaskCompleted(sent: 0, domain: .curl, error: 26, errorName: "cannotOpenFile", osError: osError)
  }

  private static let answered = AttemptResponseReceived(attempt: 1, status: 201, expected: 0)
  private static let over = AttemptEnded(attempt: 1, end: .finished, received: 0, sent: 0)

  static let description = RuleDescription(
    id: "upload-source-missing", severity: .critical,
    summary: "The file to send was gone when the upload began.",
    explanation: """
      The file was there when the task was made and is not when the attempt opens it: it was deleted or moved, or its path \
      leads into a directory of an earlier installation. An engine that looks fails the task before it connects. One that \
      does not sends an empty body, and the server answers that it has stored it: a success without a byte. The variant \
      says which of the two it was.
      """,
    remedy: """
      Keep the file until the completion has been handled, in a directory that nobody clears. Look for it when the attempt \
      begins and fail before connecting; on the server, compare the length with what was announced.
      """,
    sources: [
      "https://github.com/lionheart/openradar-mirror/issues/4047",
      "https://github.com/kesha-antonov/react-native-background-downloader/issues/170",
    ],
    needsWholeLog: true,
    consequenceOf: ["absolute-path-persisted"],
    reports: [
      RuleExample(
        "the attempt could not open it", .certain, variant: "failed", cites: [.taskCreated, .attemptEnded],
        .at(0, created()), resumed, started, .at(60, ended(2)), .at(61, failed(2))),
      RuleExample(
        "an empty body was sent, and taken", .certain, variant: "sent empty", cites: [.taskCreated, .taskCompleted],
        .at(0, created()), resumed, started, .at(61, answered), .at(61, over), .at(62, TaskCompleted(sent: 0, status: 201))),
    ],
    staysSilent: [
      RuleExample(
        "the file is empty",
        .at(0, created(size: 0)), resumed, started, .at(61, answered), .at(61, over),
        .at(62, TaskCompleted(sent: 0, status: 201))),
      RuleExample(
        "it is there and may not be read",
        .at(0, created()), resumed, started, .at(60, ended(13)), .at(61, failed(13))),
      RuleExample(
        "the server refused it before a byte was sent",
        .at(0, created()), resumed, started, .at(61, AttemptResponseReceived(attempt: 1, status: 403)), .at(61, over),
        .at(62, TaskCompleted(sent: 0, status: 403))),
      RuleExample(
        "all of it was sent",
        .at(0, created()), resumed, started, .at(61, answered), .at(61, AttemptEnded(attempt: 1, end: .finished, sent: 1000)),
        .at(62, TaskCompleted(sent: 1000, status: 201))),
      RuleExample(
        "how much was sent is not said",
        .at(0, created()), resumed, started, .at(61, answered), .at(62, TaskCompleted(status: 201))),
      RuleExample(
        "the answer was a redirect to a page that is fetched",
        .at(0, created()), resumed, started,
        .at(60, AttemptRedirectReceived(attempt: 1, status: 303, scheme: "https", host: "b")),
        .at(60, AttemptRedirectAnswered(attempt: 1, decision: .followed)), .at(61, answered), .at(61, over),
        .at(62, TaskCompleted(sent: 0, status: 201))),
    ])

  static let watches: Set<EventKind> = [.attemptEnded, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard task.type == .upload else { return asked.isTaskOver || task.type != nil ? .silent : nil }
    if let gone = task.troubles.first(where: { $0.kind == .transfer && $0.osError == FileTrouble.noSuchFile }) {
      return .finding(
        Draft(
          variant: "failed", summary: "The file that task \(task.identity.text) was to send was not there when it began.",
          claim: .presence, evidence: gone.fact, [task.created]))
    }
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard let size = task.source?.size, size > 0, task.error == nil, (200..<300).contains(task.status ?? 0), task.sent == 0,
      task.attempt?.redirects.received == nil
    else { return .silent }
    return .finding(
      Draft(
        variant: "sent empty",
        summary: "Task \(task.identity.text) sent nothing of a file of \(size) bytes, and the server took that for the whole.",
        claim: .presence, evidence: completed, [task.created]))
  }
}
