package import XferEvents

/// What is known of one life of one process, and how an event changes it. What follows from it is asked of `ProcessLifecycle`.
package struct ProcessFacts: Sendable {
  package typealias Suspension = ProcessLifecycle.Suspension

  package let launch: LaunchID?
  package var boot: BootID?
  package var pid: Int?
  package var role: WriterRole?
  package var executable: String?
  /// What its log keeps, and since when.
  package var levels: LevelHistory
  package var startReason: StartReason?
  /// Whether a debugger keeps the app from being suspended (guard G8).
  package var hasDebugger = false
  package var mainThreadContract = false
  package var isSynthetic = false
  /// Whether it ran in a simulator or under a test.
  package private(set) var isSimulated = false
  package private(set) var version: String?
  /// Whether it was started without a user interface; `nil` when the log does not say.
  package private(set) var startedInBackground: Bool?
  package private(set) var isPrewarmed = false
  /// Names of what the app has declared and may do, joined by commas.
  package var capabilities: String?

  package var started: Fact?
  /// The process said that it ends.
  package var exited: Fact?
  package var exitCode: Int?
  package var exitReason: ExitReason?
  /// Somebody else saw that it was gone.
  package var exitObserved: Fact?
  package var exitSignal: Int?
  package var logClosed: Fact?
  package var state: AppState?
  /// Since when it is in that state.
  package var stateChanged: Fact?
  /// When it last came in front of its user.
  package var cameToFront: Fact?
  /// Stretches of background time that the app has asked for and not given back.
  package var assertions: Set<CorrelationID> = []
  /// It was told that it would be ended.
  package private(set) var terminationAnnounced: Fact?
  /// The first that shows what it was started for, where its start does not say: a wake, a trigger.
  package var launchCause: Fact?
  /// Places of the lives of the same program before and after it; set by the replay.
  package var earlierLife: Int?
  package var nextLife: Int?
  package var link = LinkLife()
  package var daemon: DaemonLife?
  package var work = WorkTrail()
  /// Set by the replay.
  package var silentProgress: SilentProgress?
  package var sessions = SessionTally()
  /// The app's data directory.
  package private(set) var container: RecordedText?
  package var openFiles: OpenFiles?
  package var leftOvers: LeftOverFiles?
  /// Paths that led nowhere, the first few.
  package private(set) var lostPaths: [LostPath] = []
  /// What its log says of itself.
  package var log = LogTroubles()
  package var spans = OpenSpans()
  package var order = OrderTracker()

  /// The first event of this process, by any of its lanes.
  package var firstSeen: Fact?
  /// Monotonic nanoseconds of the last event; how far this process's log covers its life.
  package var coveredUntil = Int64.min
  /// Monotonic spans during which it was suspended, and since when it is.
  private(set) var suspensions: [Range<Int64>] = []
  private(set) var suspendedSince: Int64?
  /// The last time that it was stopped.
  package private(set) var suspension: Suspension?
  /// A secret that it could not read in the background.
  package var secrets: SecretTrail?

  package init(writer: WriterContext) {
    launch = writer.launch
    boot = writer.boot
    pid = writer.pid
    role = writer.role
    executable = writer.executable
    levels = LevelHistory(lowest: writer.lowestLevel)
  }

  package init(launch: LaunchID) {
    self.launch = launch
    levels = LevelHistory(lowest: nil)
  }

  /// Takes over what others said of this life before its own log was read.
  package mutating func takeOver(_ earlier: ProcessFacts) {
    exitObserved = earlier.exitObserved
    exitReason = earlier.exitReason
    exitSignal = earlier.exitSignal
    exitCode = earlier.exitCode
    launchCause = earlier.launchCause
    link = earlier.link
    order = earlier.order
  }

  /// Whoever looks for one file may look for thousands.
  private static let lostPathsLimit = 8

  package mutating func note(_ path: LostPath) {
    if lostPaths.count < Self.lostPathsLimit { lostPaths.append(path) }
  }

  /// Whether nobody sees what it does, as far as the log says.
  package var isUnseen: Bool {
    switch state {
    case .foreground: false
    case .background, .suspending, .suspended: true
    case .resumed, nil: startedInBackground ?? false && cameToFront == nil
    }
  }

  /// The app tells of a secret.
  package mutating func noteSecret(_ event: EventView, _ fact: Fact) {
    guard let name = event.name else { return }
    if fact.kind == .appSecretDeleted {
      if secrets?.name == name { secrets?.noteDeleted(fact) }
    } else if event.secretAnswer == .unavailable {
      if secrets == nil, isUnseen { secrets = SecretTrail(name: name, read: fact) }
    } else if event.secretAnswer == .read, let known = secrets, known.name == name, !known.hasConsequence {
      secrets = nil
    }
  }

  package mutating func apply(_ event: EventView, _ fact: Fact) -> UnexpectedOrder? {
    switch fact.kind {
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
      // Whoever opens the log next says what it can; a daemon that saw the exit itself says more.
      if exitObserved == nil || event.exitReason != .missing {
        exitObserved = fact
        if exited == nil { exitReason = event.exitReason }
        exitSignal = event.signal ?? exitSignal
        exitCode = exitCode ?? event.code
      }
    case .processTerminationAnnounced: terminationAnnounced = fact
    case .logClosed: logClosed = fact
    default: break
    }
    return order.note(fact)
  }
}
