import XferEvents
import XferLifecycle
import XferReplay

/// The file to send was not there when it was to be sent.
struct UploadSourceMissing: TaskRule {
  private static func created(size: Int64? = 1000) -> TaskCreated {
    TaskCreated(task: .example, type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: size)
  }

  private static let resumed = RuleExample.Step.event(TaskResumed(task: .example), at: .milliseconds(1))
  private static let started = RuleExample.Step.event(AttemptStarted(task: .example, attempt: 1), at: .seconds(60))

  private static func ended(_ osError: Int) -> AttemptEnded {
    AttemptEnded(
      task: .example, attempt: 1, end: .file, domain: .curl, error: 26, errorName: "cannotOpenFile", osError: osError, sent: 0)
  }

  private static func failed(_ osError: Int) -> TaskCompleted {
    TaskCompleted(task: .example, sent: 0, domain: .curl, error: 26, errorName: "cannotOpenFile", osError: osError)
  }

  private static let answered = AttemptResponseReceived(task: .example, attempt: 1, status: 201, expected: 0)
  private static let over = AttemptEnded(task: .example, attempt: 1, end: .finished, received: 0, sent: 0)

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
        "the attempt could not open it", certainty: .certain, variant: "failed",
        .evidence(created(), at: .zero), resumed, started, .evidence(ended(2), at: .seconds(60)),
        .event(failed(2), at: .seconds(61))),
      RuleExample(
        "an empty body was sent, and taken", certainty: .certain, variant: "sent empty",
        .evidence(created(), at: .zero), resumed, started, .event(answered, at: .seconds(61)),
        .event(over, at: .seconds(61)), .evidence(TaskCompleted(task: .example, sent: 0, status: 201), at: .seconds(62))),
    ],
    staysSilent: [
      RuleExample(
        "the file is empty",
        .event(created(size: 0), at: .zero), resumed, started, .event(answered, at: .seconds(61)),
        .event(over, at: .seconds(61)), .event(TaskCompleted(task: .example, sent: 0, status: 201), at: .seconds(62))),
      RuleExample(
        "it is there and may not be read",
        .event(created(), at: .zero), resumed, started, .event(ended(13), at: .seconds(60)),
        .event(failed(13), at: .seconds(61))),
      RuleExample(
        "the server refused it before a byte was sent",
        .event(created(), at: .zero), resumed, started,
        .event(AttemptResponseReceived(task: .example, attempt: 1, status: 403), at: .seconds(61)),
        .event(over, at: .seconds(61)), .event(TaskCompleted(task: .example, sent: 0, status: 403), at: .seconds(62))),
      RuleExample(
        "all of it was sent",
        .event(created(), at: .zero), resumed, started, .event(answered, at: .seconds(61)),
        .event(AttemptEnded(task: .example, attempt: 1, end: .finished, sent: 1000), at: .seconds(61)),
        .event(TaskCompleted(task: .example, sent: 1000, status: 201), at: .seconds(62))),
      RuleExample(
        "how much was sent is not said",
        .event(created(), at: .zero), resumed, started, .event(answered, at: .seconds(61)),
        .event(TaskCompleted(task: .example, status: 201), at: .seconds(62))),
      RuleExample(
        "the answer was a redirect to a page that is fetched",
        .event(created(), at: .zero), resumed, started,
        .event(AttemptRedirectReceived(task: .example, attempt: 1, status: 303, scheme: "https", host: "b"), at: .seconds(60)),
        .event(AttemptRedirectAnswered(task: .example, attempt: 1, decision: .followed), at: .seconds(60)),
        .event(answered, at: .seconds(61)), .event(over, at: .seconds(61)),
        .event(TaskCompleted(task: .example, sent: 0, status: 201), at: .seconds(62))),
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
