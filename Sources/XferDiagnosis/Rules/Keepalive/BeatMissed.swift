import XferEvents
import XferLifecycle
import XferReplay

/// What an app said it would send again and again did not come.
struct BeatMissed: BeatRule {
  private static let expected = AppBeatExpected(name: "position", interval: .seconds(60), enabled: true)
  private static let sent = AppBeatSent(name: "position")
  private static let started: [RuleExample.Step] = [.event(ProcessStarted(executable: "app"), at: .zero)]

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
        "the app runs and sends no more", certainty: .probable, variant: "none came",
        steps: started + [
          .evidence(expected, at: .seconds(1)), .event(sent, at: .seconds(61)), .evidence(sent, at: .seconds(121)),
          .event(LogHeartbeatWritten(), at: .seconds(220)),
        ]),
      RuleExample(
        "the next came after three minutes", certainty: .certain, variant: "late",
        steps: started + [
          .evidence(expected, at: .seconds(1)), .evidence(sent, at: .seconds(61)), .evidence(sent, at: .seconds(241)),
        ]),
      RuleExample(
        "the app was killed, and started again too late", certainty: .certain, variant: "not running",
        steps: started + [
          .evidence(expected, at: .seconds(1)), .evidence(sent, at: .seconds(61)),
          .evidence(exit(.memoryPressure, signal: 9), at: .seconds(70), by: .daemon),
          .event(ProcessStarted(startReason: .significantLocation, executable: "app"), at: .seconds(900), by: .nextLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a little late each time",
        steps: started + [
          .event(expected, at: .seconds(1)), .event(sent, at: .seconds(63)), .event(sent, at: .seconds(131)),
          .event(LogHeartbeatWritten(), at: .seconds(200)),
        ]),
      RuleExample(
        "the app does not want to send any more",
        steps: started + [
          .event(expected, at: .seconds(1)), .event(sent, at: .seconds(61)),
          .event(AppBeatExpected(name: "position", interval: .seconds(60), enabled: false), at: .seconds(70)),
          .event(LogHeartbeatWritten(), at: .seconds(900)),
        ]),
      RuleExample(
        "the app was suspended",
        steps: started + [
          .event(expected, at: .seconds(1)), .event(sent, at: .seconds(61)),
          .event(ProcessStateChanged(state: .suspended), at: .seconds(70)),
          .event(ProcessStateChanged(state: .resumed), at: .seconds(900)), .event(sent, at: .seconds(901)),
        ]),
      RuleExample(
        "killed, and there again in time",
        steps: started + [
          .event(expected, at: .seconds(1)), .event(sent, at: .seconds(61)),
          .event(exit(.memoryPressure, signal: 9), at: .seconds(70), by: .daemon),
          .event(ProcessStarted(startReason: .restart, executable: "app"), at: .seconds(72), by: .nextLife),
          .event(expected, at: .seconds(73), by: .nextLife), .event(sent, at: .seconds(125), by: .nextLife),
        ]),
      RuleExample(
        "it ended of its own accord",
        steps: started + [
          .event(expected, at: .seconds(1)), .event(sent, at: .seconds(61)),
          .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(70)),
          .event(ProcessStarted(startReason: .user, executable: "app"), at: .seconds(900), by: .nextLife),
        ]),
      RuleExample(
        "the log ends before the next is due",
        steps: started + [.event(expected, at: .seconds(1)), .event(sent, at: .seconds(61))]),
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
