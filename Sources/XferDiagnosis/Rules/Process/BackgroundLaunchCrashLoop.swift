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
        "twice in a row", .certain, cites: [.processStarted, .processExitObserved],
        .at(0, started(.transfer)), .at(1, exit(.app), by: .daemon), .at(60, started(.transfer), by: .nextLife),
        .at(61, exit(.nextLife), by: .daemon))
    ],
    staysSilent: [
      RuleExample(
        "once only",
        .at(0, started(.transfer)), .at(1, exit(.app), by: .daemon), .at(60, started(.transfer), by: .nextLife),
        .at(70, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)),
      RuleExample(
        "the user had opened it",
        .at(0, started(.user)), .at(1, exit(.app), by: .daemon), .at(60, started(.transfer), by: .nextLife),
        .at(61, exit(.nextLife), by: .daemon)),
      RuleExample(
        "the user quit it both times",
        .at(0, started(.transfer)), .at(1, exit(.app, .userQuit, signal: nil), by: .daemon),
        .at(60, started(.transfer), by: .nextLife), .at(61, exit(.nextLife, .userQuit, signal: nil), by: .daemon)),
      RuleExample(
        "the second had all its events",
        .at(0, started(.transfer)), .at(1, exit(.app), by: .daemon), .at(60, started(.transfer), by: .nextLife),
        .at(60, SessionCreated(session: "photos", sessionKind: .background), by: .nextLife),
        .at(61, SessionEventsFinished(session: "photos"), by: .nextLife), .at(90, exit(.nextLife), by: .daemon)),
      RuleExample(
        "it ended itself by exit() each time",
        .at(0, started(.transfer)), .at(1, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(60, started(.transfer), by: .nextLife), .at(61, ProcessExited(code: 0, exitReason: .exitCall), by: .nextLife)),
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
