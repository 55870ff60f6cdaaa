import XferEvents
import XferLifecycle
import XferReplay

/// The user quit an app that was to be launched again by itself, and it was not.
struct NotResurrectedAfterUserKill: ProcessRule {
  private static let armed = TriggerArmed(trigger: CorrelationID(2), triggerKind: .region, name: "wakeupinbg", radius: 5)
  private static let started: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")),
    .at(0.001, AppCapabilitiesRecorded(capabilities: "location,voip")),
  ]
  private static let announced = ProcessTerminationAnnounced(launch: ExampleProcess.app.launch, by: .user)
  private static let quit = ProcessExitObserved(
    launch: ExampleProcess.app.launch, code: 0, exitReason: .userQuit, by: .daemon)

  private static func next(_ reason: StartReason) -> ProcessStarted { ProcessStarted(startReason: reason, executable: "app") }

  static let description = RuleDescription(
    id: "not-resurrected-after-user-kill", severity: .warning,
    summary: "The user quit the app, and nothing launched it again until the user did.",
    explanation: """
      Some apps try to outlive a user who quits them: when they are told of it (applicationWillTerminate) they arm a region \
      around the device, whose border the next steps cross. An app that is suspended is not told: it is simply gone, with \
      nothing armed. And an armed trigger need not help; significant changes take their time, VoIP does not launch what \
      its user has quit, and recent systems are reported to launch it for nothing at all. The variant says whether \
      something was armed.
      """,
    remedy: """
      Do not rely on being launched again. Arm what is to launch the app while it works, not when it is told that it ends, \
      and tell the user what stops when it is quit.
      """,
    sources: ["https://developer.apple.com/forums/thread/826964"],
    reports: [
      RuleExample(
        "a region was armed, and the user opened it an hour later", .probable, variant: "armed in vain",
        cites: [.last(.processStarted), .triggerArmed, .processExitObserved],
        steps: started + [
          .at(50, announced), .at(50, armed), .at(51, quit, by: .daemon), .at(3600, next(.user), by: .nextLife),
        ]),
      RuleExample(
        "it was suspended when it was quit, and could not arm one", .certain, variant: "never armed",
        cites: [.last(.processStarted), .processStateChanged, .processExitObserved],
        steps: started + [
          .at(50, ProcessStateChanged(state: .suspended)), .at(500, quit, by: .daemon), .at(3600, next(.user), by: .nextLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "leaving the region launched it",
        steps: started + [
          .at(50, announced), .at(50, armed), .at(51, quit, by: .daemon), .at(900, next(.region), by: .nextLife),
        ]),
      RuleExample(
        "the user opened it again within minutes",
        steps: started + [.at(50, announced), .at(50, armed), .at(51, quit, by: .daemon), .at(120, next(.user), by: .nextLife)]),
      RuleExample(
        "nothing was armed, and nothing was to be",
        .at(0, ProcessStarted(startReason: .user, executable: "app")), .at(50, ProcessStateChanged(state: .suspended)),
        .at(500, quit, by: .daemon), .at(3600, next(.user), by: .nextLife)),
      RuleExample(
        "told of its end, it chose to arm nothing",
        steps: started + [.at(50, announced), .at(51, quit, by: .daemon), .at(3600, next(.user), by: .nextLife)]),
      RuleExample(
        "its own code had ended it",
        steps: started + [
          .at(50, armed), .at(51, ProcessExited(code: 0, exitReason: .exitCall)), .at(3600, next(.user), by: .nextLife),
        ]),
      RuleExample("nobody has opened it so far", steps: started + [.at(50, armed), .at(51, quit, by: .daemon)]),
    ])

  static let watches: Set<EventKind> = [.processStarted, .processExitObserved]

  /// So soon nobody has left a region.
  var patience: Duration = .seconds(600)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app must have been away for a trigger to be missed")]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard process.exited == nil, let exit = process.exitObserved else { return asked.isEndOfLog ? .silent : nil }
    // Who found it dead does not know how; who watched it may still say.
    guard process.wasQuitByUser else { return process.exitReason == .missing && !asked.isEndOfLog ? nil : .silent }
    guard let place = process.nextLife, let next = world.processes[place].started else { return asked.isEndOfLog ? .silent : nil }
    guard world.processes[place].startReason == .user, exit.duration(to: next) ?? .zero >= patience else { return .silent }
    let name = process.executable ?? "The app"
    let own = world.processes[place].earlierLife
    if let trigger = world.triggers.last(where: { $0.process == own && $0.fired == nil && $0.armed != nil }) {
      return .finding(
        Draft(
          variant: "armed in vain",
          summary: "\(name) was quit with a trigger armed (\(trigger.text)), and was launched by nobody but its user.",
          claim: .absence(since: exit, shownBy: .coverage), evidence: exit, [trigger.armed, next],
          missing: [.init(.triggerFired, dueBy: next.moment)],
          unless: ["what the trigger waits for did not happen"]))
    }
    guard process.isSuspended, process.terminationAnnounced == nil, Self.wantsToBeLaunched(process, in: world) else {
      return .silent
    }
    return .finding(
      Draft(
        variant: "never armed",
        summary: "\(name) was suspended when it was quit: it was not told, and nothing was armed to launch it again.",
        claim: .absence(since: process.stateChanged ?? exit, shownBy: .end(exit)), evidence: exit, [process.stateChanged, next],
        missing: [.init(.processTerminationAnnounced, dueBy: exit.moment), .init(.triggerArmed, dueBy: exit.moment)]))
  }

  /// Whether the app means to be launched by something else than its user.
  private static func wantsToBeLaunched(_ process: ProcessLifecycle, in world: World) -> Bool {
    let capabilities = process.capabilities?.split(separator: ",") ?? []
    if capabilities.contains("location") || capabilities.contains("voip") { return true }
    switch process.startReason {
    case .significantLocation, .region: return true
    default: return world.triggers.contains { world.processes[$0.process].executable == process.executable }
    }
  }
}
