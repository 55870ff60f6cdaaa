import XferEvents
import XferLifecycle
import XferReplay

/// A request for an app refresh or for processing that the system has not granted.
struct ScheduledWakeNotGranted: ProcessRule {
  private static func armed(
    _ kind: TriggerKind = .appRefresh, at time: Double = 10, by process: ExampleProcess = .app
  ) -> RuleExample.Step {
    .at(time, TriggerArmed(trigger: CorrelationID(2), triggerKind: kind, name: "com.example.refresh"), by: process)
  }
  private static func fired(at time: Double) -> RuleExample.Step {
    .at(
      time, TriggerFired(trigger: CorrelationID(2), triggerKind: .appRefresh, name: "com.example.refresh"), by: .nextLife)
  }
  private static func started(
    _ reason: StartReason = .user, at time: Double, by process: ExampleProcess = .nextLife
  ) -> RuleExample.Step {
    .at(time, ProcessStarted(startReason: reason, executable: "app"), by: process)
  }
  private static let first = started(at: 0, by: .app)
  private static let ended = RuleExample.Step.at(60, ProcessExited(code: 0, exitReason: .returned))
  private static let quit = RuleExample.Step.at(
    60, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .userQuit, by: .daemon), by: .daemon)
  private static let day = 86_400.0

  static let description = RuleDescription(
    id: "scheduled-wake-not-granted", severity: .warning,
    summary: "The app submitted a request for background work, and the system has not run it.",
    explanation: """
      submit(_:) only asks: the system decides whether and when it runs a BGAppRefreshTask or a BGProcessingTask, from the use of \
      the app, the battery, and the user's settings. A request without an error may never run: after the user has quit the app, \
      with background refresh off or in Low Power Mode, for an app that is seldom used, or because the app does not register \
      the handler at each launch or does not submit the next request. An app that uploads only in such a task falls behind, and \
      nothing in its log says why. The variant names the reason as far as the log shows it: the user had quit the app \
      ("app quit"), background refresh was off ("refresh off"), or none ("not granted").
      """,
    remedy: """
      Do not rely on the system's grant: submit transfers to a background session, which runs without the app, when the user starts \
      them. Do the pending work at each launch as well. Check UIApplication.backgroundRefreshStatus, and record each submission and \
      its error; list the pending requests with getPendingTaskRequests(completionHandler:).
      """,
    sources: [
      "https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler", "https://github.com/MattFaz/actuali/pull/177",
      "https://github.com/vrtdev/ios-workmanager/issues/4", "https://github.com/nextcloud/ios/issues/2158",
      "https://github.com/bhaval-patel/BackgroundTask/issues/1",
    ],
    reports: [
      RuleExample(
        "the user opened the app a day later, and the refresh had not run", .probable, variant: "not granted",
        cites: [.triggerArmed, .last(.processStarted)], first, armed(), ended, started(at: day + 100)),
      RuleExample(
        "the user had quit the app", .probable, variant: "app quit",
        cites: [.triggerArmed, .processExitObserved, .last(.processStarted)], first, armed(.processing), quit,
        started(at: day + 100)),
      RuleExample(
        "background refresh was off", .probable, variant: "refresh off",
        cites: [.triggerArmed, .policyChanged, .last(.processStarted)], first, armed(),
        .at(20, PolicyChanged(policy: .backgroundRefresh, enabled: false, by: .user)), ended, started(at: day + 100)),
    ],
    staysSilent: [
      RuleExample(
        "the system ran the refresh", first, armed(), ended, started(.timer, at: 5000), fired(at: 5000),
        started(at: day + 100, by: .laterLife)),
      RuleExample(
        "the app was launched for it, without a record", first, armed(), ended, started(.timer, at: 5000),
        started(at: day + 100, by: .laterLife)),
      RuleExample("the system launched the app for it a day later", first, armed(), ended, started(.timer, at: day + 100)),
      RuleExample("the user opened the app an hour later", first, armed(), ended, started(at: 3600)),
      RuleExample(
        "the request could not be granted before", first,
        .at(
          10,
          TriggerArmed(
            trigger: CorrelationID(2), triggerKind: .appRefresh, name: "com.example.refresh",
            firesAt: WallTime(nanoseconds: 1_780_000_000_000_000_000 + 80_000_000_000_000))), ended, started(at: day + 100)),
      RuleExample("a region was armed, which the user has not left", first, armed(.region), ended, started(at: day + 100)),
      RuleExample("nobody has opened the app since", first, armed(), ended),
      RuleExample(
        "it was reported at the first launch after a day", first, armed(at: 30), .at(40, AppNoted(message: "submitted")), ended,
        started(at: 2000)),
    ])

  static let watches: Set<EventKind> = [.processStarted]

  /// The time for the system to grant a request.
  var patience: Duration = .seconds(86_400)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the system may take to grant a request")]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let started = process.started, let earlier = process.earlierLife else {
      return asked.isEndOfLog ? .silent : nil
    }
    for trigger in world.triggers where trigger.isGranted {
      guard world.processes[trigger.process].executable == process.executable, let armed = trigger.armed,
        let pending = trigger.pending, isOverdue(trigger, pending, at: started), armed.isBefore(started) ?? false,
        !Self.wasLaunched(process, since: pending, in: world)
      else { continue }
      // An earlier launch has reported this request already.
      if let before = world.processes[earlier].started, isOverdue(trigger, pending, at: before) { continue }
      return .finding(draft(trigger, pending, started, process, in: world))
    }
    return .silent
  }

  /// Whether the system has had enough time to grant a request until a launch of the app.
  private func isOverdue(_ trigger: TriggerLifecycle, _ pending: Fact, at started: Fact) -> Bool {
    guard let time = pending.duration(to: started), time >= patience else { return false }
    guard let earliest = trigger.firesAt, let now = started.wall else { return true }
    return Duration.nanoseconds(now.nanoseconds.subtractingClamped(earliest.nanoseconds)) >= patience
  }

  /// Whether the system launched the program for a timer or a request since a fact.
  private static func wasLaunched(_ process: ProcessLifecycle, since pending: Fact, in world: World) -> Bool {
    world.processes.contains { life in
      life.executable == process.executable && life.startReason == .timer
        && life.started.map { pending.isBefore($0) ?? true } ?? false
    }
  }

  private func draft(
    _ trigger: TriggerLifecycle, _ pending: Fact, _ started: Fact, _ process: ProcessLifecycle, in world: World
  ) -> Draft {
    let refresh = world.conditions.policy(.backgroundRefresh)
    let quit = world.processes[trigger.process].wasQuitByUser ? world.processes[trigger.process].exitObserved : nil
    let off = quit == nil && refresh?.isOn == false ? refresh?.changed : nil
    return Draft(
      variant: quit != nil ? "app quit" : off != nil ? "refresh off" : "not granted",
      summary: """
        \(process.executable ?? "The app") submitted a background request (\(trigger.text)), and the system had not run it at the \
        next launch.
        """,
      claim: .absence(since: pending, shownBy: .coverage), evidence: pending, [quit ?? off, started],
      missing: [.init(.triggerFired, dueBy: started.moment)], unless: ["the app cancelled the request"])
  }
}
