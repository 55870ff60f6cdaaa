import XferEvents
import XferLifecycle
import XferReplay

/// A task of a foreign log failed on the network, and the log says how.
struct TransportFailed: TaskRule {
  static let description = RuleDescription(
    id: "transport-failed", severity: .notice,
    summary: "The task failed on the network, and its error says where.",
    explanation: """
      The error of the task names the step that failed: there was no route, the host name was unknown, the connection was \
      refused, the TLS handshake failed, the connection was lost, or no answer came in time. The app was told, so this is no lost \
      completion. The variant is the domain and the number of the error.
      """,
    remedy: """
      Retry idempotent requests after a delay. For -1009 and -1020, set waitsForConnectivity. For -1004, check the address and \
      the server. For -1200 to -1206, check the certificate and App Transport Security.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/urlerror",
      "https://developer.apple.com/forums/thread/771663",
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
    ],
    staysSilent: [
      RuleExample(
        "the task was cancelled", .at(1, TaskCompleted(domain: .url, error: -999, errorName: "cancelled"), by: .foreign)),
      RuleExample("the task succeeded", .at(1, TaskCompleted(status: 200), by: .foreign)),
      RuleExample(
        "the log is one of this package", .at(0, TaskCreated()), .at(0, TaskResumed()),
        .at(3, TaskCompleted(domain: .url, error: -1005, errorName: "networkConnectionLost"))),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]

  /// The numbers of NSURLErrorDomain for failures on the network.
  private static let network: Set = [
    -1001, -1003, -1004, -1005, -1006, -1009, -1018, -1019, -1020, -1200, -1201, -1202, -1203, -1204, -1205, -1206,
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    // Logs of this package show the attempt itself.
    guard world.processes[task.process].coverage != nil, let error = task.error, error.domain == .url || error.domain == nil,
      Self.network.contains(error.number)
    else { return .silent }
    let name = error.name ?? "\(error.number)"
    return .finding(
      Draft(
        variant: "\(error.domain?.name ?? "unknown domain") \(error.number)",
        summary: "Task \(task.identity.label) failed on the network: \(name) (\(error.number)).", claim: .presence,
        evidence: completed, [task.attempt?.end == .finished ? nil : task.attempt?.ended]))
  }
}
