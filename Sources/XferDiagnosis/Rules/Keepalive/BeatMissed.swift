import XferEvents
import XferLifecycle
import XferReplay

/// What an app said it would send again and again did not come.
struct BeatMissed: BeatRule {
  private static let expected = AppBeatExpected(name: "position", interval: .seconds(60), enabled: true)
  private static let sent = AppBeatSent(name: "position")
  private static let started: [RuleExample.Step] = [.at(0, ProcessStarted(executable: "app"))]

  private static func exit(_ reason: ExitReason, signal: Int? = nil) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, signal: signal, exitReason: reason, by: .daemon)
  }

  static let description = RuleDescription(
    id: "beat-missed", severity: .warning,
    summary: "Something that was to be sent at an interval was not sent in time.",
    explanation: """
      Positions, readings, signs of life: whoever waits for them at the other end sees them stop and cannot tell why. The \
      log can, when the app has said what it means to send, and how often. One counts as missing when half an interval more \
      has passed, five seconds at least; time during which the app was suspended does not count. The variant says whether \
      one came late, none came although the app ran, or the app did not run, in which case its end is in the evidence.
      """,
    remedy: """
      Look at what was to keep the app alive when the last was sent, and at how its life ended. An app that no longer wants \
      to send should say so (app.beatExpected with enabled = false).
      """,
    sources: ["https://developer.apple.com/documentation/corelocation/handling-location-updates-in-the-background"],
    consequenceOf: ["deadman-fired", "assertion-expired-kill", "crash-mid-transfer"],
    reports: [
      RuleExample(
        "the app runs and sends no more", .probable, variant: "none came", cites: [.appBeatExpected, .last(.appBeatSent)],
        steps: started + [.at(1, expected), .at(61, sent), .at(121, sent), .at(220, LogHeartbeatWritten())]),
      RuleExample(
        "the next came after three minutes", .certain, variant: "late", cites: [.appBeatExpected, .appBeatSent],
        steps: started + [.at(1, expected), .at(61, sent), .at(241, sent)]),
      RuleExample(
        "the app was killed, and started again too late", .certain, variant: "not running",
        cites: [.appBeatExpected, .appBeatSent, .processExitObserved],
        steps: started + [
          .at(1, expected), .at(61, sent), .at(70, exit(.memoryPressure, signal: 9), by: .daemon),
          .at(900, ProcessStarted(startReason: .significantLocation, executable: "app"), by: .nextLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a little late each time",
        steps: started + [.at(1, expected), .at(63, sent), .at(131, sent), .at(200, LogHeartbeatWritten())]),
      RuleExample(
        "the app does not want to send any more",
        steps: started + [
          .at(1, expected), .at(61, sent), .at(70, AppBeatExpected(name: "position", interval: .seconds(60), enabled: false)),
          .at(900, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the app was suspended",
        steps: started + [
          .at(1, expected), .at(61, sent), .at(70, ProcessStateChanged(state: .suspended)),
          .at(900, ProcessStateChanged(state: .resumed)), .at(901, sent),
        ]),
      RuleExample(
        "killed, and there again in time",
        steps: started + [
          .at(1, expected), .at(61, sent), .at(70, exit(.memoryPressure, signal: 9), by: .daemon),
          .at(72, ProcessStarted(startReason: .restart, executable: "app"), by: .nextLife), .at(73, expected, by: .nextLife),
          .at(125, sent, by: .nextLife),
        ]),
      RuleExample(
        "it ended of its own accord",
        steps: started + [
          .at(1, expected), .at(61, sent), .at(70, ProcessExited(code: 0, exitReason: .exitCall)),
          .at(900, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
        ]),
      RuleExample("the log ends before the next is due", steps: started + [.at(1, expected), .at(61, sent)]),
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
    // Whoever ends in good order has nothing more to send.
    if process.exitObserved == nil { return .silent }
    guard let next = process.nextLife.flatMap({ world.processes[$0].started }) else { return nil }
    guard let pause = Self.wallTime(last, next) ?? last.duration(to: next), pause >= limit else { return .silent }
    return .finding(
      draft(
        beat, "not running", "did not come, because the app was not running", .absence(since: last, shownBy: .end(end)),
        since: last, end: end))
  }

  /// Across a restart of the machine only the wall clock goes on.
  private static func wallTime(_ start: Fact, _ end: Fact) -> Duration? {
    guard let start = start.wall, let end = end.wall else { return nil }
    return .nanoseconds(end.nanoseconds.subtractingClamped(start.nanoseconds))
  }

  private func draft(
    _ beat: BeatLifecycle, _ variant: String, _ what: String, _ claim: Draft.Claim, since: Fact, end: Fact?
  ) -> Draft {
    let expected = beat.expected ?? since
    return Draft(
      variant: variant, summary: "“\(beat.name)”, due every \((beat.interval ?? .zero).inSeconds), \(what).", claim: claim,
      evidence: expected, [since == expected ? nil : since, end],
      missing: [.init(.appBeatSent, dueBy: beat.limit.map { since.due(within: $0) })])
  }
}
