import XferEvents
import XferLifecycle
import XferReplay

/// The user quit an app that relies on being launched by a trigger, and no trigger launched it.
struct NotResurrectedAfterUserKill: ProcessRule {
  private static let armed: RuleExample.Step = .at(
    50, TriggerArmed(trigger: CorrelationID(2), triggerKind: .region, name: "wakeupinbg", radius: 5))
  private static let announced: RuleExample.Step = .at(
    50, ProcessTerminationAnnounced(launch: ExampleProcess.app.launch, by: .user))

  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(0.001, AppCapabilitiesRecorded(capabilities: "location,voip")),
    ] + steps
  }
  /// The exit of a running app that the system told to end.
  private static let ended = RuleExample.Step.at(
    50.9, ProcessExited(launch: ExampleProcess.app.launch, code: 0, exitReason: .exitCall))
  private static func quit(at seconds: Double = 51) -> RuleExample.Step {
    .at(
      seconds, ProcessExitObserved(launch: ExampleProcess.app.launch, code: 0, exitReason: .userQuit, by: .daemon), by: .daemon)
  }
  private static func next(_ reason: StartReason = .user, at seconds: Double = 3600) -> RuleExample.Step {
    .at(seconds, ProcessStarted(startReason: reason, executable: "app"), by: .nextLife)
  }

  static let description = RuleDescription(
    id: "not-resurrected-after-user-kill", severity: .warning,
    summary: "The user quit the app, and no trigger launched it again before the user opened it.",
    explanation: """
      Some apps try to survive being quit: in applicationWillTerminate they arm a region around the device, and crossing its \
      border launches the app. A suspended app does not receive that call and ends with nothing armed. An armed trigger does \
      not guarantee a launch either: significant location changes are slow, VoIP pushes do not launch an app that the user has \
      quit, and recent systems are reported not to launch such an app for any trigger. The variants: "armed in vain" when a \
      trigger was armed but did not launch the app, "never armed" when the app was suspended and could not arm one.
      """,
    remedy: """
      Do not rely on being launched again. Arm triggers while the app is working, not when it is about to terminate, and tell \
      the user what stops when the app is quit.
      """,
    sources: ["https://developer.apple.com/forums/thread/826964"],
    reports: [
      RuleExample(
        "a region was armed, and the user opened the app an hour later", .probable, variant: "armed in vain",
        cites: [.last(.processStarted), .triggerArmed, .processExitObserved],
        steps: story(announced, armed, ended, quit(), next())),
      RuleExample(
        "the app was suspended when it was quit and could not arm a region", .certain, variant: "never armed",
        cites: [.last(.processStarted), .processStateChanged, .processExitObserved],
        steps: story(.at(50, ProcessStateChanged(state: .suspended)), quit(at: 500), next())),
    ],
    staysSilent: [
      RuleExample("leaving the region launched the app", steps: story(announced, armed, ended, quit(), next(.region, at: 900))),
      RuleExample("the user opened the app within minutes", steps: story(announced, armed, ended, quit(), next(at: 120))),
      RuleExample(
        "the app does not use triggers",
        .at(0, ProcessStarted(startReason: .user, executable: "app")), .at(50, ProcessStateChanged(state: .suspended)),
        quit(at: 500), next()),
      RuleExample("the app received the termination call and armed nothing", steps: story(announced, ended, quit(), next())),
      RuleExample(
        "the app called exit()", steps: story(armed, .at(51, ProcessExited(code: 0, exitReason: .exitCall)), next())),
      RuleExample("the user has not opened the app again", steps: story(armed, quit())),
    ])

  static let watches: Set<EventKind> = [.processStarted, .processExitObserved]

  /// The minimum time from the quit to the next launch, long enough for a user to leave a region.
  var patience: Duration = .seconds(600)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the minimum time from the quit to the next launch for a trigger to count as missed")
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let exit = process.exitObserved else { return asked.isEndOfLog ? .silent : nil }
    // A process that found this one dead does not know how it ended; a watching daemon may still log that.
    guard process.wasQuitByUser else { return process.exitReason == .missing && !asked.isEndOfLog ? nil : .silent }
    guard let place = process.nextLife, let next = world.processes[place].started else { return asked.isEndOfLog ? .silent : nil }
    guard world.processes[place].startReason == .user, exit.duration(to: next) ?? .zero >= patience else { return .silent }
    let name = process.executable ?? "The app"
    let own = world.processes[place].earlierLife
    if let trigger = world.triggers.last(where: { $0.process == own && $0.fired == nil && $0.armed != nil && !$0.isGranted }) {
      return .finding(
        Draft(
          variant: "armed in vain",
          summary: "\(name) was quit with a trigger armed (\(trigger.text)), but only its user launched it again.",
          claim: .absence(since: exit, shownBy: .coverage), evidence: exit, [trigger.armed, next],
          missing: [.init(.triggerFired, dueBy: next.moment)],
          unless: ["the trigger's condition did not occur"]))
    }
    guard process.isSuspended, process.terminationAnnounced == nil, Self.wantsToBeLaunched(process, in: world) else {
      return .silent
    }
    return .finding(
      Draft(
        variant: "never armed",
        summary: "\(name) was suspended when it was quit: it received no termination call and armed no trigger.",
        claim: .absence(since: process.stateChanged ?? exit, shownBy: .end(exit)), evidence: exit, [process.stateChanged, next],
        missing: [.init(.processTerminationAnnounced, dueBy: exit.moment), .init(.triggerArmed, dueBy: exit.moment)]))
  }

  /// Whether the app relies on triggers to be launched.
  private static func wantsToBeLaunched(_ process: ProcessLifecycle, in world: World) -> Bool {
    let capabilities = process.capabilities?.split(separator: ",") ?? []
    if capabilities.contains("location") || capabilities.contains("voip") { return true }
    switch process.startReason {
    case .significantLocation, .region: return true
    default:
      return world.triggers.contains {
        !$0.isGranted && world.processes[$0.process].executable == process.executable
      }
    }
  }
}
