import XferEvents
import XferLifecycle
import XferReplay

/// Reports a file that was changed while an upload of it was pending or in flight.
struct UploadSourceChanged: TaskRule {
  private static let noon = WallTime(nanoseconds: 1_780_000_000_000_000_000)
  private static let later = WallTime(nanoseconds: 1_780_000_060_000_000_000)

  /// The steps of an example: an upload is created and resumed; then `rest` follows.
  private static func upload(
    size: Int64? = 1000, modified: WallTime? = noon, content: ValueDigest? = nil, _ rest: RuleExample.Step...
  ) -> [RuleExample.Step] {
    let created = TaskCreated(
      type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: size, sourceModified: modified, content: content)
    return [.at(0, created), .at(0.001, TaskResumed())] + rest
  }

  private static func started(
    _ attempt: Int = 1, _ size: Int64? = 1000, _ modified: WallTime? = noon, content: ValueDigest? = nil
  ) -> AttemptStarted {
    AttemptStarted(attempt: attempt, sourceSize: size, sourceModified: modified, content: content)
  }

  private static let ended = RuleExample.Step.at(
    4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 55, sent: 400, retryIn: .seconds(1)))

  static let description = RuleDescription(
    id: "upload-source-changed", severity: .critical,
    summary: "The file of an upload was changed before the upload had completed.",
    explanation: """
      An upload reads its file while an attempt sends it, which may be hours after the task was created, and again for each \
      retry; a multipart upload reads it part by part. When the app writes to the file in the meantime, the server may receive \
      the wrong version or a mixture of two, and if the size is unchanged, no check detects this. The variant names the \
      property that shows the change: the digest of the content ("content"), the size ("size"), or only the modification \
      time ("modified").
      """,
    remedy: """
      When you create the task, make a copy (or a clone) of the file, upload the copy, and never write to it. Or compare the \
      file's size, modification time and digest before each part with those at the start, and restart the upload if they differ.
      """,
    sources: [
      "https://github.com/abraunegg/onedrive/pull/3863", "https://github.com/Infomaniak/desktop-kDrive/pull/1061",
      "https://github.com/meganz/sdk/pull/567",
    ],
    reports: [
      RuleExample(
        "the file had grown when the attempt began", .certain, variant: "size", cites: [.taskCreated, .attemptStarted],
        steps: upload(.at(60, started(1, 1200, later)))),
      RuleExample(
        "the file was written to between two attempts and kept its size", .certain, variant: "modified",
        cites: [.taskCreated, .last(.attemptStarted)],
        steps: upload(.at(2, started()), ended, .at(5, started(2, 1000, later)))),
      RuleExample(
        "the file was written to while it was sent, and the server accepted the upload", .certain, variant: "modified",
        cites: [.taskCreated, .attemptEnded],
        steps: upload(
          .at(2, started()),
          .at(4, AttemptEnded(attempt: 1, end: .finished, sent: 1000, sourceSize: 1000, sourceModified: later)),
          .at(4.1, TaskCompleted(status: 200)))),
      RuleExample(
        "only the content differs", .certain, variant: "content", cites: [.taskCreated, .attemptStarted],
        steps: upload(content: ValueDigest(7), .at(2, started(content: ValueDigest(8))))),
      RuleExample(
        "the file grew between two parts of a multipart upload", .certain, variant: "size", cites: [.multipartPartStored],
        .at(0, TaskCreated(type: .upload, method: "PUT")), .at(0.001, TaskResumed()),
        .at(1, MultipartStarted(upload: CorrelationID(5), task: .example)),
        .at(2, MultipartPartStored(upload: CorrelationID(5), task: .example, part: 1, sent: 500, sourceSize: 1000)),
        .at(3, MultipartPartStored(upload: CorrelationID(5), task: .example, part: 2, sent: 500, sourceSize: 1400)),
        .at(4, MultipartCompleted(upload: CorrelationID(5), task: .example))),
    ],
    staysSilent: [
      RuleExample("the file is unchanged at each attempt", steps: upload(.at(2, started()), ended, .at(5, started(2)))),
      RuleExample(
        "the modification time changed, and the content did not",
        steps: upload(content: ValueDigest(7), .at(2, started(1, 1000, later, content: ValueDigest(7))))),
      RuleExample(
        "the file was not checked when the task was created", steps: upload(size: nil, modified: nil, .at(2, started()))),
      RuleExample(
        "another upload sends another file",
        steps: upload(
          .at(2, AttemptStarted(task: .example(2), attempt: 1, sourceSize: 50, sourceModified: later)))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.attemptStarted, .attemptEnded, .multipartPartStored]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let change = task.sourceChange else { return asked.isTaskOver ? .silentSoFar : nil }
    let how =
      switch change.difference {
      case .content: "the digest of its content differs"
      case .size: "its size was \(change.before.size ?? 0) bytes and is now \(change.after.size ?? 0) bytes"
      case .modified: "its modification time differs"
      }
    return .finding(
      Draft(
        variant: change.difference.rawValue,
        summary: "The file that task \(task.identity.label) uploads was changed: \(how).",
        claim: .presence, evidence: change.after.fact, [change.before.fact],
        unless: change.difference == .content ? [] : ["the app only appends to the file, and the server accepts the new length"]))
  }
}
