import XferEvents
import XferLifecycle
import XferReplay

/// Reports a periodic send of the app that was not recorded in time.
struct BeatMissed: BeatRule {
  private static let expected = AppBeatExpected(name: "position", interval: .seconds(60), enabled: true)
  private static let sent = AppBeatSent(name: "position")

  private static func exit(_ reason: ExitReason, signal: Int? = nil) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, signal: signal, exitReason: reason, by: .daemon)
  }

  /// The steps of an example: an app announces a beat every 60 seconds and sends the first one; then `rest` follows.
  private static func story(firstAt first: Double = 61, _ rest: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, ProcessStarted(executable: "app")), .at(1, expected), .at(first, sent)] + rest
  }

  static let description = RuleDescription(
    id: "beat-missed", severity: .warning,
    summary: "A periodic message of the app (a beat) was late or missing.",
    explanation: """
      An app that sends positions, readings or heartbeats at an interval may stop, and the receiver cannot see why. The log \
      can show the reason when the app has declared what it sends and how often (app.beatExpected). A beat is reported when it is \
      late by half an interval and by at least five seconds; time in which the app was suspended does not count. The variant says \
      whether a beat came late ("late"), none came although the app ran ("none came"), or the app did not run ("not \
      running"); in the last case the finding cites the end of the process.
      """,
    remedy: """
      Check what should have kept the app alive at the last beat, and how its process ended. When the app stops sending on \
      purpose, record app.beatExpected with enabled = false.
      """,
    sources: ["https://developer.apple.com/documentation/corelocation/handling-location-updates-in-the-background"],
    consequenceOf: ["deadman-fired", "assertion-expired-kill", "crash-mid-transfer"],
    reports: [
      RuleExample(
        "the app runs and sends no more beats", .probable, variant: "none came",
        cites: [.appBeatExpected, .last(.appBeatSent)], steps: story(.at(121, sent), .at(220, LogHeartbeatWritten()))),
      RuleExample(
        "the next beat came after three minutes", .certain, variant: "late", cites: [.appBeatExpected, .appBeatSent],
        steps: story(.at(241, sent))),
      RuleExample(
        "the app was killed and relaunched too late", .certain, variant: "not running",
        cites: [.appBeatExpected, .appBeatSent, .processExitObserved],
        steps: story(
          .at(70, exit(.memoryPressure, signal: 9), by: .daemon),
          .at(900, ProcessStarted(startReason: .significantLocation, executable: "app"), by: .nextLife))),
    ],
    staysSilent: [
      RuleExample(
        "each beat is a few seconds late", steps: story(firstAt: 63, .at(131, sent), .at(200, LogHeartbeatWritten()))),
      RuleExample(
        "the app declared that it stops sending",
        steps: story(
          .at(70, AppBeatExpected(name: "position", interval: .seconds(60), enabled: false)), .at(900, LogHeartbeatWritten()))),
      RuleExample(
        "the app was suspended",
        steps: story(
          .at(70, ProcessStateChanged(state: .suspended)), .at(900, ProcessStateChanged(state: .resumed)), .at(901, sent))),
      RuleExample(
        "the app was killed and relaunched in time",
        steps: story(
          .at(70, exit(.memoryPressure, signal: 9), by: .daemon),
          .at(72, ProcessStarted(startReason: .restart, executable: "app"), by: .nextLife), .at(73, expected, by: .nextLife),
          .at(125, sent, by: .nextLife))),
      RuleExample(
        "the app exited by itself",
        steps: story(
          .at(70, ProcessExited(code: 0, exitReason: .exitCall)),
          .at(900, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife))),
      RuleExample("the log ends before the next beat is due", steps: story()),
    ])

  static let watches: Set<EventKind> = [.appBeatExpected, .appBeatSent, .processStarted]

  func verdict(on beat: BeatLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if let missed = beat.missed {
      return .finding(
        draft(
          beat, "late", "came late", .absence(since: missed.since, shownBy: .end(missed.until)), since: missed.since,
          end: missed.until))
    }
    guard let limit = beat.limit, let last = beat.last else { return asked.isEndOfLog ? .silent : nil }
    let process = world.processes[beat.process]
    guard let end = process.endFact else {
      guard asked.covered(since: last, by: process) >= limit else { return asked.isEndOfLog ? nil : .wait(limit, after: last) }
      return .finding(
        draft(beat, "none came", "did not come", .absence(since: last, shownBy: .coverage), since: last, end: nil))
    }
    // A process that exits by itself has nothing more to send.
    if process.exitObserved == nil { return .silent }
    guard let next = process.nextLife.flatMap({ world.processes[$0].started }) else { return nil }
    guard let pause = Self.wallTime(last, next) ?? last.duration(to: next), pause >= limit else { return .silent }
    return .finding(
      draft(
        beat, "not running", "did not come, because the app was not running", .absence(since: last, shownBy: .end(end)),
        since: last, end: end))
  }

  /// Returns the wall-clock time between two events; only the wall clock continues across a reboot.
  private static func wallTime(_ start: Fact, _ end: Fact) -> Duration? {
    guard let start = start.wall, let end = end.wall else { return nil }
    return .nanoseconds(end.nanoseconds.subtractingClamped(start.nanoseconds))
  }

  private func draft(
    _ beat: BeatLifecycle, _ variant: String, _ fault: String, _ claim: Draft.Claim, since: Fact, end: Fact?
  ) -> Draft {
    let expected = beat.expected ?? since
    return Draft(
      variant: variant, summary: "The beat “\(beat.name)”, due every \((beat.interval ?? .zero).inSeconds), \(fault).",
      claim: claim,
      evidence: expected, [since == expected ? nil : since, end],
      missing: [.init(.appBeatSent, dueBy: beat.limit.map { since.due(within: $0) })])
  }
}
