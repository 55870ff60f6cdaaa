import XferEvents
import XferLifecycle
import XferReplay

/// The daemon launched the app, and that life wrote no log.
struct LogUnwritableInBackground: WakeRule {
  private static let handler = HandlerID(3)
  private static let wanted = RuleExample.Step.at(
    100, WakeWanted(session: "com.example.img", handler: handler, wakeCause: .completion, pending: 2), by: .daemon)
  private static let earlier: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")), .at(9, ProcessExited(code: 0, exitReason: .returned)),
  ]
  private static let launched = WakeLaunched(
    session: "com.example.img", handler: handler, launch: ExampleProcess.nextLife.launch, executable: "app",
    wakeCause: .completion)
  private static let later = RuleExample.Step.at(200, LogHeartbeatWritten(), by: .daemon)

  static let description = RuleDescription(
    id: "log-unwritable-in-background", severity: .error,
    summary: "The app was launched in the background, and that life has written nothing.",
    explanation: """
      A log that lies in a directory which is protected while the device is locked cannot be opened in a launch that happens \
      then: exactly the lives that one wants to know about leave no trace. The daemon’s log shows that there was such a life. \
      Other lives of the same program have written, so it is not that its log was left out. The variant says whether the \
      device is known to have been locked.
      """,
    remedy: """
      Put the log into a directory with the weakest protection that may be used: until the first unlock, or none. Keep \
      private values out of it by hashing instead.
      """,
    sources: ["https://github.com/urbanairship/ios-library/issues/229"],
    reports: [
      RuleExample(
        "on a locked device", .probable, variant: "locked", cites: [.protectionEnabled, .wakeLaunched],
        steps: earlier + [.at(90, ProtectionEnabled(), by: .daemon), wanted, .at(101, launched, by: .daemon), later]),
      RuleExample(
        "nobody has said whether it was locked", .probable, variant: "not known to be locked", cites: [.wakeLaunched],
        steps: earlier + [wanted, .at(101, launched, by: .daemon), later]),
      RuleExample(
        "it lived for twenty seconds", .probable, variant: "not known to be locked", cites: [.wakeLaunched],
        steps: earlier + [
          wanted, .at(101, launched, by: .daemon),
          .at(121, ProcessExitObserved(launch: ExampleProcess.nextLife.launch, signal: 11, exitReason: .signal), by: .daemon),
          later,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "it wrote",
        steps: earlier + [
          wanted, .at(101, launched, by: .daemon),
          .at(102, ProcessStarted(startReason: .transfer, executable: "app"), by: .nextLife), later,
        ]),
      RuleExample(
        "it died before it could do anything",
        steps: earlier + [
          wanted, .at(101, launched, by: .daemon),
          .at(102, ProcessExitObserved(launch: ExampleProcess.nextLife.launch, signal: 11, exitReason: .signal), by: .daemon),
          later,
        ]),
      RuleExample("no life of the program has a log here", wanted, .at(101, launched, by: .daemon), later),
      RuleExample(
        "it could not be started",
        steps: earlier + [
          wanted,
          .at(101, WakeLaunched(session: "com.example.img", handler: handler, executable: "app", osError: 2), by: .daemon),
          later,
        ]),
      RuleExample(
        "it has only just been launched",
        steps: earlier + [wanted, .at(101, launched, by: .daemon), .at(105, LogHeartbeatWritten(), by: .daemon)]),
    ])

  static let watches: Set<EventKind> = [.wakeLaunched]

  /// From the launch until the log must have been opened.
  var patience: Duration = .seconds(30)
  /// Who does not live as long may never have come to that.
  var lifetime: Duration = .seconds(5)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long after a launch the app's log must have begun"),
    RuleLimit("lifetime", \Self.lifetime, "how long a life must have lasted to be missed"),
  ]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let launched = wake.launched else { return asked.isEndOfLog ? .silent : nil }
    if wake.launchError != nil || wake.launchedProcess != nil || wake.delivered != nil { return .silent }
    guard let launch = wake.launchedLaunch, let daemon = wake.wantedBy.map({ world.processes[$0] }) else {
      return asked.isEndOfLog ? .silent : nil
    }
    let life = world.processes.first { $0.launch == launch }
    if life?.firstSeen != nil { return .silent }
    if let end = life?.endFact, launched.duration(to: end) ?? .zero < lifetime { return .silent }
    guard asked.covered(since: launched, by: daemon) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: launched)
    }
    let name = wake.launchedProgram
    guard let name, world.processes.contains(where: { $0.executable == name && $0.firstSeen != nil && $0.role == .app }) else {
      return asked.isEndOfLog ? .undecidable(needs: "the log of the process that was launched") : nil
    }
    let lock = wake.protectionAtLaunch.flatMap { $0.isOn ? $0.changed : nil }
    let due = launched.monotonic.map { Moment(monotonic: $0.addingClamped(patience.nanoseconds)) }
    return .finding(
      Draft(
        variant: lock == nil ? "not known to be locked" : "locked",
        summary: """
          \(name) was launched for \(wake.session ?? "a session")\(lock == nil ? "" : " while the device was locked"), and that \
          life has written nothing.
          """,
        claim: .absence(since: launched, shownBy: .coverage), evidence: launched, [lock],
        missing: [.init(.processStarted, dueBy: due)], unless: ["its log was left out of what is read here"]))
  }
}
