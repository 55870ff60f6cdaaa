import XferEvents
import XferLifecycle
import XferReplay

/// A task of a foreign log failed for a reason that is neither an error of the network nor a status.
struct TransferFailed: TaskRule {
  static let description = RuleDescription(
    id: "transfer-failed", severity: .notice,
    summary: "The task failed: the log of another program records a failure that is not a network error.",
    explanation: """
      The program that ran the transfer recorded a failure: its worker returned a failure or threw an exception, a file could not \
      be written, or an FTP server closed an incomplete transfer. The completion was not lost. The variant is the name of the \
      failure in the log.
      """,
    remedy: """
      Search the lines around the evidence for the cause, such as an exception or a message of the app. An incomplete transfer of an FTP \
      server ended when one side closed the connection: compare the time with the log of the client.
      """,
    sources: [
      "https://developer.android.com/reference/androidx/work/ListenableWorker.Result",
      "https://android.googlesource.com/platform/packages/providers/DownloadProvider/+/refs/heads/main/src/com/android/providers/downloads/DownloadThread.java",
      "https://curl.se/libcurl/c/libcurl-errors.html",
    ],
    isStatedByEvents: true,
    untriggerable: "No process of this package writes the event. Only logs of other programs contain it.",
    reports: [
      RuleExample(
        "a worker returned a failure", .certain, variant: "Worker result FAILURE", cites: [.attemptEnded, .taskCompleted],
        .at(0, AttemptStarted(attempt: 1), by: .foreign),
        .at(
          1, AttemptEnded(attempt: 1, end: .refused, domain: .other, error: -1, errorName: "Worker result FAILURE"), by: .foreign),
        .at(1, TaskCompleted(domain: .other, error: -1, errorName: "Worker result FAILURE"), by: .foreign)),
      RuleExample(
        "a file could not be written", .certain, variant: "writeError", cites: [.attemptEnded, .taskCompleted],
        .at(0, AttemptStarted(attempt: 1), by: .foreign),
        .at(1, AttemptEnded(attempt: 1, end: .file, domain: .curl, error: 23, errorName: "writeError"), by: .foreign),
        .at(1, TaskCompleted(domain: .curl, error: 23, errorName: "writeError"), by: .foreign)),
    ],
    staysSilent: [
      RuleExample(
        "the task failed on the network", .at(0, AttemptStarted(attempt: 1), by: .foreign),
        .at(1, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56), by: .foreign),
        .at(1, TaskCompleted(domain: .curl, error: 56, errorName: "receiveError"), by: .foreign)),
      RuleExample(
        "the task was cancelled", .at(1, TaskCompleted(domain: .url, error: -999, errorName: "cancelled"), by: .foreign)),
      RuleExample("the task succeeded", .at(1, TaskCompleted(status: 200), by: .foreign)),
      RuleExample(
        "the log is one of this package", .at(0, TaskCreated()), .at(0, TaskResumed()),
        .at(3, TaskCompleted(domain: .curl, error: 23, errorName: "writeError"))),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]
  static let presupposes: Set<TaskSign>? = [.failure]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    let process = world.processes[task.process]
    // The errors of Apple's systems have rules of their own.
    guard let coverage = process.coverage, !coverage.isApple, let error = task.error, task.result == .failed,
      !TransportFailed.isOfNetwork(error, task, isApple: false)
    else { return .silent }
    let name = error.name ?? error.domain.map { "\($0.name) \(error.number)" } ?? "error \(error.number)"
    return .finding(
      Draft(
        variant: name, summary: "Task \(task.identity.label) failed: \(name).", claim: .presence, evidence: completed,
        [task.attempt?.end == .finished ? nil : task.attempt?.ended]))
  }
}
