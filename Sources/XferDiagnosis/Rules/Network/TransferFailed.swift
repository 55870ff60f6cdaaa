import XferEvents
import XferLifecycle
import XferReplay

/// A task of a foreign log failed for a reason that is not an error of the network.
struct TransferFailed: TaskRule {
  static let description = RuleDescription(
    id: "transfer-failed", severity: .notice,
    summary: "The task failed: the log of another program records a failure that is not a network error.",
    explanation: """
      The program that ran the transfer recorded a failure: its worker returned a failure or threw an exception, a file could not \
      be written, or an FTP server closed an incomplete transfer. In a log of Apple's systems, URLSession failed the task with an \
      error that names no step on the network: for example, App Transport Security refused an insecure address (-1022: use HTTPS, or \
      an exception for the host in NSAppTransportSecurity of Info.plist), the server asked for credentials (-1013), or the body was \
      larger than allowed (-1103). A task also counts as failed if the program received a status of 400 or more; URLSession leaves it to \
      the app to check the status, so a status alone is not reported in a log of Apple's systems. The completion was not lost. The variant \
      is the name of the failure in the log, or the status.
      """,
    remedy: "Search the lines around the evidence for the cause, such as an exception or a message of the program.",
    sources: [
      "https://developer.apple.com/documentation/foundation/urlerror",
      "https://developer.android.com/reference/androidx/work/ListenableWorker.Result",
      "https://android.googlesource.com/platform/packages/providers/DownloadProvider/+/refs/heads/main/src/com/android/providers/downloads/DownloadThread.java",
      "https://curl.se/libcurl/c/libcurl-errors.html",
    ],
    isStatedByEvents: true, consequenceOf: ["upload-source-missing", "resume-data-invalid"],
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
      RuleExample(
        "the server refused the request", .certain, variant: "status 403", cites: [.taskCompleted],
        .at(0, AttemptStarted(attempt: 1), by: .foreign),
        .at(1, AttemptEnded(attempt: 1, end: .finished), by: .foreign),
        .at(1, TaskCompleted(status: 403), by: .foreign)),
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
  static let presupposes: Set<TaskSign>? = [.failure, .trait(.refused)]

  /// The numbers of NSURLErrorDomain that no rule of their own explains and that are no errors of the network.
  private static let urlSession: Set = [
    -996, -1000, -1002, -1007, -1008, -1010, -1011, -1012, -1013, -1014, -1015, -1016, -1017, -1021, -1022, -1100, -1101,
    -1102, -1103, -2000, -3004, -3005, -3006, -3007,
  ]

  private static func isOfURLSession(_ error: TaskLifecycle.ErrorFacts, _ task: TaskLifecycle) -> Bool {
    switch error.domain {
    case .url, nil: urlSession.contains(error.number)
    case .posix, .cocoa, .cfnetwork: !TransportFailed.isOfNetwork(error, task, isApple: true)
    case .curl, .http, .xfer, .other: false
    }
  }

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard let coverage = world.processes[task.process].coverage, task.result == .failed else { return .silent }
    let attempt = task.attempt?.end == .finished ? nil : task.attempt?.ended
    guard let error = task.error else {
      guard !coverage.isApple, let status = task.status else { return .silent }
      return .finding(
        Draft(
          variant: "status \(status)",
          summary: "Task \(task.identity.label) failed: the server answered with the status \(status).",
          claim: .presence, evidence: completed, [attempt], remedy: FailureRemedy.text(forStatus: status)))
    }
    guard
      coverage.isApple ? Self.isOfURLSession(error, task) : !TransportFailed.isOfNetwork(error, task, isApple: false)
    else { return .silent }
    let number = coverage.isApple && error.name != nil ? " (\(error.number))" : ""
    let name = error.name ?? error.domain.map { "\($0.name) \(error.number)" } ?? "error \(error.number)"
    return .finding(
      Draft(
        variant: name, summary: "Task \(task.identity.label) failed: \(name)\(number).", claim: .presence, evidence: completed,
        [attempt], remedy: FailureRemedy.text(for: error, in: coverage)))
  }
}
