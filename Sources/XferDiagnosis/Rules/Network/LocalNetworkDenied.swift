import XferEvents
import XferLifecycle
import XferReplay

/// A task that failed because the app has no permission to use the local network.
struct LocalNetworkDenied: TaskRule {
  private static func completed(_ reason: UnsatisfiedReason?, error: Int = -1009) -> TaskCompleted {
    TaskCompleted(domain: .url, error: error, errorName: "notConnectedToInternet", unsatisfied: reason)
  }

  static let description = RuleDescription(
    id: "local-network-denied", severity: .error,
    summary: "The task failed because the app is not allowed to use the local network.",
    explanation: """
      Since iOS 14 and macOS 15, an app needs the user's permission to reach devices on the local network. While the \
      user has refused it, or has not answered yet, a request to such an address fails with NSURLErrorNotConnectedToInternet (-1009), “The Internet connection appears to be offline.”, \
      although the device is online and other apps reach the same server. Only the description of the path, which Foundation adds \
      to the error (_NSURLErrorNWPathKey), names the reason: “unsatisfied (Local network prohibited)”. Command-line tools that are \
      started from Terminal are allowed, so that nc or curl reach the server in a test.
      """,
    remedy: """
      Set NSLocalNetworkUsageDescription in Info.plist, and NSBonjourServices if the app browses. When this error occurs, ask the \
      user to allow the app in Settings > Privacy & Security > Local Network instead of reporting a missing connection. Do not \
      infer the reason from -1009 and a private address: a device in flight mode has the same error.
      """,
    sources: [
      "https://developer.apple.com/documentation/technotes/tn3179-understanding-local-network-privacy",
      "https://github.com/superuser404notfound/Sodalite/issues/92", "https://github.com/toeverything/AFFiNE/pull/15338",
      "https://github.com/swellweb/targetBridge/issues/187",
    ],
    isStatedByEvents: true,
    untriggerable: "Only Apple’s systems have this permission.",
    reports: [
      RuleExample(
        "the error of a task in Apple’s log states the reason", .certain, cites: [.taskCompleted],
        .at(0, TaskResumed(), by: .foreign), .at(1, completed(.localNetworkDenied), by: .foreign)),
      RuleExample(
        "an app that records its URLSession", .certain, cites: [.taskCompleted],
        .at(0, TaskCreated(type: .data), by: .recorder), .at(0, TaskResumed(), by: .recorder),
        .at(1, completed(.localNetworkDenied), by: .recorder)),
    ],
    staysSilent: [
      RuleExample("the device is offline", .at(1, completed(.notAvailable), by: .foreign)),
      RuleExample("the error does not describe the path", .at(1, completed(nil), by: .foreign)),
      RuleExample("the user denied the app the cellular network", .at(1, completed(.cellularDenied, error: -1020), by: .foreign)),
      RuleExample("the task succeeded", .at(1, TaskCompleted(status: 200), by: .foreign)),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.oddities.unsatisfied == .localNetworkDenied else { return .silent }
    return .finding(
      Draft(
        summary: "Task \(task.identity.label) failed because the app is not allowed to use the local network.", claim: .presence,
        evidence: completed))
  }
}
