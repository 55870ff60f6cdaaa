import XferEvents
import XferLifecycle
import XferReplay

/// Reports a dead-man alarm that fired because the app no longer rearmed it.
struct DeadmanAlarmFired: AlarmRule {
  private static let armed = DeadmanArmed(deadman: CorrelationID(3), name: "still alive", interval: .seconds(600))
  private static let fired = RuleExample.Step.at(601, DeadmanFired(deadman: CorrelationID(3), count: 1), by: .daemon)

  private static func exit(_ reason: ExitReason, signal: Int? = nil) -> RuleExample.Step {
    .at(
      500, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: signal, exitReason: reason, by: .daemon),
      by: .daemon)
  }

  /// The steps of an example: a process arms an alarm; then `rest` follows.
  private static func story(_ rest: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, ProcessStarted(executable: "app")), .at(1, armed)] + rest
  }

  static let description = RuleDescription(
    id: "deadman-fired", severity: .error,
    summary: "The dead-man alarm fired because the app had stopped rearming it.",
    explanation: """
      An app arms a dead-man alarm that fires after an interval, and rearms it for as long as it runs; on a phone the alarm \
      is a local notification, on a server a lease that the daemon holds. When it fires, the app has not rearmed it for the \
      whole interval. The app stopped at some time between the last arming and the alarm. The variant gives the state of the \
      app when the alarm fired: its process had ended ("over"), it was suspended ("suspended"), or its log had stopped without \
      an end of the process ("silent").
      """,
    remedy: """
      Find out what terminated or suspended the app: check how its process ended in the log, and what should have kept it \
      alive (location updates, background assertions, a connection). The alarm shows that the app stopped, not why.
      """,
    sources: ["https://developer.apple.com/documentation/usernotifications"],
    consequenceOf: ["assertion-expired-kill", "crash-mid-transfer"],
    reports: [
      RuleExample(
        "the app had been killed", .certain, variant: "over",
        cites: [.last(.deadmanArmed), .processExitObserved, .deadmanFired],
        steps: story(
          .at(421, armed), exit(.memoryPressure, signal: 9),
          .at(1021, DeadmanFired(deadman: CorrelationID(3), count: 1), by: .daemon))),
      RuleExample(
        "the app was suspended together with its timer", .certain, variant: "suspended",
        cites: [.deadmanArmed, .first(.processStateChanged), .deadmanFired],
        steps: story(
          .at(60, ProcessStateChanged(state: .suspended)), fired, .at(640, ProcessStateChanged(state: .resumed)),
          .at(641, LogHeartbeatWritten()))),
      RuleExample(
        "the app's log stops without an exit", .possible, variant: "silent", cites: [.deadmanArmed, .deadmanFired],
        steps: story(fired)),
    ],
    staysSilent: [
      RuleExample(
        "the app ran the whole time, so the alarm was false",
        steps: story(fired, .at(630, DeadmanChecked(deadman: CorrelationID(3), remaining: .zero)))),
      RuleExample(
        "the alarm was rearmed in time",
        steps: story(
          .at(421, DeadmanChecked(deadman: CorrelationID(3), remaining: .seconds(180))), .at(421, armed), exit(.userQuit))),
      RuleExample(
        "the alarm was disarmed and fired nevertheless",
        steps: story(.at(100, DeadmanDisarmed(deadman: CorrelationID(3), by: .app)), fired)),
      RuleExample("the log begins after the arming", .at(0, ProcessStarted(executable: "app")), fired),
    ])

  static let watches: Set<EventKind> = [.deadmanFired]

  func verdict(on alarm: AlarmLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let fired = alarm.fired, let armed = alarm.armed else { return asked.isEndOfLog ? .silent : nil }
    if alarm.disarmed != nil { return .silent }
    let process = world.processes[alarm.process]
    switch AlarmState(alarm, fired, armed, process) {
    case .alive: return .silent
    case .suspended:
      let since = process.isSuspended ? process.stateChanged : nil
      return .finding(draft(alarm, "suspended", "the app was suspended", .presence, [armed, since, fired]))
    case .over(let end):
      return .finding(draft(alarm, "over", "the app’s process had ended", .presence, [armed, end, fired]))
    case .overUnseen(let end):
      return .finding(
        draft(
          alarm, "over", "the app’s log had stopped, and the end of its process was noticed later",
          .absence(since: armed, shownBy: .coverage), [armed, fired, end], unless: ["the app still ran when the alarm fired"]))
    case .unknown:
      guard asked.isEndOfLog else { return .wait(.nanoseconds(1), after: fired) }
      return .finding(
        draft(
          alarm, "silent", "the app’s log had stopped", .absence(since: armed, shownBy: .endOfLog), [armed, fired],
          unless: ["the app still runs"]))
    }
  }

  private func draft(
    _ alarm: AlarmLifecycle, _ variant: String, _ state: String, _ claim: Draft.Claim, _ evidence: [Fact?], unless: [String] = []
  ) -> Draft {
    let facts = evidence.compactMap(\.self)
    let since = alarm.armed.flatMap { armed in alarm.fired.flatMap { armed.duration(to: $0) } }
    return Draft(
      variant: variant,
      summary: "The alarm “\(alarm.text)” fired\(since.map { " \($0.inSeconds) after it was armed" } ?? ""): \(state).",
      claim: claim, evidence: facts[0], Array(facts.dropFirst()), missing: [.init(.deadmanArmed)], unless: unless)
  }
}

/// The state of an app when its alarm fired.
enum AlarmState {
  case alive
  /// The app was suspended long enough to delay its timer.
  case suspended
  case over(Fact)
  /// The app's log stops before the alarm, and the end of the process was noticed after the alarm.
  case overUnseen(Fact)
  /// The app's log has neither an event after the alarm nor an end of the process.
  case unknown

  /// The shortest suspension that counts as a delay of the timer, as a divisor of the time since the alarm was armed: a tenth of
  /// that time.
  private static let frozenShare = 10

  init(_ alarm: AlarmLifecycle, _ fired: Fact, _ armed: Fact, _ process: ProcessLifecycle) {
    let elapsed = armed.duration(to: fired) ?? .zero
    let frozen = elapsed - process.runningTime(from: armed, to: fired)
    if elapsed > .zero, frozen >= elapsed / Self.frozenShare {
      self = .suspended
    } else if process.isCovered(after: fired) {
      self = .alive
    } else if let over = process.endFact {
      self = fired.isBefore(over) ?? false ? .overUnseen(over) : .over(over)
    } else {
      self = .unknown
    }
  }
}
