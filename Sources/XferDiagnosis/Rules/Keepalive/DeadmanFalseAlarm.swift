import XferEvents
import XferLifecycle
import XferReplay

/// The alarm rang although the app was there.
struct DeadmanFalseAlarm: AlarmRule {
  private static let id = CorrelationID(3)
  private static let armed = DeadmanArmed(deadman: id, name: "still alive", interval: .seconds(600))
  private static let fired = DeadmanFired(deadman: id, count: 1)
  private static let started: [RuleExample.Step] = [.at(0, ProcessStarted(executable: "app"))]

  static let description = RuleDescription(
    id: "deadman-false-alarm", severity: .notice,
    summary: "The dead-man alarm rang although the app was alive.",
    explanation: """
      The timer that looks at the alarm came later than the margin allows. An alarm ten minutes ahead that is looked at every \
      seven, and set anew with less than four left, bears a delay of three minutes and no more. Or an alarm rang that nobody \
      had meant to ring: one that was disarmed, or left over from an earlier version. People who are warned for nothing stop \
      listening. The variant says which.
      """,
    remedy: """
      Set it anew at each sign of life, not only when little is left; look at it several times in its interval. Give it a \
      fixed identifier, so that a new one replaces the old.
      """,
    sources: ["https://github.com/LoopKit/Loop/issues/212", "https://github.com/nightscout/Trio/issues/1296"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the timer came three minutes late", .certain, variant: "too late", cites: [.first(.deadmanArmed), .deadmanFired],
        steps: started + [
          .at(1, armed), .at(500, AppBeatSent(name: "position")), .at(601, fired, by: .daemon),
          .at(602, DeadmanChecked(deadman: id, remaining: .zero)), .at(602, armed),
        ]),
      RuleExample(
        "the app works on, and does not even notice", .certain, variant: "too late", cites: [.deadmanArmed, .deadmanFired],
        steps: started + [.at(1, armed), .at(601, fired, by: .daemon), .at(620, AppBeatSent(name: "position"))]),
      RuleExample(
        "it had been disarmed", .certain, variant: "disarmed", cites: [.deadmanArmed, .deadmanDisarmed, .deadmanFired],
        steps: started + [.at(1, armed), .at(300, DeadmanDisarmed(deadman: id, by: .app)), .at(601, fired, by: .daemon)]),
    ],
    staysSilent: [
      RuleExample(
        "three minutes were left at the second look, and it was set anew",
        steps: started + [
          .at(1, armed), .at(421, DeadmanChecked(deadman: id, remaining: .seconds(180))),
          .at(421, DeadmanDisarmed(deadman: id, by: .app)), .at(421, armed), .at(900, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "the app was suspended, and its timer with it",
        steps: started + [
          .at(1, armed), .at(60, ProcessStateChanged(state: .suspended)), .at(601, fired, by: .daemon),
          .at(640, ProcessStateChanged(state: .resumed)), .at(641, DeadmanChecked(deadman: id, remaining: .zero)),
        ]),
      RuleExample(
        "the app had died, and its next life hears of it",
        steps: started + [
          .at(1, armed), .at(601, fired, by: .daemon),
          .at(900, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
          .at(900, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife),
          .at(901, DeadmanDisarmed(deadman: id, by: .user), by: .nextLife),
        ]),
    ])

  static let watches: Set<EventKind> = [.deadmanFired, .deadmanArmed, .deadmanChecked, .deadmanDisarmed]

  func verdict(on alarm: AlarmLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let fired = alarm.fired, let armed = alarm.armed else { return asked.isEndOfLog ? .silent : nil }
    if let disarmed = alarm.disarmed {
      return .finding(
        Draft(
          variant: "disarmed", summary: "“\(alarm.text)” rang although it had been disarmed.", claim: .presence,
          evidence: armed, [disarmed, fired]))
    }
    switch AlarmState(alarm, fired, armed, world.processes[alarm.process]) {
    case .suspended, .over: return .silent
    case .unknown: return asked.isEndOfLog ? .silent : .wait(.nanoseconds(1), after: fired)
    case .alive:
      let since = armed.duration(to: fired)
      return .finding(
        Draft(
          variant: "too late",
          summary: "“\(alarm.text)” rang\(since.map { ", \($0.inSeconds) after it was armed" } ?? ""), and the app was alive.",
          claim: .presence, evidence: armed, [fired]))
    }
  }
}
