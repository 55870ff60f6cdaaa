import XferEvents
import XferLifecycle
import XferReplay

/// The daemon could not put a transfer's bytes into a file of its own.
struct DaemonCannotCreateFile: TaskRule {
  private static let background = RuleExample.Step.event(
    SessionCreated(session: "default-1", sessionKind: .background), at: .zero)
  private static let begun: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download), at: .milliseconds(1)),
    .event(TaskResumed(task: .example), at: .milliseconds(2)),
    .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(3), by: .daemon),
    .event(AttemptResponseReceived(task: .example, attempt: 1, status: 200, expected: 10), at: .milliseconds(9), by: .daemon),
  ]

  private static func ended(_ error: Int, name: String, osError: Int?) -> AttemptEnded {
    AttemptEnded(
      task: .example, attempt: 1, end: .file, domain: .curl, error: error, errorName: name, osError: osError, received: 10)
  }

  private static func completed(_ error: Int, name: String, domain: ErrorDomain = .curl, osError: Int? = nil) -> TaskCompleted {
    TaskCompleted(task: .example, received: 10, domain: domain, error: error, errorName: name, osError: osError)
  }

  static let description = RuleDescription(
    id: "daemon-cannot-create-file", severity: .error,
    summary: "The transfer worked, but the daemon could not put it into a file.",
    explanation: """
      A background download is written by the daemon, into a directory of the daemon's, and is handed to the app only when it \
      is whole. Where that directory is missing, belongs to somebody else or may not be written to, every background \
      transfer fails with a file error, often at its very end, and the same transfer in a default session works. The variant \
      says whether the file could not be made, or not be written.
      """,
    remedy: """
      Look at the daemon's spool: that it is there, that the daemon's user may write to it, and that its file system is \
      mounted for writing. Start the failed tasks again when that is done.
      """,
    sources: ["https://github.com/VortXTV/VortX/issues/132"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the spool may not be written to", certainty: .certain, variant: "create",
        steps: [background] + begun + [
          .evidence(ended(23, name: "cannotCreateFile", osError: 13), at: .milliseconds(20), by: .daemon),
          .evidence(completed(23, name: "cannotCreateFile", osError: 13), at: .milliseconds(30)),
        ]),
      RuleExample(
        "URLSession's own word for it, at the very end", certainty: .certain, variant: "create",
        steps: [background] + begun + [
          .evidence(completed(-3000, name: "cannotCreateFile", domain: .url), at: .milliseconds(30))
        ]),
      RuleExample(
        "the disk gives an error", certainty: .certain, variant: "write",
        steps: [background] + begun + [
          .evidence(ended(23, name: "cannotWriteToFile", osError: 5), at: .milliseconds(20), by: .daemon),
          .evidence(completed(23, name: "cannotWriteToFile", osError: 5), at: .milliseconds(30)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the disk is full, which is another problem",
        steps: [background] + begun + [
          .event(ended(23, name: "cannotWriteToFile", osError: 28), at: .milliseconds(20), by: .daemon),
          .event(completed(23, name: "cannotWriteToFile", osError: 28), at: .milliseconds(30)),
        ]),
      RuleExample(
        "a default session writes where the app may",
        steps: [.event(SessionCreated(session: "default-1", sessionKind: .default), at: .zero)] + begun + [
          .event(ended(23, name: "cannotCreateFile", osError: 13), at: .milliseconds(20)),
          .event(completed(23, name: "cannotCreateFile", osError: 13), at: .milliseconds(30)),
        ]),
      RuleExample(
        "the file was there, and the app could not move it",
        steps: [background] + begun + [
          .event(FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 10, exists: true), at: .milliseconds(12)),
          .event(completed(-3005, name: "cannotMoveFile", domain: .url), at: .milliseconds(30)),
        ]),
      RuleExample(
        "the file to send was not there",
        background, .event(TaskCreated(task: .example, type: .upload), at: .milliseconds(1)),
        .event(TaskResumed(task: .example), at: .milliseconds(2)),
        .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(3), by: .daemon),
        .event(ended(26, name: "cannotOpenFile", osError: 2), at: .milliseconds(20), by: .daemon),
        .event(completed(26, name: "cannotOpenFile", osError: 2), at: .milliseconds(30))),
      RuleExample(
        "the connection was lost",
        steps: [background] + begun + [
          .event(completed(56, name: "networkConnectionLost"), at: .milliseconds(30))
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  private enum Problem: String { case create, write }

  /// What of a file's making an error is about; `nil` for all others.
  private static func problem(_ error: TaskLifecycle.ErrorFacts) -> Problem? {
    switch (error.domain, error.number, error.name) {
    case (_, _, "cannotCreateFile"?), (.url?, -3000, _), (.url?, -3001, _): .create
    case (_, _, "cannotWriteToFile"?), (.url?, -3003, _), (.url?, -3002, _), (.curl?, 23, _): .write
    default: nil
    }
  }

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard let error = task.error, let problem = Self.problem(error), task.file.offered == nil else { return .silent }
    let osError = error.osError ?? task.attempt?.error?.osError
    if osError == FileTrouble.noSpace || osError.map(FileTrouble.quotaExceeded.contains) ?? false { return .silent }
    switch world.sessionKind(of: task) {
    case .background: break
    case .default, .ephemeral, .shared: return .silent
    case nil: if task.carrier == nil { return asked.isTaskOver ? .undecidable(needs: "session.created") : nil }
    }
    let ended = task.attempt?.end == .file ? task.attempt?.ended : nil
    let number = osError.map { " (errno \($0))" } ?? ""
    return .finding(
      Draft(
        variant: problem.rawValue,
        summary: problem == .create
          ? "The daemon could not make a file for task \(task.identity.text)\(number)."
          : "The daemon could not write the file of task \(task.identity.text)\(number).",
        claim: .presence, evidence: completed, [ended]))
  }
}
