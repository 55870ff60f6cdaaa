import XferEvents
import XferLifecycle
import XferReplay

/// The app crashes at every launch for its transfers.
struct BackgroundLaunchCrashLoop: ProcessRule {
  private static func started(_ reason: StartReason) -> ProcessStarted { ProcessStarted(startReason: reason, executable: "app") }

  private static func exit(_ process: ExampleProcess, _ reason: ExitReason = .signal, signal: Int? = 11) -> ProcessExitObserved {
    ProcessExitObserved(launch: process.launch, signal: signal, exitReason: reason, by: .daemon)
  }

  /// The steps of an example: the app is launched twice, and the first launch crashes; then `steps` follow.
  private static func story(_ first: StartReason = .transfer, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [.at(0, started(first)), .at(1, exit(.app), by: .daemon), .at(60, started(.transfer), by: .nextLife)] + steps
  }

  static let description = RuleDescription(
    id: "background-launch-crash-loop", severity: .error,
    summary: "The app was launched for its transfers twice in a row and crashed both times before it received all their events.",
    explanation: """
      A background launch meets conditions that a foreground launch does not: files that cannot be read while the device is \
      locked, stores that are not open, tasks that the app has no record of. Code that does not expect them crashes at the \
      same event each time. The undelivered events cause the next launch, which crashes again. The daemon launches the app \
      less and less often, so its transfers are effectively lost.
      """,
    remedy: """
      Handle tasks that the app has no record of, open stores lazily, and test a launch on a locked device. Compare the last \
      events that the two processes logged.
      """,
    sources: [
      "https://github.com/gnosis/safe-ios-legacy/issues/361", "https://github.com/Alamofire/Alamofire/issues/2822",
      "https://github.com/AFNetworking/AFNetworking/pull/1792",
    ],
    needsWholeLog: true,
    consequenceOf: ["claim-failed-destination", "callback-thread-blocked", "watchdog-kill", "assertion-expired-kill"],
    reports: [
      RuleExample(
        "two launches in a row crashed", .certain, cites: [.processStarted, .processExitObserved],
        steps: story(.transfer, .at(61, exit(.nextLife), by: .daemon)))
    ],
    staysSilent: [
      RuleExample(
        "only the first launch crashed",
        steps: story(.transfer, .at(70, ProcessExited(code: 0, exitReason: .returned), by: .nextLife))),
      RuleExample("the user started the first process", steps: story(.user, .at(61, exit(.nextLife), by: .daemon))),
      RuleExample(
        "the user quit the app both times",
        .at(0, started(.transfer)), .at(1, exit(.app, .userQuit, signal: nil), by: .daemon),
        .at(60, started(.transfer), by: .nextLife), .at(61, exit(.nextLife, .userQuit, signal: nil), by: .daemon)),
      RuleExample(
        "the next process found both gone, and nothing says that they crashed",
        .at(0, started(.transfer)), .at(60, started(.transfer), by: .nextLife),
        .at(60, exit(.app, .missing, signal: nil), by: .nextLife), .at(90, exit(.nextLife, .missing, signal: nil), by: .daemon)),
      RuleExample(
        "the second process received all its events before it crashed",
        steps: story(
          .transfer, .at(60, SessionCreated(session: "photos", sessionKind: .background), by: .nextLife),
          .at(61, SessionEventsFinished(session: "photos"), by: .nextLife), .at(90, exit(.nextLife), by: .daemon))),
      RuleExample(
        "the app called exit() both times",
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
    // The second crash of a series has been reported already.
    if let first = earlier.earlierLife, Self.crashed(first, in: world) { return .silent }
    // A process that finds another one gone does not know whether it crashed or the system ended it.
    if earlier.endIsUnexplained || process.endIsUnexplained {
      return asked.isEndOfLog ? .undecidable(needs: "the reason why the process ended") : nil
    }
    return .finding(
      Draft(
        summary: "\(process.executable ?? "The app") was launched for its transfers twice in a row and crashed both times.",
        claim: .presence, evidence: started, [earlier.started, earlier.exitObserved, process.exitObserved],
        launches: [earlier.launch].compactMap { $0 }))
  }

  func finalSummary(of finding: Finding, about place: Int, in world: World) -> String? {
    var (count, next) = (2, world.processes[place].nextLife)
    while let life = next, Self.crashed(life, in: world) { (count, next) = (count + 1, world.processes[life].nextLife) }
    guard count > 2 else { return nil }
    let name = world.processes[place].executable ?? "The app"
    return "\(name) was launched for its transfers \(count) times in a row and crashed each time."
  }

  /// Whether a process was launched for transfers and crashed before it received all their events.
  private static func crashed(_ place: Int, in world: World) -> Bool {
    let process = world.processes[place]
    guard process.startReason == .transfer, process.endedAbnormally else { return false }
    switch process.exitReason {
    case .memoryPressure, .rebooted: return false
    default: return !world.sessions.places(ofProcess: place).contains { world.sessions[$0].eventsFinished != nil }
    }
  }
}
