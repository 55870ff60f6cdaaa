import XferEvents
import XferLifecycle
import XferReplay

/// Reports a dead-man alarm that fired although the app was running.
struct DeadmanFalseAlarm: AlarmRule {
  private static let armed = DeadmanArmed(deadman: CorrelationID(3), name: "still alive", interval: .seconds(600))
  private static let fired = RuleExample.Step.at(601, DeadmanFired(deadman: CorrelationID(3), count: 1), by: .daemon)

  /// The steps of an example: a process arms an alarm; then `rest` follows.
  private static func story(_ rest: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, ProcessStarted(executable: "app")), .at(1, armed)] + rest
  }

  static let description = RuleDescription(
    id: "deadman-false-alarm", severity: .notice,
    summary: "The dead-man alarm fired although the app was running or had disarmed it.",
    explanation: """
      A dead-man alarm warns the user that the app has stopped: it fires after an interval unless the running app rearms it in \
      time. The variant names the cause of the false alarm. "too late": the app was running but did not rearm the alarm in \
      time. For example, if the interval is ten minutes and the app checks the alarm every seven, a check that is delayed by \
      three minutes comes too late. "disarmed": the app had disarmed the alarm, but an alarm was still pending, for example \
      one from an earlier version of the app. Users who receive false alarms ignore the real ones.
      """,
    remedy: """
      Rearm the alarm at each sign of life, not only when little time remains, and check it several times per interval. Give \
      it a fixed identifier, so that a new alarm replaces the old one.
      """,
    sources: ["https://github.com/LoopKit/Loop/issues/212", "https://github.com/nightscout/Trio/issues/1296"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the timer that rearms the alarm ran after the alarm had fired", .certain, variant: "too late",
        cites: [.first(.deadmanArmed), .deadmanFired],
        steps: story(
          .at(500, AppBeatSent(name: "position")), fired,
          .at(602, DeadmanChecked(deadman: CorrelationID(3), remaining: .zero)), .at(602, armed))),
      RuleExample(
        "the app continues and does not check the alarm", .certain, variant: "too late", cites: [.deadmanArmed, .deadmanFired],
        steps: story(fired, .at(620, AppBeatSent(name: "position")))),
      RuleExample(
        "the alarm had been disarmed", .certain, variant: "disarmed", cites: [.deadmanArmed, .deadmanDisarmed, .deadmanFired],
        steps: story(.at(300, DeadmanDisarmed(deadman: CorrelationID(3), by: .app)), fired)),
    ],
    staysSilent: [
      RuleExample(
        "the alarm was checked and rearmed with three minutes left",
        steps: story(
          .at(421, DeadmanChecked(deadman: CorrelationID(3), remaining: .seconds(180))),
          .at(421, DeadmanDisarmed(deadman: CorrelationID(3), by: .app)), .at(421, armed), .at(900, LogHeartbeatWritten()))),
      RuleExample(
        "the app was suspended together with its timer",
        steps: story(
          .at(60, ProcessStateChanged(state: .suspended)), fired, .at(640, ProcessStateChanged(state: .resumed)),
          .at(641, DeadmanChecked(deadman: CorrelationID(3), remaining: .zero)))),
      RuleExample(
        "the app had terminated, and its next launch records that",
        steps: story(
          fired, .at(900, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
          .at(900, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife),
          .at(901, DeadmanDisarmed(deadman: CorrelationID(3), by: .user), by: .nextLife))),
    ])

  static let watches: Set<EventKind> = [.deadmanFired, .deadmanArmed, .deadmanChecked, .deadmanDisarmed]

  func verdict(on alarm: AlarmLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let fired = alarm.fired, let armed = alarm.armed else { return asked.isEndOfLog ? .silent : nil }
    if let disarmed = alarm.disarmed {
      return .finding(
        Draft(
          variant: "disarmed", summary: "The alarm “\(alarm.text)” fired although it had been disarmed.", claim: .presence,
          evidence: armed, [disarmed, fired]))
    }
    switch AlarmState(alarm, fired, armed, world.processes[alarm.process]) {
    case .suspended, .over, .overUnseen: return .silent
    case .unknown: return asked.isEndOfLog ? .silent : .wait(.nanoseconds(1), after: fired)
    case .alive:
      let since = armed.duration(to: fired)
      return .finding(
        Draft(
          variant: "too late",
          summary: """
            The alarm “\(alarm.text)” fired\(since.map { " \($0.inSeconds) after it was armed" } ?? "") although the app was running.
            """,
          claim: .presence, evidence: armed, [fired]))
    }
  }
}
