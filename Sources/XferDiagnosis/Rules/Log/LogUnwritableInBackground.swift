import XferEvents
import XferLifecycle
import XferReplay

/// A launch of the app by the daemon that wrote no log.
struct LogUnwritableInBackground: WakeRule {
  private static let handler = HandlerID(3)
  private static let earlier: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")), .at(9, ProcessExited(code: 0, exitReason: .returned)),
  ]
  private static let wanted = RuleExample.Step.at(
    100, WakeWanted(session: "com.example.img", handler: handler, wakeCause: .completion, pending: 2), by: .daemon)
  private static let launched = RuleExample.Step.at(
    101,
    WakeLaunched(
      session: "com.example.img", handler: handler, launch: ExampleProcess.nextLife.launch, executable: "app",
      wakeCause: .completion), by: .daemon)
  private static func crashed(at time: Double) -> RuleExample.Step {
    .at(time, ProcessExitObserved(launch: ExampleProcess.nextLife.launch, signal: 11, exitReason: .signal), by: .daemon)
  }
  private static let later = RuleExample.Step.at(200, LogHeartbeatWritten(), by: .daemon)

  static let description = RuleDescription(
    id: "log-unwritable-in-background", severity: .error,
    summary: "The app was launched in the background, but the launched process wrote no log.",
    explanation: """
      A log in a directory that is protected while the device is locked cannot be opened by a launch during that time, so \
      precisely the background launches of interest leave no trace. The daemon’s log shows that the launch took place. Other \
      launches of the same program have a log, so the program's log was not simply left out of the files that were read. The \
      variant says whether the device is known to have been locked.
      """,
    remedy: """
      Store the log in a directory with the weakest acceptable protection: until first unlock, or none. Because the log is then \
      protected less, hash private values instead of logging them in plain text.
      """,
    sources: ["https://github.com/urbanairship/ios-library/issues/229"],
    reports: [
      RuleExample(
        "the device was locked", .probable, variant: "locked", cites: [.protectionEnabled, .wakeLaunched],
        steps: earlier + [.at(90, ProtectionEnabled(), by: .daemon), wanted, launched, later]),
      RuleExample(
        "the log does not say whether the device was locked", .probable, variant: "not known to be locked",
        cites: [.wakeLaunched], steps: earlier + [wanted, launched, later]),
      RuleExample(
        "the daemon names the process by its number, and ends it after a minute", .probable, variant: "not known to be locked",
        cites: [.wakeLaunched],
        steps: earlier + [
          wanted,
          .at(
            101,
            WakeLaunched(session: "com.example.img", handler: handler, pid: 812, executable: "/apps/app", wakeCause: .completion),
            by: .daemon),
          .at(131.5, ProcessStateChanged(launch: ExampleProcess.nextLife.launch, state: .suspended), by: .daemon),
          .at(
            161,
            ProcessExitObserved(
              launch: ExampleProcess.nextLife.launch, pid: 812, signal: 9, exitReason: .memoryPressure, executable: "/apps/app"),
            by: .daemon), later,
        ]),
      RuleExample(
        "the app's crash was noticed after twenty seconds", .possible, variant: "not known to be locked",
        cites: [.wakeLaunched, .processExitObserved],
        steps: earlier + [wanted, launched, crashed(at: 121), later]),
    ],
    staysSilent: [
      RuleExample(
        "the launched process wrote a log",
        steps: earlier + [
          wanted, launched, .at(102, ProcessStarted(startReason: .transfer, executable: "app"), by: .nextLife), later,
        ]),
      RuleExample(
        "the app crashed within a second of its launch", steps: earlier + [wanted, launched, crashed(at: 102), later]),
      RuleExample(
        "the daemon knows the app that ended within a second by its process id alone",
        steps: earlier + [
          wanted,
          .at(
            101,
            WakeLaunched(
              session: "com.example.img", handler: handler, launch: ExampleProcess.nextLife.launch, pid: 4711, executable: "app",
              wakeCause: .completion), by: .daemon),
          .at(102, ProcessExitObserved(pid: 4711, code: 2, exitReason: .exitCall), by: .daemon), later,
        ]),
      RuleExample("the files that were read contain no log of the program at all", wanted, launched, later),
      RuleExample(
        "the launch failed",
        steps: earlier + [
          wanted,
          .at(101, WakeLaunched(session: "com.example.img", handler: handler, executable: "app", osError: 2), by: .daemon),
          later,
        ]),
      RuleExample(
        "the app was launched a few seconds ago",
        steps: earlier + [wanted, launched, .at(105, LogHeartbeatWritten(), by: .daemon)]),
    ])

  static let watches: Set<EventKind> = [.wakeLaunched]

  /// The time after a launch within which the app opens its log.
  var patience: Duration = .seconds(30)
  /// The minimum lifetime of a process that is reported; a shorter-lived process may have ended before it could open its log.
  var lifetime: Duration = .seconds(5)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a launched app may take to open its log"),
    RuleLimit("lifetime", \Self.lifetime, "the minimum lifetime of a launched process without a log that is reported"),
  ]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let launched = wake.launched else { return asked.isEndOfLog ? .silent : nil }
    if wake.launchError != nil || wake.launchedProcess != nil || wake.delivered != nil { return .silent }
    guard wake.launchedLaunch != nil || wake.launchedPID != nil, let daemon = wake.wantedBy else {
      return asked.isEndOfLog ? .silent : nil
    }
    let life = Self.process(launchedBy: wake, launched, world.processes[daemon].boot, in: world)
    if life?.firstSeen != nil { return .silent }
    if let longest = life?.livedAtMost(after: launched), longest < lifetime { return .silent }
    // The process may have ended long before another one noticed.
    let isShort = life.map { $0.endFact != nil && $0.livedAtLeast(after: launched) < lifetime } ?? false
    if isShort, !asked.isEndOfLog { return nil }
    guard asked.covered(since: launched, by: world.processes[daemon]) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: launched, on: daemon)
    }
    // A daemon logs the path of the program, and the program its name.
    let name = wake.launchedProgram?.fileName
    guard let name, world.processes.contains(where: { $0.executable == name && $0.firstSeen != nil && $0.role == .app }) else {
      return asked.isEndOfLog ? .undecidable(needs: "the log of the process that was launched") : nil
    }
    let lock = wake.protectionAtLaunch.flatMap { $0.isOn ? $0.changed : nil }
    let due = launched.monotonic.map { Moment(monotonic: $0.addingClamped(patience.nanoseconds)) }
    return .finding(
      Draft(
        variant: lock == nil ? "not known to be locked" : "locked",
        summary: """
          \(name) was launched for \(wake.session ?? "a session")\(lock == nil ? "" : " while the device was locked"), but \
          the launched process wrote no log.
          """,
        claim: .absence(since: launched, shownBy: isShort ? .endOfLog : .coverage), evidence: launched,
        [lock, isShort ? life?.exitObserved : nil], missing: [.init(.processStarted, dueBy: due)],
        unless: ["its log is not among the files that were read"]
          + (isShort ? ["the process ended within \(lifetime.inSeconds), and its end was noticed later"] : [])))
  }

  /// Returns the process that a wake launched; `nil` if the log does not mention the process again.
  private static func process(
    launchedBy wake: WakeLifecycle, _ launched: Fact, _ boot: BootID?, in world: World
  ) -> ProcessLifecycle? {
    if let launch = wake.launchedLaunch { return world.processes.first { $0.launch == launch } }
    // The number may belong to an earlier process, too.
    return world.processes.last { process in
      process.pid == wake.launchedPID && (process.boot == nil || process.boot == boot)
        && process.endFact.map { launched.duration(to: $0) ?? .zero >= .zero } ?? true
    }
  }
}
