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
    AttemptStarted(task: .example, attempt: attempt, sourceSize: size, sourceModified: modified, content: content)
  }

  private static let resumed = RuleExample.Step.event(TaskResumed(task: .example), at: .milliseconds(1))
  private static let ended = RuleExample.Step.event(
    AttemptEnded(task: .example, attempt: 1, end: .transport, domain: .curl, error: 55, sent: 400, retryIn: .seconds(1)),
    at: .seconds(4))

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
        "it had grown when the attempt began", certainty: .certain, variant: "size",
        .evidence(created(), at: .zero), resumed, .evidence(started(1, 1200, later), at: .seconds(60))),
      RuleExample(
        "of the same size, and written to between two attempts", certainty: .certain, variant: "modified",
        .evidence(created(), at: .zero), resumed, .event(started(), at: .seconds(2)), ended,
        .evidence(started(2, 1000, later), at: .seconds(5))),
      RuleExample(
        "the bytes are others, and everything else is as it was", certainty: .certain, variant: "content",
        .evidence(created(content: ValueDigest(7)), at: .zero), resumed,
        .evidence(started(content: ValueDigest(8)), at: .seconds(2))),
      RuleExample(
        "between two parts of one upload", certainty: .certain, variant: "size",
        .event(TaskCreated(task: .example, type: .upload, method: "PUT"), at: .zero), resumed,
        .event(MultipartStarted(upload: CorrelationID(5), task: .example), at: .seconds(1)),
        .evidence(
          MultipartPartStored(upload: CorrelationID(5), task: .example, part: 1, sent: 500, sourceSize: 1000), at: .seconds(2)),
        .evidence(
          MultipartPartStored(upload: CorrelationID(5), task: .example, part: 2, sent: 500, sourceSize: 1400), at: .seconds(3)),
        .event(MultipartCompleted(upload: CorrelationID(5), task: .example), at: .seconds(4))),
    ],
    staysSilent: [
      RuleExample(
        "as it was, at each attempt",
        .event(created(), at: .zero), resumed, .event(started(), at: .seconds(2)), ended, .event(started(2), at: .seconds(5))),
      RuleExample(
        "touched, and the bytes are the same",
        .event(created(content: ValueDigest(7)), at: .zero), resumed,
        .event(started(1, 1000, later, content: ValueDigest(7)), at: .seconds(2))),
      RuleExample(
        "nobody looked at it when the task was made",
        .event(created(nil, nil), at: .zero), resumed, .event(started(), at: .seconds(2))),
      RuleExample(
        "another upload sends another file",
        .event(created(), at: .zero), resumed,
        .event(AttemptStarted(task: .example(2), attempt: 1, sourceSize: 50, sourceModified: later), at: .seconds(2))),
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
