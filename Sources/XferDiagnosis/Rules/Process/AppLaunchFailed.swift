import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that the system could not launch.
struct AppLaunchFailed: ProcessRule {
  static let description = RuleDescription(
    id: "app-launch-failed", severity: .error,
    summary: "The system could not launch the app.",
    explanation: """
      The system was asked to launch the app, for example for the events of a background session, and could not. The events stay \
      undelivered until the app is launched in another way.
      """,
    remedy: """
      Check the signature and the entitlements of the app, and look for the reason in the log of RunningBoard or FrontBoard.
      """,
    sources: [
      "https://developer.apple.com/documentation/foundation/downloading-files-in-the-background"
    ],
    isStatedByEvents: true,
    untriggerable: "No process of this package writes the event. Only logs of Apple's systems contain it.",
    reports: [
      RuleExample(
        "the system reports it", .certain, cites: [.processLaunchFailed],
        .at(1, ProcessLaunchFailed(launch: LaunchID(high: 1, low: 2), executable: "app"), by: .system))
    ],
    staysSilent: [
      RuleExample("the process was started", .at(1, ProcessStarted(executable: "app"))),
      RuleExample(
        "the system reports something else",
        .at(1, ProcessAssertionTimedOut(launch: LaunchID(high: 1, low: 2), executable: "app"), by: .system)),
    ])

  static let watches: Set<EventKind> = [.processLaunchFailed]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let reported = process.verdicts.launchFailed else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(summary: "The system could not launch \(process.executable ?? "the app").", claim: .presence, evidence: reported))
  }
}
