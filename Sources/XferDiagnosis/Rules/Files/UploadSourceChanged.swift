import XferEvents
import XferLifecycle
import XferReplay

/// The file to send was changed while it was being sent.
struct UploadSourceChanged: TaskRule {
  private static let noon = WallTime(nanoseconds: 1_780_000_000_000_000_000)
  private static let later = WallTime(nanoseconds: 1_780_000_060_000_000_000)

  private static func created(_ size: Int64? = 1000, _ modified: WallTime? = noon, content: ValueDigest? = nil) -> TaskCreated {
    TaskCreated(
      task: .example, type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: size, sourceModified: modified,
      content: content)
  }

  private static func started(
    _ attempt: Int = 1, _ size: Int64? = 1000, _ modified: WallTime? = noon, content: ValueDigest? = nil
  ) -> AttemptStarted {
    AttemptStarted(attempt: attempt, sourceSize: size, sourceModified: modified, content: content)
  }

  private static let resumed = RuleExample.Step.at(0.001, TaskResumed())
  private static let ended = RuleExample.Step.at(
    4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 55, sent: 400, retryIn: .seconds(1)))

  static let description = RuleDescription(
    id: "upload-source-changed", severity: .critical,
    summary: "The file was changed between two looks at it, while it was to be sent.",
    explanation: """
      An upload reads its file when an attempt begins, which may be hours after the task was made and once more after each \
      failure; an upload in parts reads it part by part. When the app writes to the file meanwhile, what the server stores is \
      neither the old nor the new version, and where the size is the same nobody notices. The variant says by what the \
      change shows: the bytes, the size, or only the time of the last change.
      """,
    remedy: """
      Send a copy (or a clone) that nobody writes to, made when the task is made, or compare size, time and digest before \
      each part and begin anew when they differ.
      """,
    sources: [
      "https://github.com/abraunegg/onedrive/pull/3863", "https://github.com/Infomaniak/desktop-kDrive/pull/1061",
      "https://github.com/meganz/sdk/pull/567",
    ],
    reports: [
      RuleExample(
        "it had grown when the attempt began", .certain, variant: "size", cites: [.taskCreated, .attemptStarted],
        .at(0, created()), resumed, .at(60, started(1, 1200, later))),
      RuleExample(
        "of the same size, and written to between two attempts", .certain, variant: "modified",
        cites: [.taskCreated, .last(.attemptStarted)],
        .at(0, created()), resumed, .at(2, started()), ended, .at(5, started(2, 1000, later))),
      RuleExample(
        "the bytes are others, and everything else is as it was", .certain, variant: "content",
        cites: [.taskCreated, .attemptStarted],
        .at(0, created(content: ValueDigest(7))), resumed, .at(2, started(content: ValueDigest(8)))),
      RuleExample(
        "between two parts of one upload", .certain, variant: "size", cites: [.multipartPartStored],
        .at(0, TaskCreated(type: .upload, method: "PUT")), resumed,
        .at(1, MultipartStarted(upload: CorrelationID(5), task: .example)),
        .at(2, MultipartPartStored(upload: CorrelationID(5), task: .example, part: 1, sent: 500, sourceSize: 1000)),
        .at(3, MultipartPartStored(upload: CorrelationID(5), task: .example, part: 2, sent: 500, sourceSize: 1400)),
        .at(4, MultipartCompleted(upload: CorrelationID(5), task: .example))),
    ],
    staysSilent: [
      RuleExample("as it was, at each attempt", .at(0, created()), resumed, .at(2, started()), ended, .at(5, started(2))),
      RuleExample(
        "touched, and the bytes are the same",
        .at(0, created(content: ValueDigest(7))), resumed, .at(2, started(1, 1000, later, content: ValueDigest(7)))),
      RuleExample("nobody looked at it when the task was made", .at(0, created(nil, nil)), resumed, .at(2, started())),
      RuleExample(
        "another upload sends another file",
        .at(0, created()), resumed,
        .at(2, AttemptStarted(task: .example(2), attempt: 1, sourceSize: 50, sourceModified: later))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.attemptStarted, .multipartPartStored]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let change = task.sourceChange else { return asked.isTaskOver ? .silentSoFar : nil }
    let how =
      switch change.difference {
      case .content: "its bytes are others"
      case .size: "it has \(change.after.size ?? 0) bytes where it had \(change.before.size ?? 0)"
      case .modified: "it was written to"
      }
    return .finding(
      Draft(
        variant: change.difference.rawValue,
        summary: "The file that task \(task.identity.text) sends is not the one that it was made for: \(how).",
        claim: .presence, evidence: change.after.fact, [change.before.fact],
        unless: change.difference == .content ? [] : ["the file is only ever appended to, and the server takes what it gets"]))
  }
}
