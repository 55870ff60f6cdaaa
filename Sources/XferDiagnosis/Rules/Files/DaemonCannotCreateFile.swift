import XferEvents
import XferLifecycle
import XferReplay

/// Reports a transfer whose bytes the daemon could not write to a file.
struct DaemonCannotCreateFile: TaskRule {
  private static func begun(_ kind: SessionKind = .background) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", sessionKind: kind)), .at(0.001, TaskCreated(type: .download)),
      .at(0.002, TaskResumed()), .at(0.003, AttemptStarted(attempt: 1), by: .daemon),
      .at(0.009, AttemptResponseReceived(attempt: 1, status: 200, expected: 10), by: .daemon),
    ]
  }

  private static func completed(_ error: Int, _ name: String, domain: ErrorDomain = .curl, osError: Int? = nil) -> TaskCompleted {
    TaskCompleted(received: 10, domain: domain, error: error, errorName: name, osError: osError)
  }

  /// The steps in which an attempt and its task end with the same error.
  private static func failed(
    _ name: String, error: Int = 23, osError: Int, by process: ExampleProcess = .daemon
  ) -> [RuleExample.Step] {
    let ended = AttemptEnded(
      attempt: 1, end: .file, domain: .curl, error: error, errorName: name, osError: osError, received: 10)
    return [.at(0.02, ended, by: process), .at(0.03, completed(error, name, osError: osError))]
  }

  static let description = RuleDescription(
    id: "daemon-cannot-create-file", severity: .error,
    summary: "The server sent the body, but the daemon could not write it to a file.",
    explanation: """
      The daemon writes a background download to its own spool directory and hands the file to the app when the download is \
      complete. When that directory is missing, belongs to another user or is not writable, every background transfer fails \
      with a file error, often at its very end, while the same transfer works in a default session. The variant says whether \
      the file could not be created ("create") or could not be written ("write").
      """,
    remedy: """
      Check the daemon's spool directory: it must exist, the daemon's user must be able to write to it, and its file system \
      must be mounted writable. Then restart the failed tasks.
      """,
    sources: ["https://github.com/VortXTV/VortX/issues/132"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the spool directory is not writable", .certain, variant: "create", cites: [.attemptEnded, .taskCompleted],
        steps: begun() + failed("cannotCreateFile", osError: 13)),
      RuleExample(
        "URLSession reports the error at the end of the transfer", .certain, variant: "create", cites: [.taskCompleted],
        steps: begun() + [.at(0.03, completed(-3000, "cannotCreateFile", domain: .url))]),
      RuleExample(
        "the disk reports an I/O error", .certain, variant: "write", cites: [.attemptEnded, .taskCompleted],
        steps: begun() + failed("cannotWriteToFile", osError: 5)),
    ],
    staysSilent: [
      RuleExample(
        "the disk is full, which is another fault", steps: begun() + failed("cannotWriteToFile", osError: 28)),
      RuleExample(
        "the task belongs to a default session",
        steps: begun(.default) + failed("cannotCreateFile", osError: 13, by: .app)),
      RuleExample(
        "the file was offered, and the app could not move it",
        steps: begun() + [
          .at(0.012, FileOffered(delivery: DeliveryID(1), inode: 9, size: 10, exists: true)),
          .at(0.03, completed(-3005, "cannotMoveFile", domain: .url)),
        ]),
      RuleExample(
        "the file to upload is missing",
        steps: [
          .at(0, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.001, TaskCreated(type: .upload)),
          .at(0.002, TaskResumed()), .at(0.003, AttemptStarted(attempt: 1), by: .daemon),
        ] + failed("cannotOpenFile", error: 26, osError: 2)),
      RuleExample("the connection was lost", steps: begun() + [.at(0.03, completed(56, "networkConnectionLost"))]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  private enum Problem: String { case create, write }

  /// Returns whether an error concerns creating or writing a file; `nil` for all other errors.
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
          ? "The daemon could not create a file for task \(task.identity.label)\(number)."
          : "The daemon could not write to the file of task \(task.identity.label)\(number).",
        claim: .presence, evidence: completed, [ended]))
  }
}
