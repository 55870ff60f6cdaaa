import XferEvents
import XferLifecycle
import XferReplay

/// Reports an assertion on a process that the system took back.
struct ProcessAssertionRevoked: ProcessRule {
  static let description = RuleDescription(
    id: "process-assertion-timed-out", severity: .notice,
    summary: "The system invalidated an assertion that kept a process running, because the assertion timed out.",
    explanation: """
      RunningBoard keeps a process running while another process or the process itself holds an assertion on it. An assertion that \
      is not released in time is invalidated. The process may be suspended from then on. This alone is not a failure.
      """,
    remedy: """
      If a transfer stops at that time, move it to a background session. Call endBackgroundTask as soon as the work is done.
      """,
    sources: [
      "https://github.com/redlemon1272/RedLemon"
    ],
    isStatedByEvents: true,
    untriggerable: "No process of this package writes the event. Only logs of Apple's systems contain it.",
    reports: [
      RuleExample(
        "the system reports it", .certain, cites: [.processAssertionTimedOut],
        .at(1, ProcessAssertionTimedOut(launch: LaunchID(high: 1, low: 2), executable: "app"), by: .system))
    ],
    staysSilent: [
      RuleExample("the process was started", .at(1, ProcessStarted(executable: "app"))),
      RuleExample(
        "the system reports something else",
        .at(1, ProcessLaunchFailed(launch: LaunchID(high: 1, low: 2), executable: "app"), by: .system)),
    ])

  static let watches: Set<EventKind> = [.processAssertionTimedOut]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let reported = process.verdicts.assertionTimedOut else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        summary: "The system invalidated an assertion on \(process.executable ?? "a process"), because the assertion timed out.",
        claim: .presence, evidence: reported))
  }
}
