import XferEvents
import XferLifecycle
import XferReplay

/// The alarm rang because nobody was there to set it anew.
struct DeadmanAlarmFired: AlarmRule {
  private static let id = CorrelationID(3)
  private static let armed = DeadmanArmed(deadman: id, name: "still alive", interval: .seconds(600))
  private static let fired = DeadmanFired(deadman: id, count: 1)
  private static let started: [RuleExample.Step] = [.at(0, ProcessStarted(executable: "app"))]

  private static func exit(_ reason: ExitReason, signal: Int? = nil) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, signal: signal, exitReason: reason, by: .daemon)
  }

  static let description = RuleDescription(
    id: "deadman-fired", severity: .error,
    summary: "The dead-man alarm rang: what was to keep the app alive had stopped.",
    explanation: """
      An app that wants to be missed sets an alarm ahead and sets it anew as long as it lives; on a phone that is a local \
      notification, on a server a lease that the daemon holds. When it rings, nobody has set it for its whole interval. \
      Where no end of the process is known, it came between the last arming and the ring. The variant says what the app \
      was then: over, suspended, or just silent.
      """,
    remedy: """
      Find what ended or stopped the app, by its end in the log and by what was to keep it alive: location updates, \
      background time, a connection. An alarm says that it happened and not why.
      """,
    sources: ["https://developer.apple.com/documentation/usernotifications"],
    consequenceOf: ["assertion-expired-kill", "crash-mid-transfer"],
    reports: [
      RuleExample(
        "the app had been killed", .certain, variant: "over",
        cites: [.last(.deadmanArmed), .processExitObserved, .deadmanFired],
        steps: started + [
          .at(1, armed), .at(421, armed), .at(500, exit(.memoryPressure, signal: 9), by: .daemon),
          .at(1021, fired, by: .daemon),
        ]),
      RuleExample(
        "it was suspended, and its timer with it", .certain, variant: "suspended",
        cites: [.deadmanArmed, .first(.processStateChanged), .deadmanFired],
        steps: started + [
          .at(1, armed), .at(60, ProcessStateChanged(state: .suspended)), .at(601, fired, by: .daemon),
          .at(640, ProcessStateChanged(state: .resumed)), .at(641, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "its log stops, and nobody says why", .possible, variant: "silent", cites: [.deadmanArmed, .deadmanFired],
        steps: started + [.at(1, armed), .at(601, fired, by: .daemon)]),
    ],
    staysSilent: [
      RuleExample(
        "the app was there all the time, so the alarm was false",
        steps: started + [.at(1, armed), .at(601, fired, by: .daemon), .at(630, DeadmanChecked(deadman: id, remaining: .zero))]),
      RuleExample(
        "it was set anew in time",
        steps: started + [
          .at(1, armed), .at(421, DeadmanChecked(deadman: id, remaining: .seconds(180))), .at(421, armed),
          .at(500, exit(.userQuit), by: .daemon),
        ]),
      RuleExample(
        "it was disarmed, and rang all the same",
        steps: started + [.at(1, armed), .at(100, DeadmanDisarmed(deadman: id, by: .app)), .at(601, fired, by: .daemon)]),
      RuleExample("the log does not reach back to its arming", steps: started + [.at(601, fired, by: .daemon)]),
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
      return .finding(draft(alarm, "over", "the app was over", .presence, [armed, end, fired]))
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
      summary: "“\(alarm.text)” rang\(since.map { ", \($0.inSeconds) after it was armed" } ?? ""): \(state).",
      claim: claim, evidence: facts[0], Array(facts.dropFirst()), missing: [.init(.deadmanArmed)], unless: unless)
  }
}

/// What had become of an app when its alarm rang.
enum AlarmState {
  case alive
  /// For so long that its timer could not keep up.
  case suspended
  case over(Fact)
  /// It has written nothing since.
  case unknown

  /// More of the time than that is no hiccup.
  private static let frozenShare: Int64 = 10

  init(_ alarm: AlarmLifecycle, _ fired: Fact, _ armed: Fact, _ process: ProcessLifecycle) {
    let (start, end) = (armed.monotonic ?? 0, fired.monotonic ?? 0)
    let elapsed = end.subtractingClamped(start)
    let frozen = elapsed.subtractingClamped(process.runningTime(from: start, to: end))
    if elapsed > 0, frozen >= elapsed / Self.frozenShare {
      self = .suspended
    } else if process.coveredUntil > end {
      self = .alive
    } else if let over = process.endFact {
      self = .over(over)
    } else {
      self = .unknown
    }
  }
}
