import XferEvents
import XferLifecycle
import XferReplay

/// A task of a foreign log failed on the network, and the log says how.
struct TransportFailed: TaskRule {
  static let description = RuleDescription(
    id: "transport-failed", severity: .notice,
    summary: "The task failed on the network, and its error names the step that failed.",
    explanation: """
      The task's error names the step that failed: no route to the host, an unknown host name, a refused connection, a failed TLS \
      handshake, a lost connection, or a timeout. The app received the error, so the completion was not lost. The variant is the \
      error's domain and code. For an app in the App Sandbox of macOS without the entitlement com.apple.security.network.client, \
      every host is unknown: -1003 with the stream error -72000.
      """,
    remedy: """
      Retry idempotent requests after a delay. If the host is unknown or refuses connections, check the address and the server. \
      If TLS failed, check the certificate. If the connection was lost within the body (URLSession -1005, curl 18 and 92), continue \
      with the part that has arrived: resume data, or curl's option -C -. For URLSession's errors -1009 and -1020, \
      waitsForConnectivity makes the task wait; for -1200 to -1206, check App Transport Security.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlerror",
      "https://developer.apple.com/forums/thread/771663",
      "https://github.com/objcio/tiny-networking/issues/21", "https://curl.se/libcurl/c/libcurl-errors.html",
      "https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h",
    ],
    isStatedByEvents: true, consequenceOf: ["local-network-denied"],
    untriggerable: "No process of this package writes the event. Only logs of Apple's systems contain it.",
    reports: [
      RuleExample(
        "the connection was lost", .certain, variant: "url -1005", cites: [.taskCompleted],
        .at(0, TaskResumed(), by: .foreign),
        .at(3, TaskCompleted(domain: .url, error: -1005, errorName: "networkConnectionLost"), by: .foreign)),
      RuleExample(
        "the log names no domain", .certain, variant: "unknown domain -1004", cites: [.attemptEnded, .taskCompleted],
        .at(0, AttemptStarted(attempt: 1), by: .foreign),
        .at(1, AttemptEnded(attempt: 1, end: .transport, error: -1004), by: .foreign),
        .at(1, TaskCompleted(error: -1004, errorName: "cannotConnectToHost"), by: .foreign)),
      RuleExample(
        "another program names its own error", .certain, variant: "other -101", cites: [.attemptEnded, .taskCompleted],
        .at(0, AttemptStarted(attempt: 1), by: .foreign),
        .at(1, AttemptEnded(attempt: 1, end: .transport, domain: .other, error: -101), by: .foreign),
        .at(1, TaskCompleted(domain: .other, error: -101, errorName: "ERR_CONNECTION_RESET"), by: .foreign)),
    ],
    staysSilent: [
      RuleExample(
        "the task was cancelled", .at(1, TaskCompleted(domain: .url, error: -999, errorName: "cancelled"), by: .foreign)),
      RuleExample(
        "an error of the file system", .at(0, AttemptStarted(attempt: 1), by: .foreign),
        .at(1, AttemptEnded(attempt: 1, end: .file, domain: .curl, error: 23), by: .foreign),
        .at(1, TaskCompleted(domain: .curl, error: 23, errorName: "writeError"), by: .foreign)),
      RuleExample("the task succeeded", .at(1, TaskCompleted(status: 200), by: .foreign)),
      RuleExample(
        "the log is one of this package", .at(0, TaskCreated()), .at(0, TaskResumed()),
        .at(3, TaskCompleted(domain: .url, error: -1005, errorName: "networkConnectionLost"))),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]
  static let presupposes: Set<TaskSign>? = [.failure]

  /// The numbers of Darwin's errno for failures on the network, which differ from those of Linux.
  private static let darwin = [
    32: "EPIPE", 50: "ENETDOWN", 51: "ENETUNREACH", 52: "ENETRESET", 53: "ECONNABORTED", 54: "ECONNRESET", 57: "ENOTCONN",
    60: "ETIMEDOUT",
    61: "ECONNREFUSED", 64: "EHOSTDOWN", 65: "EHOSTUNREACH", 100: "EPROTO",
  ]

  /// Whether an error is one of the network. The numbers of other domains tell less than the end of the attempt.
  static func isOfNetwork(_ error: TaskLifecycle.ErrorFacts, _ task: TaskLifecycle, isApple: Bool) -> Bool {
    switch error.domain {
    case .url, nil: return NetworkFailure.isKnown(urlSession: error.number)
    case .posix where isApple: return darwin[error.number] != nil
    case .curl, .posix: break
    case .other: if error.name == nil { return false }
    case .http, .xfer, .cocoa, .cfnetwork: return false
    }
    guard let end = task.attempt?.end else {
      // If the log lacks the end of the attempt, curl's number tells enough.
      return error.domain == .curl && NetworkFailure(error, of: nil) != .unspecified
    }
    return end == .transport || end == .timeout
  }

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    // Logs of this package show the attempt itself.
    guard let coverage = world.processes[task.process].coverage, let error = task.error,
      Self.isOfNetwork(error, task, isApple: coverage.isApple)
    else { return .silent }
    // Some logs name an error without a number.
    let number = error.number == -1 ? nil : "\(error.number)"
    // A text without a name in it may be private, so importers write "failed" instead.
    let name =
      error.name.flatMap { $0 == "failed" ? nil : $0 }
      ?? (error.domain == .posix && coverage.isApple ? Self.darwin[error.number] : nil)
    let cause = name.map { name in ": \(name)\(number.map { $0 == name ? "" : " (\($0))" } ?? "")" } ?? number.map { ": \($0)" }
    let named = TaskLifecycle.ErrorFacts(domain: error.domain, number: error.number, name: name)
    return .finding(
      Draft(
        variant: "\(error.domain?.name ?? "unknown domain") \(number ?? name ?? "failed")",
        summary: "Task \(task.identity.label) failed on the network\(cause ?? ", and the error has no name").",
        claim: .presence,
        evidence: completed, [task.attempt?.end == .finished ? nil : task.attempt?.ended],
        remedy: NetworkFailure(named, of: task.attempt).remedy(for: NetworkFailure.Client(error, in: coverage))))
  }
}
