import XferEvents
import XferLifecycle
import XferReplay

/// The app crashes each time that it is launched for its transfers.
struct BackgroundLaunchCrashLoop: ProcessRule {
  private static func started(_ reason: StartReason) -> ProcessStarted { ProcessStarted(startReason: reason, executable: "app") }

  private static func exit(_ process: ExampleProcess, _ reason: ExitReason = .signal, signal: Int? = 11) -> ProcessExitObserved {
    ProcessExitObserved(launch: process.launch, signal: signal, exitReason: reason, by: .daemon)
  }

  static let description = RuleDescription(
    id: "background-launch-crash-loop", severity: .error,
    summary: "The app was launched for its transfers, and crashed before it had their events, again and again.",
    explanation: """
      A launch in the background meets conditions that no launch in front does: files that cannot be read while the device is \
      locked, stores that are not open, tasks that the app has no record of. Code that takes any of these for granted crashes \
      at the same event each time; the events stay, so the next launch is for the same. The daemon launches more and more \
      rarely, and the transfers are as good as lost.
      """,
    remedy: """
      Expect tasks that nobody knows, open stores only when they are needed, and test a launch with the device locked. Look at \
      what both lives wrote last.
      """,
    sources: [
      "https://github.com/gnosis/safe-ios-legacy/issues/361", "https://github.com/Alamofire/Alamofire/issues/2822",
      "https://github.com/AFNetworking/AFNetworking/pull/1792",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "twice in a row", certainty: .certain,
        .evidence(started(.transfer), at: .zero), .evidence(exit(.app), at: .seconds(1), by: .daemon),
        .evidence(started(.transfer), at: .seconds(60), by: .nextLife),
        .evidence(exit(.nextLife), at: .seconds(61), by: .daemon))
    ],
    staysSilent: [
      RuleExample(
        "once only",
        .event(started(.transfer), at: .zero), .event(exit(.app), at: .seconds(1), by: .daemon),
        .event(started(.transfer), at: .seconds(60), by: .nextLife),
        .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(70), by: .nextLife)),
      RuleExample(
        "the user had opened it",
        .event(started(.user), at: .zero), .event(exit(.app), at: .seconds(1), by: .daemon),
        .event(started(.transfer), at: .seconds(60), by: .nextLife), .event(exit(.nextLife), at: .seconds(61), by: .daemon)),
      RuleExample(
        "the user quit it both times",
        .event(started(.transfer), at: .zero),
        .event(exit(.app, .userQuit, signal: nil), at: .seconds(1), by: .daemon),
        .event(started(.transfer), at: .seconds(60), by: .nextLife),
        .event(exit(.nextLife, .userQuit, signal: nil), at: .seconds(61), by: .daemon)),
      RuleExample(
        "the second had all its events",
        .event(started(.transfer), at: .zero), .event(exit(.app), at: .seconds(1), by: .daemon),
        .event(started(.transfer), at: .seconds(60), by: .nextLife),
        .event(SessionCreated(session: "photos", sessionKind: .background), at: .seconds(60), by: .nextLife),
        .event(SessionEventsFinished(session: "photos"), at: .seconds(61), by: .nextLife),
        .event(exit(.nextLife), at: .seconds(90), by: .daemon)),
      RuleExample(
        "it ended itself by exit() each time",
        .event(started(.transfer), at: .zero), .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(1)),
        .event(started(.transfer), at: .seconds(60), by: .nextLife),
        .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(61), by: .nextLife)),
    ])

  static let watches: Set<EventKind> = [.processExitObserved]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard process.endFact != nil else { return asked.isEndOfLog ? .silent : nil }
    guard let before = process.earlierLife, let place = world.processes[before].nextLife, Self.crashed(place, in: world),
      Self.crashed(before, in: world), let started = process.started
    else { return .silent }
    let earlier = world.processes[before]
    // The second of the row has told it.
    if let first = earlier.earlierLife, Self.crashed(first, in: world) { return .silent }
    return .finding(
      Draft(
        summary: "\(process.executable ?? "The app") was launched for its transfers twice in a row, and crashed both times.",
        claim: .presence, evidence: started, [earlier.started, earlier.exitObserved, process.exitObserved]))
  }

  /// Whether a life was launched for transfers, and crashed before it had all their events.
  private static func crashed(_ place: Int, in world: World) -> Bool {
    let process = world.processes[place]
    guard process.startReason == .transfer, process.endedAbnormally else { return false }
    switch process.exitReason {
    case .memoryPressure, .rebooted: return false
    default: return !world.sessions.places(ofProcess: place).contains { world.sessions[$0].eventsFinished != nil }
    }
  }
}
