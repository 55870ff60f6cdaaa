import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that exceeded the limit of a watchdog and was not terminated.
struct WatchdogWithheld: ProcessRule {
  static let description = RuleDescription(
    id: "watchdog-withheld", severity: .warning,
    summary: "The app exceeded a watchdog’s limit and was not terminated, because it was being debugged.",
    explanation: """
      The system terminates an app that does not respond in time, for example at launch or when it enters the background. Under a \
      debugger, the watchdog only writes to the log. On a device of a user, the app would have been killed.
      """,
    remedy: """
      Find the work that blocks the main thread at that time, and move it off the main thread. Test without a debugger.
      """,
    sources: [
      "https://developer.apple.com/documentation/xcode/addressing-watchdog-terminations"
    ],
    isStatedByEvents: true,
    untriggerable: "No process of this package writes the event. Only logs of Apple's systems contain it.",
    reports: [
      RuleExample(
        "the system reports it", .certain, cites: [.processWatchdogWithheld],
        .at(1, ProcessWatchdogWithheld(launch: LaunchID(high: 1, low: 2), executable: "app", name: "scene-update"), by: .system))
    ],
    staysSilent: [
      RuleExample("the process was started", .at(1, ProcessStarted(executable: "app"))),
      RuleExample(
        "the system reports something else",
        .at(1, ProcessAssertionTimedOut(launch: LaunchID(high: 1, low: 2), executable: "app"), by: .system)),
    ])

  static let watches: Set<EventKind> = [.processWatchdogWithheld]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let reported = process.verdicts.watchdogWithheld else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        summary: "A watchdog found that \(process.executable ?? "an app") exceeded its limit, but did not terminate it.",
        claim: .presence, evidence: reported))
  }
}
