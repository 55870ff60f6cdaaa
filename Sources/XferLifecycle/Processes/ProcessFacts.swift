package import XferEvents

/// The facts about one process life, and their changes by events. `ProcessLifecycle` derives further properties.
package struct ProcessFacts: Sendable {
  package typealias Suspension = ProcessLifecycle.Suspension

  package let launch: LaunchID?
  package var boot: BootID?
  package var pid: Int?
  /// The place from which the process can be looked up.
  package var place: WriterContext.Place?
  package var role: WriterRole?
  package var executable: String?
  /// The levels that the process's log kept over time.
  package var levels: LevelHistory
  package var startReason: StartReason?
  /// Whether a debugger prevents the app from being suspended (guard G8 of the diagnosis).
  package var hasDebugger = false
  package var mainThreadContract = false
  package var isSynthetic = false
  /// Whether the process ran in a simulator or under a test.
  package private(set) var isSimulated = false
  package private(set) var version: String?
  /// The name and version of the operating system; `nil` if unknown.
  package private(set) var osVersion: String?
  /// Whether the process was started without a user interface; `nil` if unknown.
  package private(set) var startedInBackground: Bool?
  package private(set) var isPrewarmed = false
  /// The names of the app's declared modes and permissions, joined by commas.
  package var capabilities: String?

  package var started: Fact?
  /// The event in which the process announced its own exit.
  package var exited: Fact?
  package var exitCode: Int?
  package var exitReason: ExitReason?
  /// The event in which another process reported the exit.
  package var exitObserved: Fact?
  package var exitSignal: Int?
  package var logClosed: Fact?
  package var state: AppState?
  /// The last change of the state.
  package var stateChanged: Fact?
  /// The last time that the app came to the foreground.
  package var cameToFront: Fact?
  /// The background assertions that the app has begun and not ended.
  package var assertions: Set<CorrelationID> = []
  /// The event in which the process was told that it would be terminated.
  package private(set) var terminationAnnounced: Fact?
  /// The first event that shows the reason for the launch, if the start itself does not: a wake or a trigger.
  package var launchCause: Fact?
  /// The index of the previous life of the same program; `nil` if the log contains none. Set by the replay.
  package var earlierLife: Int?
  /// The index of the next life of the same program; `nil` if the log contains none. Set by the replay.
  package var nextLife: Int?
  package var link = LinkLife()
  package var daemon: DaemonLife?
  package var work = WorkTrail()
  /// A task whose progress was not reported to the app in the foreground; set by the replay.
  package var silentProgress: SilentProgress?
  package var sessions = SessionTally()
  /// The data directory of the app.
  package private(set) var container: RecordedText?
  package var openFiles: OpenFiles?
  package var leftOvers: LeftOverFiles?
  /// The first few paths that did not exist.
  package private(set) var lostPaths: [LostPath] = []
  /// The problems that the log shows about itself.
  package var log = LogTroubles()
  package var spans = OpenSpans()

  /// The first event of the process, in any of its lanes.
  package var firstSeen: Fact? { didSet { clock = firstSeen?.boot ?? clock } }
  /// The mark of the boot whose clocks the process reads; 0 if its log is missing or names no boot.
  private(set) var clock: UInt32 = 0
  /// The monotonic time of the process's last event, until which the log covers its life, in nanoseconds.
  package var coveredUntil = Int64.min
  /// The system's reports about the process. Only logs of the system contain them.
  @OutOfLine package private(set) var verdicts: SystemVerdicts
  /// The possible events of the process's log if it is a foreign log. Such a log covers no time, because its silence proves nothing.
  package private(set) var coverage: ImportCoverage?
  /// The past suspensions, in monotonic nanoseconds.
  private(set) var suspensions: [Range<Int64>] = []
  /// The start of the current suspension, in monotonic nanoseconds; `nil` while the process is not suspended.
  private(set) var suspendedSince: Int64?
  /// The last suspension.
  package private(set) var suspension: Suspension?
  /// A secret that the process could not read in the background.
  package var secrets: SecretTrail?

  package init(writer: WriterContext) {
    launch = writer.launch
    boot = writer.boot
    pid = writer.pid
    role = writer.role
    executable = writer.executable
    place = writer.place
    levels = LevelHistory(lowest: writer.lowestLevel)
    coverage = writer.coverage
    (version, osVersion) = (writer.version, writer.osVersion)
  }

  package init(launch: LaunchID) {
    self.launch = launch
    levels = LevelHistory(lowest: nil)
  }

  /// Copies the facts that other processes wrote about this life before its own log was read.
  package mutating func takeOver(_ earlier: ProcessFacts) {
    exitObserved = earlier.exitObserved
    exitReason = earlier.exitReason
    exitSignal = earlier.exitSignal
    exitCode = earlier.exitCode
    launchCause = earlier.launchCause
    link = earlier.link
  }

  /// The maximum number of stored paths, because an app may look for thousands of files.
  private static let lostPathsLimit = 8

  package mutating func note(_ path: LostPath) {
    if lostPaths.count < Self.lostPathsLimit { lostPaths.append(path) }
  }

  /// Whether the app is in the background, according to the log.
  package var isUnseen: Bool {
    switch state {
    case .foreground: false
    case .background, .suspending, .suspended: true
    case .resumed, nil: startedInBackground ?? false && cameToFront == nil
    }
  }

  /// Applies an event about a secret.
  package mutating func apply(_ kind: EventModel.Secret, _ event: EventView, _ fact: Fact) {
    guard let name = event.name else { return }
    switch kind {
    case .appSecretDeleted: if secrets?.name == name { secrets?.noteDeleted(fact) }
    case .appSecretRead:
      if event.secretAnswer == .unavailable {
        if secrets == nil, isUnseen { secrets = SecretTrail(name: name, read: fact) }
      } else if event.secretAnswer == .read, let known = secrets, known.name == name, !known.hasConsequence {
        secrets = nil
      }
    }
  }

  /// Notes a file that a foreign log reports as unreadable.
  package mutating func noteUnreadable(_ event: EventView, _ fact: Fact) {
    guard coverage != nil, event.exists ?? false else { return }
    verdicts.sourceUnreadable = verdicts.sourceUnreadable ?? fact
  }

  package mutating func apply(_ kind: EventModel.Process, _ event: EventView, _ fact: Fact) {
    switch kind {
    case .processStarted:
      started = started ?? fact
      pid = event.pid ?? pid
      boot = event.boot ?? boot
      role = event.role ?? role
      executable = event.executable ?? executable
      startReason = event.startReason
      hasDebugger = event.debugger ?? false
      mainThreadContract = event.mainThreadContract ?? false
      isSynthetic = event.synthetic ?? false
      isSimulated = event.simulator ?? false
      version = event.version
      osVersion = event.osVersion ?? osVersion
      container = event.container
      startedInBackground = event.background
      isPrewarmed = event.prewarmed ?? false
    case .processStateChanged:
      state = event.state
      stateChanged = fact
      if state == .foreground { cameToFront = fact }
      spans.note(state, fact)
      switch state {
      case .suspended, .suspending:
        if suspendedSince == nil {
          suspendedSince = fact.monotonic
          suspension = Suspension(began: fact, ended: nil, hadAssertion: !assertions.isEmpty)
        }
      default:
        if suspension?.ended == nil { suspension?.ended = fact }
        if let since = suspendedSince, let now = fact.monotonic, now > since { suspensions.append(since..<now) }
        suspendedSince = nil
      }
    case .processExited:
      exited = fact
      exitCode = event.code
      exitReason = event.exitReason
    case .processExitObserved:
      pid = pid ?? event.pid
      boot = boot ?? event.boot
      executable = executable ?? event.executable
      // Another process that opens the log later reports only that this process is missing. A daemon that saw the exit also knows
      // the reason, so its report replaces the other one.
      if exitObserved == nil || event.exitReason != .missing && event.exitReason != .unknown {
        exitObserved = fact
        // An app that its user quits while it is running is told to end, and exits by itself.
        if exited == nil || event.exitReason == .userQuit { exitReason = event.exitReason }
        exitSignal = event.signal ?? exitSignal
        exitCode = exitCode ?? event.code
      }
    case .processTerminationAnnounced: terminationAnnounced = fact
    case .processAssertionTimedOut: verdicts.assertionTimedOut = verdicts.assertionTimedOut ?? fact
    case .processLaunchFailed:
      executable = executable ?? event.executable
      verdicts.launchFailed = verdicts.launchFailed ?? fact
    case .processWatchdogWithheld:
      executable = executable ?? event.executable
      verdicts.watchdogWithheld = verdicts.watchdogWithheld ?? fact
    }
  }
}
