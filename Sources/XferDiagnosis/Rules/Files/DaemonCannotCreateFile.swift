import XferEvents
import XferLifecycle
import XferReplay

/// The daemon could not put a transfer's bytes into a file of its own.
struct DaemonCannotCreateFile: TaskRule {
  private static let background = RuleExample.Step.at(0, SessionCreated(session: "default-1", sessionKind: .background))
  private static let begun: [RuleExample.Step] = [
    .at(0.001, TaskCreated(type: .download)), .at(0.002, TaskResumed()), .at(0.003, AttemptStarted(attempt: 1), by: .daemon),
    .at(0.009, AttemptResponseReceived(attempt: 1, status: 200, expected: 10), by: .daemon),
  ]

  private static func ended(_ error: Int, name: String, osError: Int?) -> AttemptEnded {
    AttemptEnded(
      task: .example, attempt: 1, end: .file, domain: .curl, error: error, errorName: name, osError: osError, received: 10)
  }

  private static func completed(_ error: Int, name: String, domain: ErrorDomain = .curl, osError: Int? = nil) -> TaskCompleted {
    TaskCompleted(received: 10, domain: domain, error: error, errorName: name, osError: osError)
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
        "the spool may not be written to", .certain, variant: "create", cites: [.attemptEnded, .taskCompleted],
        steps: [background] + begun + [
          .at(0.02, ended(23, name: "cannotCreateFile", osError: 13), by: .daemon),
          .at(0.03, completed(23, name: "cannotCreateFile", osError: 13)),
        ]),
      RuleExample(
        "URLSession's own word for it, at the very end", .certain, variant: "create", cites: [.taskCompleted],
        steps: [background] + begun + [.at(0.03, completed(-3000, name: "cannotCreateFile", domain: .url))]),
      RuleExample(
        "the disk gives an error", .certain, variant: "write", cites: [.attemptEnded, .taskCompleted],
        steps: [background] + begun + [
          .at(0.02, ended(23, name: "cannotWriteToFile", osError: 5), by: .daemon),
          .at(0.03, completed(23, name: "cannotWriteToFile", osError: 5)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the disk is full, which is another problem",
        steps: [background] + begun + [
          .at(0.02, ended(23, name: "cannotWriteToFile", osError: 28), by: .daemon),
          .at(0.03, completed(23, name: "cannotWriteToFile", osError: 28)),
        ]),
      RuleExample(
        "a default session writes where the app may",
        steps: [.at(0, SessionCreated(session: "default-1", sessionKind: .default))] + begun + [
          .at(0.02, ended(23, name: "cannotCreateFile", osError: 13)),
          .at(0.03, completed(23, name: "cannotCreateFile", osError: 13)),
        ]),
      RuleExample(
        "the file was there, and the app could not move it",
        steps: [background] + begun + [
          .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
          .at(0.03, completed(-3005, name: "cannotMoveFile", domain: .url)),
        ]),
      RuleExample(
        "the file to send was not there",
        background, .at(0.001, TaskCreated(type: .upload)), .at(0.002, TaskResumed()),
        .at(0.003, AttemptStarted(attempt: 1), by: .daemon),
        .at(0.02, ended(26, name: "cannotOpenFile", osError: 2), by: .daemon),
        .at(0.03, completed(26, name: "cannotOpenFile", osError: 2))),
      RuleExample(
        "the connection was lost",
        steps: [background] + begun + [.at(0.03, completed(56, name: "networkConnectionLost"))]),
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
