import XferEvents
import XferLifecycle
import XferReplay

/// Reports a crash of an app that had no transfers.
struct AppCrashed: ProcessRule {
  static let description = RuleDescription(
    id: "app-crashed", severity: .notice,
    summary: "The system reports that the app crashed. The log shows no transfer that was running then.",
    explanation: """
      The system's log says that the process crashed or was terminated because of its own error. If transfers were running, \
      another rule reports the crash together with the transfers.
      """,
    remedy: """
      Look for the crash report of the process, and fix its cause.
      """,
    sources: [
      "https://developer.apple.com/documentation/xcode/diagnosing-issues-using-crash-reports-and-device-logs"
    ],
    isStatedByEvents: true,
    untriggerable: "No process of this package writes the event. Only logs of Apple's systems contain it.",
    reports: [
      RuleExample(
        "the system reports a crash", .certain, cites: [.processExitObserved],
        .at(1, ProcessExitObserved(launch: LaunchID(high: 1, low: 2), exitReason: .crashed, executable: "app"), by: .system))
    ],
    staysSilent: [
      RuleExample(
        "the process was ended by a signal",
        .at(1, ProcessExitObserved(launch: LaunchID(high: 1, low: 2), signal: 9, exitReason: .signal), by: .system)),
      RuleExample("the process is running", .at(1, ProcessStarted(executable: "app"))),
    ])

  static let watches: Set<EventKind> = [.processExitObserved]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let observed = process.exitObserved, process.exitReason == .crashed else { return asked.isEndOfLog ? .silent : nil }
    if tasks.contains(where: { world.tasks[$0].isLive }) { return .silent }
    return .finding(
      Draft(
        summary: "The system reports that \(process.executable ?? "a process") crashed.", claim: .presence, evidence: observed))
  }
}
