// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

/// The event `log.opened`: “segment {segment} opened, capture {captureMode}, levels {levels}”.
public struct LogOpened: TransferEvent {
  public static var kind: EventKind { .logOpened }

  /// The number of a segment within the log.
  public let segment: Int64?
  /// The writer's previous segment; missing for its first.
  public let previousSegment: Int64?
  /// The form in which private values are stored.
  public let captureMode: CaptureMode?
  /// The lowest level that is written, with exceptions, such as `default` or `default,com.example=debug`.
  public let levels: String?
  /// The version of the program.
  public let version: String?
  /// Whether a generator wrote the event.
  public let synthetic: Bool?

  @inlinable
  public init(
    segment: Int64? = nil,
    previousSegment: Int64? = nil,
    captureMode: CaptureMode? = nil,
    levels: String? = nil,
    version: String? = nil,
    synthetic: Bool? = nil
  ) {
    self.segment = segment
    self.previousSegment = previousSegment
    self.captureMode = captureMode
    self.levels = levels
    self.version = version
    self.synthetic = synthetic
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 26)
    if let segment { encoder.put(segment, at: 0) }
    if let previousSegment { encoder.put(previousSegment, at: 1) }
    if let levels { encoder.put(symbol: levels, at: 2) }
    if let version { encoder.put(symbol: version, at: 3) }
    if let captureMode { encoder.put(captureMode.rawValue, at: 4) }
    if let synthetic { encoder.put(synthetic ? 1 : 0 as UInt8, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.closed`: “closed, {dropped} dropped”.
public struct LogClosed: TransferEvent {
  public static var kind: EventKind { .logClosed }

  /// The number of items that were lost.
  public let dropped: Int64?

  @inlinable
  public init(
    dropped: Int64? = nil
  ) {
    self.dropped = dropped
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    if let dropped { encoder.put(dropped, at: 0) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.rotated`: “rotated from segment {previousSegment} to segment {segment}”.
public struct LogRotated: TransferEvent {
  public static var kind: EventKind { .logRotated }

  /// The number of a segment within the log.
  public let segment: Int64?
  /// The writer's previous segment; missing for its first.
  public let previousSegment: Int64?
  /// The reason, as a short word.
  public let reason: String?

  @inlinable
  public init(
    segment: Int64? = nil,
    previousSegment: Int64? = nil,
    reason: String? = nil
  ) {
    self.segment = segment
    self.previousSegment = previousSegment
    self.reason = reason
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    if let segment { encoder.put(segment, at: 0) }
    if let previousSegment { encoder.put(previousSegment, at: 1) }
    if let reason { encoder.put(symbol: reason, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.dropped`: “{count} events of {family} could not be written: {why}”.
public struct LogDropped: TransferEvent {
  public static var kind: EventKind { .logDropped }

  /// A family of events.
  public let family: String?
  /// The number of items.
  public let count: Int64?
  /// The reason why something was dropped.
  public let why: DropReason?
  /// The errno; missing if unknown.
  public let osError: Int?
  /// Whether lifecycle events are among the lost ones, rather than only progress and messages.
  public let lifecycle: Bool?

  @inlinable
  public init(
    family: String? = nil,
    count: Int64? = nil,
    why: DropReason? = nil,
    osError: Int? = nil,
    lifecycle: Bool? = nil
  ) {
    self.family = family
    self.count = count
    self.why = why
    self.osError = osError
    self.lifecycle = lifecycle
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 18)
    if let count { encoder.put(count, at: 0) }
    if let family { encoder.put(symbol: family, at: 1) }
    if let osError { encoder.put(number: osError, at: 2) }
    if let why { encoder.put(why.rawValue, at: 3) }
    if let lifecycle { encoder.put(lifecycle ? 1 : 0 as UInt8, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.heartbeatWritten`: “heartbeat: {liveTasks} live tasks, {received} received”.
public struct LogHeartbeatWritten: TransferEvent {
  public static var kind: EventKind { .logHeartbeatWritten }

  /// The number of tasks that have not ended.
  public let liveTasks: Int64?
  /// The number of body bytes received.
  public let received: Int64?
  /// The number of entries in the queue.
  public let queueDepth: Int64?
  /// The processor time used.
  public let cpuTime: Duration?

  @inlinable
  public init(
    liveTasks: Int64? = nil,
    received: Int64? = nil,
    queueDepth: Int64? = nil,
    cpuTime: Duration? = nil
  ) {
    self.liveTasks = liveTasks
    self.received = received
    self.queueDepth = queueDepth
    self.cpuTime = cpuTime
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    if let liveTasks { encoder.put(liveTasks, at: 0) }
    if let received { encoder.put(received, at: 1) }
    if let queueDepth { encoder.put(queueDepth, at: 2) }
    if let cpuTime { encoder.put(cpuTime, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.levelsChanged`: “levels are now {levels}”.
public struct LogLevelsChanged: TransferEvent {
  public static var kind: EventKind { .logLevelsChanged }

  /// The lowest level that is written, with exceptions, such as `default` or `default,com.example=debug`.
  public let levels: String?
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    levels: String? = nil,
    by: Actor? = nil
  ) {
    self.levels = levels
    self.by = by
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 5)
    if let levels { encoder.put(symbol: levels, at: 0) }
    if let by { encoder.put(by.rawValue, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.levelsIgnored`: “the levels file could not be read ({reason}), levels remain {levels}”.
public struct LogLevelsIgnored: TransferEvent {
  public static var kind: EventKind { .logLevelsIgnored }

  /// The lowest level that is written, with exceptions, such as `default` or `default,com.example=debug`.
  public let levels: String?
  /// The reason, as a short word.
  public let reason: String?

  @inlinable
  public init(
    levels: String? = nil,
    reason: String? = nil
  ) {
    self.levels = levels
    self.reason = reason
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    if let levels { encoder.put(symbol: levels, at: 0) }
    if let reason { encoder.put(symbol: reason, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `clock.sampled`: “wall {wallClock}, boottime {boottimeClock} ({sampleReason})”.
public struct ClockSampled: TransferEvent {
  public static var kind: EventKind { .clockSampled }

  /// The wall clock.
  public let wallClock: WallTime?
  /// The time since boot, including sleep.
  public let boottimeClock: Duration?
  /// The reason why the clocks were sampled.
  public let sampleReason: SampleReason?

  @inlinable
  public init(
    wallClock: WallTime? = nil,
    boottimeClock: Duration? = nil,
    sampleReason: SampleReason? = nil
  ) {
    self.wallClock = wallClock
    self.boottimeClock = boottimeClock
    self.sampleReason = sampleReason
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 17)
    if let wallClock { encoder.put(wallClock.nanoseconds, at: 0) }
    if let boottimeClock { encoder.put(boottimeClock, at: 1) }
    if let sampleReason { encoder.put(sampleReason.rawValue, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.syncFailed`: “segment {segment} could not be synced to disk (errno {osError})”.
public struct LogSyncFailed: TransferEvent {
  public static var kind: EventKind { .logSyncFailed }

  /// The number of a segment within the log.
  public let segment: Int64?
  /// The errno; missing if unknown.
  public let osError: Int?

  @inlinable
  public init(
    segment: Int64? = nil,
    osError: Int? = nil
  ) {
    self.segment = segment
    self.osError = osError
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let segment { encoder.put(segment, at: 0) }
    if let osError { encoder.put(number: osError, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.segmentsRemoved`: “{count} segments removed, {size}, with events up to {until}: {reason}”.
public struct LogSegmentsRemoved: TransferEvent {
  public static var kind: EventKind { .logSegmentsRemoved }

  /// The number of items.
  public let count: Int64?
  /// The size in bytes.
  public let size: Int64?
  /// The end of the period.
  public let until: WallTime?
  /// The reason, as a short word.
  public let reason: String?
  /// The number of a segment within the log.
  public let segment: Int64?

  @inlinable
  public init(
    count: Int64? = nil,
    size: Int64? = nil,
    until: WallTime? = nil,
    reason: String? = nil,
    segment: Int64? = nil
  ) {
    self.count = count
    self.size = size
    self.until = until
    self.reason = reason
    self.segment = segment
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 36)
    if let count { encoder.put(count, at: 0) }
    if let size { encoder.put(size, at: 1) }
    if let until { encoder.put(until.nanoseconds, at: 2) }
    if let segment { encoder.put(segment, at: 3) }
    if let reason { encoder.put(symbol: reason, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.levelsThinned`: “{count} events below {levels} removed from segment {segment}”.
public struct LogLevelsThinned: TransferEvent {
  public static var kind: EventKind { .logLevelsThinned }

  /// The number of a segment within the log.
  public let segment: Int64?
  /// The number of items.
  public let count: Int64?
  /// The lowest level that is written, with exceptions, such as `default` or `default,com.example=debug`.
  public let levels: String?
  /// The end of the period.
  public let until: WallTime?

  @inlinable
  public init(
    segment: Int64? = nil,
    count: Int64? = nil,
    levels: String? = nil,
    until: WallTime? = nil
  ) {
    self.segment = segment
    self.count = count
    self.levels = levels
    self.until = until
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let segment { encoder.put(segment, at: 0) }
    if let count { encoder.put(count, at: 1) }
    if let until { encoder.put(until.nanoseconds, at: 2) }
    if let levels { encoder.put(symbol: levels, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `process.started`: “{executable} started as {role}, pid {pid}, because of {startReason}”.
public struct ProcessStarted: TransferEvent {
  public static var kind: EventKind { .processStarted }

  /// A process life.
  public let launch: LaunchID?
  /// A run of the machine.
  public let boot: BootID?
  /// The process id.
  public let pid: Int?
  /// The process id of the parent.
  public let parentPid: Int?
  /// The role of the process that writes.
  public let role: WriterRole?
  /// The reason for the start of the process.
  public let startReason: StartReason?
  /// Whether the process was started without a user interface.
  public let background: Bool?
  /// Whether the system started the process before it was needed.
  public let prewarmed: Bool?
  /// Whether a debugger is attached, or the app says so.
  public let debugger: Bool?
  /// Whether the process runs in a simulator or under a test.
  public let simulator: Bool?
  /// Whether callbacks must run on the main thread.
  public let mainThreadContract: Bool?
  /// The file name of the program.
  public let executable: String?
  /// The version of the program.
  public let version: String?
  /// The version of the operating system.
  public let osVersion: String?
  /// The app's data directory.
  public let container: String?
  /// Whether a generator wrote the event.
  public let synthetic: Bool?

  @inlinable
  public init(
    launch: LaunchID? = nil,
    boot: BootID? = nil,
    pid: Int? = nil,
    parentPid: Int? = nil,
    role: WriterRole? = nil,
    startReason: StartReason? = nil,
    background: Bool? = nil,
    prewarmed: Bool? = nil,
    debugger: Bool? = nil,
    simulator: Bool? = nil,
    mainThreadContract: Bool? = nil,
    executable: String? = nil,
    version: String? = nil,
    osVersion: String? = nil,
    container: String? = nil,
    synthetic: Bool? = nil
  ) {
    self.launch = launch
    self.boot = boot
    self.pid = pid
    self.parentPid = parentPid
    self.role = role
    self.startReason = startReason
    self.background = background
    self.prewarmed = prewarmed
    self.debugger = debugger
    self.simulator = simulator
    self.mainThreadContract = mainThreadContract
    self.executable = executable
    self.version = version
    self.osVersion = osVersion
    self.container = container
    self.synthetic = synthetic
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 60)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let boot { encoder.put(high: boot.high, low: boot.low, at: 1) }
    if let pid { encoder.put(number: pid, at: 2) }
    if let parentPid { encoder.put(number: parentPid, at: 3) }
    if let executable { encoder.put(symbol: executable, at: 4) }
    if let version { encoder.put(symbol: version, at: 5) }
    if let osVersion { encoder.put(symbol: osVersion, at: 6) }
    if let role { encoder.put(role.rawValue, at: 7) }
    if let startReason { encoder.put(startReason.rawValue, at: 8) }
    if let background { encoder.put(background ? 1 : 0 as UInt8, at: 9) }
    if let prewarmed { encoder.put(prewarmed ? 1 : 0 as UInt8, at: 10) }
    if let debugger { encoder.put(debugger ? 1 : 0 as UInt8, at: 11) }
    if let simulator { encoder.put(simulator ? 1 : 0 as UInt8, at: 12) }
    if let mainThreadContract { encoder.put(mainThreadContract ? 1 : 0 as UInt8, at: 13) }
    if let synthetic { encoder.put(synthetic ? 1 : 0 as UInt8, at: 14) }
    if let container { encoder.put(text: container, .private, .container, at: 15) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `process.stateChanged`: “now {state}”.
public struct ProcessStateChanged: TransferEvent {
  public static var kind: EventKind { .processStateChanged }

  /// A process life.
  public let launch: LaunchID?
  /// The execution state of the app.
  public let state: AppState?

  @inlinable
  public init(
    launch: LaunchID? = nil,
    state: AppState? = nil
  ) {
    self.launch = launch
    self.state = state
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 17)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let state { encoder.put(state.rawValue, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `process.exited`: “exits with {code} ({exitReason})”.
public struct ProcessExited: TransferEvent {
  public static var kind: EventKind { .processExited }

  /// A process life.
  public let launch: LaunchID?
  /// The exit status.
  public let code: Int?
  /// The way in which the process life ended.
  public let exitReason: ExitReason?
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    launch: LaunchID? = nil,
    code: Int? = nil,
    exitReason: ExitReason? = nil,
    by: Actor? = nil
  ) {
    self.launch = launch
    self.code = code
    self.exitReason = exitReason
    self.by = by
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 22)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let code { encoder.put(number: code, at: 1) }
    if let exitReason { encoder.put(exitReason.rawValue, at: 2) }
    if let by { encoder.put(by.rawValue, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `process.exitObserved`: “process {pid} has ended: {exitReason}”.
public struct ProcessExitObserved: TransferEvent {
  public static var kind: EventKind { .processExitObserved }

  /// A process life.
  public let launch: LaunchID?
  /// A run of the machine.
  public let boot: BootID?
  /// The process id.
  public let pid: Int?
  /// The exit status.
  public let code: Int?
  /// The number of the signal that ended the process.
  public let signal: Int?
  /// The way in which the process life ended.
  public let exitReason: ExitReason?
  /// The party that acted.
  public let by: Actor?
  /// The file name of the program.
  public let executable: String?
  /// The number of a segment within the log.
  public let segment: Int64?

  @inlinable
  public init(
    launch: LaunchID? = nil,
    boot: BootID? = nil,
    pid: Int? = nil,
    code: Int? = nil,
    signal: Int? = nil,
    exitReason: ExitReason? = nil,
    by: Actor? = nil,
    executable: String? = nil,
    segment: Int64? = nil
  ) {
    self.launch = launch
    self.boot = boot
    self.pid = pid
    self.code = code
    self.signal = signal
    self.exitReason = exitReason
    self.by = by
    self.executable = executable
    self.segment = segment
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 58)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let boot { encoder.put(high: boot.high, low: boot.low, at: 1) }
    if let segment { encoder.put(segment, at: 2) }
    if let pid { encoder.put(number: pid, at: 3) }
    if let code { encoder.put(number: code, at: 4) }
    if let signal { encoder.put(number: signal, at: 5) }
    if let executable { encoder.put(symbol: executable, at: 6) }
    if let exitReason { encoder.put(exitReason.rawValue, at: 7) }
    if let by { encoder.put(by.rawValue, at: 8) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `process.terminationAnnounced`: “termination announced to the app”.
public struct ProcessTerminationAnnounced: TransferEvent {
  public static var kind: EventKind { .processTerminationAnnounced }

  /// A process life.
  public let launch: LaunchID?
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    launch: LaunchID? = nil,
    by: Actor? = nil
  ) {
    self.launch = launch
    self.by = by
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 17)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let by { encoder.put(by.rawValue, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `daemon.started`: “daemon generation {generation} started”.
public struct DaemonStarted: TransferEvent {
  public static var kind: EventKind { .daemonStarted }

  /// The number of times that the daemon was started with its database.
  public let generation: Int64?
  /// The version of the program.
  public let version: String?

  @inlinable
  public init(
    generation: Int64? = nil,
    version: String? = nil
  ) {
    self.generation = generation
    self.version = version
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let generation { encoder.put(generation, at: 0) }
    if let version { encoder.put(symbol: version, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `daemon.recovered`: “recovered {count} tasks, {dropped} unreadable”.
public struct DaemonRecovered: TransferEvent {
  public static var kind: EventKind { .daemonRecovered }

  /// The number of times that the daemon was started with its database.
  public let generation: Int64?
  /// The number of items.
  public let count: Int64?
  /// The number of items that were lost.
  public let dropped: Int64?
  /// Tasks, in the order of the list.
  public let tasks: [TaskIdentity]?

  @inlinable
  public init(
    generation: Int64? = nil,
    count: Int64? = nil,
    dropped: Int64? = nil,
    tasks: [TaskIdentity]? = nil
  ) {
    self.generation = generation
    self.count = count
    self.dropped = dropped
    self.tasks = tasks
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 24)
    if let generation { encoder.put(generation, at: 0) }
    if let count { encoder.put(count, at: 1) }
    if let dropped { encoder.put(dropped, at: 2) }
    if let tasks { encoder.put(tasks, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `daemon.exited`: “daemon generation {generation} exited: {reason}”.
public struct DaemonExited: TransferEvent {
  public static var kind: EventKind { .daemonExited }

  /// The number of times that the daemon was started with its database.
  public let generation: Int64?
  /// The reason, as a short word.
  public let reason: String?

  @inlinable
  public init(
    generation: Int64? = nil,
    reason: String? = nil
  ) {
    self.generation = generation
    self.reason = reason
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let generation { encoder.put(generation, at: 0) }
    if let reason { encoder.put(symbol: reason, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `daemon.tasksListed`: “daemon generation {generation} has {count} tasks”.
public struct DaemonTasksListed: TransferEvent {
  public static var kind: EventKind { .daemonTasksListed }

  /// The number of times that the daemon was started with its database.
  public let generation: Int64?
  /// The number of items.
  public let count: Int64?
  /// Tasks, in the order of the list.
  public let tasks: [TaskIdentity]?

  @inlinable
  public init(
    generation: Int64? = nil,
    count: Int64? = nil,
    tasks: [TaskIdentity]? = nil
  ) {
    self.generation = generation
    self.count = count
    self.tasks = tasks
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 16)
    if let generation { encoder.put(generation, at: 0) }
    if let count { encoder.put(count, at: 1) }
    if let tasks { encoder.put(tasks, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `link.connected`: “linked to {peer}”.
public struct LinkConnected: TransferEvent {
  public static var kind: EventKind { .linkConnected }

  /// The process life at the other end of the link.
  public let peer: LaunchID?
  /// The number of times that the daemon was started with its database.
  public let generation: Int64?

  @inlinable
  public init(
    peer: LaunchID? = nil,
    generation: Int64? = nil
  ) {
    self.peer = peer
    self.generation = generation
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 24)
    if let peer { encoder.put(high: peer.high, low: peer.low, at: 0) }
    if let generation { encoder.put(generation, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `link.disconnected`: “disconnected from {peer}: {reason}”.
public struct LinkDisconnected: TransferEvent {
  public static var kind: EventKind { .linkDisconnected }

  /// The process life at the other end of the link.
  public let peer: LaunchID?
  /// The number of times that the daemon was started with its database.
  public let generation: Int64?
  /// The reason, as a short word.
  public let reason: String?

  @inlinable
  public init(
    peer: LaunchID? = nil,
    generation: Int64? = nil,
    reason: String? = nil
  ) {
    self.peer = peer
    self.generation = generation
    self.reason = reason
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let peer { encoder.put(high: peer.high, low: peer.low, at: 0) }
    if let generation { encoder.put(generation, at: 1) }
    if let reason { encoder.put(symbol: reason, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.created`: “{sessionKind} session {session}”.
public struct SessionCreated: TransferEvent {
  public static var kind: EventKind { .sessionCreated }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The kind of the session.
  public let sessionKind: SessionKind?
  /// A delegate object; missing if there is no delegate. delivery.entered has it only where sessions are reused.
  public let delegate: CorrelationID?
  /// The queue or executor on which callbacks run.
  public let queue: String?
  /// The digest of the canonical configuration.
  public let configuration: ValueDigest?
  /// The value of `httpMaximumConnectionsPerHost`.
  public let connectionsPerHost: Int?
  /// The value of `timeoutIntervalForRequest`; missing if unlimited.
  public let requestTimeout: Duration?
  /// The value of `timeoutIntervalForResource`; missing if unlimited.
  public let resourceTimeout: Duration?
  /// The moment at which the request timeout starts.
  public let timeoutOrigin: TimeoutOrigin?
  /// The value of `waitsForConnectivity`.
  public let waitsForConnectivity: Bool?
  /// The requested value of `isDiscretionary`.
  public let discretionary: Bool?
  /// The effective value of `isDiscretionary`.
  public let effectiveDiscretionary: Bool?
  /// The value of `sessionSendsLaunchEvents`.
  public let sendsLaunchEvents: Bool?
  /// The value of `shouldUseExtendedBackgroundIdleMode`.
  public let extendedIdle: Bool?
  /// The value of `allowsCellularAccess`.
  public let allowsCellular: Bool?
  /// The value of `allowsExpensiveNetworkAccess`.
  public let allowsExpensive: Bool?
  /// The value of `allowsConstrainedNetworkAccess`.
  public let allowsConstrained: Bool?
  /// The app's data directory.
  public let container: String?
  /// The number of live session objects in the process.
  public let liveSessions: Int64?
  /// Whether the session has a delegate.
  public let hasDelegate: Bool?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    sessionKind: SessionKind? = nil,
    delegate: CorrelationID? = nil,
    queue: String? = nil,
    configuration: ValueDigest? = nil,
    connectionsPerHost: Int? = nil,
    requestTimeout: Duration? = nil,
    resourceTimeout: Duration? = nil,
    timeoutOrigin: TimeoutOrigin? = nil,
    waitsForConnectivity: Bool? = nil,
    discretionary: Bool? = nil,
    effectiveDiscretionary: Bool? = nil,
    sendsLaunchEvents: Bool? = nil,
    extendedIdle: Bool? = nil,
    allowsCellular: Bool? = nil,
    allowsExpensive: Bool? = nil,
    allowsConstrained: Bool? = nil,
    container: String? = nil,
    liveSessions: Int64? = nil,
    hasDelegate: Bool? = nil
  ) {
    self.session = session
    self.instance = instance
    self.sessionKind = sessionKind
    self.delegate = delegate
    self.queue = queue
    self.configuration = configuration
    self.connectionsPerHost = connectionsPerHost
    self.requestTimeout = requestTimeout
    self.resourceTimeout = resourceTimeout
    self.timeoutOrigin = timeoutOrigin
    self.waitsForConnectivity = waitsForConnectivity
    self.discretionary = discretionary
    self.effectiveDiscretionary = effectiveDiscretionary
    self.sendsLaunchEvents = sendsLaunchEvents
    self.extendedIdle = extendedIdle
    self.allowsCellular = allowsCellular
    self.allowsExpensive = allowsExpensive
    self.allowsConstrained = allowsConstrained
    self.container = container
    self.liveSessions = liveSessions
    self.hasDelegate = hasDelegate
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 71)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let delegate { encoder.put(delegate.rawValue, at: 1) }
    if let configuration { encoder.put(configuration.rawValue, at: 2) }
    if let requestTimeout { encoder.put(requestTimeout, at: 3) }
    if let resourceTimeout { encoder.put(resourceTimeout, at: 4) }
    if let liveSessions { encoder.put(liveSessions, at: 5) }
    encoder.put(symbol: session, at: 6)
    if let queue { encoder.put(symbol: queue, at: 7) }
    if let connectionsPerHost { encoder.put(number: connectionsPerHost, at: 8) }
    if let sessionKind { encoder.put(sessionKind.rawValue, at: 9) }
    if let timeoutOrigin { encoder.put(timeoutOrigin.rawValue, at: 10) }
    if let waitsForConnectivity { encoder.put(waitsForConnectivity ? 1 : 0 as UInt8, at: 11) }
    if let discretionary { encoder.put(discretionary ? 1 : 0 as UInt8, at: 12) }
    if let effectiveDiscretionary { encoder.put(effectiveDiscretionary ? 1 : 0 as UInt8, at: 13) }
    if let sendsLaunchEvents { encoder.put(sendsLaunchEvents ? 1 : 0 as UInt8, at: 14) }
    if let extendedIdle { encoder.put(extendedIdle ? 1 : 0 as UInt8, at: 15) }
    if let allowsCellular { encoder.put(allowsCellular ? 1 : 0 as UInt8, at: 16) }
    if let allowsExpensive { encoder.put(allowsExpensive ? 1 : 0 as UInt8, at: 17) }
    if let allowsConstrained { encoder.put(allowsConstrained ? 1 : 0 as UInt8, at: 18) }
    if let hasDelegate { encoder.put(hasDelegate ? 1 : 0 as UInt8, at: 19) }
    if let container { encoder.put(text: container, .private, .container, at: 20) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.reused`: “existing session {session} reused”.
public struct SessionReused: TransferEvent {
  public static var kind: EventKind { .sessionReused }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// A delegate object; missing if there is no delegate. delivery.entered has it only where sessions are reused.
  public let delegate: CorrelationID?
  /// The delegate that the caller passed.
  public let callerDelegate: CorrelationID?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    delegate: CorrelationID? = nil,
    callerDelegate: CorrelationID? = nil
  ) {
    self.session = session
    self.instance = instance
    self.delegate = delegate
    self.callerDelegate = callerDelegate
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let delegate { encoder.put(delegate.rawValue, at: 1) }
    if let callerDelegate { encoder.put(callerDelegate.rawValue, at: 2) }
    encoder.put(symbol: session, at: 3)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.connectStarted`: “connecting {session} to the daemon”.
public struct SessionConnectStarted: TransferEvent {
  public static var kind: EventKind { .sessionConnectStarted }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil
  ) {
    self.session = session
    self.instance = instance
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.connected`: “{session} connected, {pending} callbacks pending”.
public struct SessionConnected: TransferEvent {
  public static var kind: EventKind { .sessionConnected }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The number of times that the daemon was started with its database.
  public let generation: Int64?
  /// The number of callbacks to be delivered.
  public let pending: Int64?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    generation: Int64? = nil,
    pending: Int64? = nil
  ) {
    self.session = session
    self.instance = instance
    self.generation = generation
    self.pending = pending
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let generation { encoder.put(generation, at: 1) }
    if let pending { encoder.put(pending, at: 2) }
    encoder.put(symbol: session, at: 3)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.connectFailed`: “{session} could not connect: {errorName}”.
public struct SessionConnectFailed: TransferEvent {
  public static var kind: EventKind { .sessionConnectFailed }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The set of numbers to which the error belongs.
  public let domain: ErrorDomain?
  /// The number of the error; missing if there is none.
  public let error: Int?
  /// The short, fixed name of the error.
  public let errorName: String?
  /// A message in words.
  public let message: String?
  /// The process life that holds the refused session.
  public let holder: LaunchID?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    domain: ErrorDomain? = nil,
    error: Int? = nil,
    errorName: String? = nil,
    message: String? = nil,
    holder: LaunchID? = nil
  ) {
    self.session = session
    self.instance = instance
    self.domain = domain
    self.error = error
    self.errorName = errorName
    self.message = message
    self.holder = holder
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 37)
    if let holder { encoder.put(high: holder.high, low: holder.low, at: 0) }
    if let instance { encoder.put(instance.rawValue, at: 1) }
    encoder.put(symbol: session, at: 2)
    if let error { encoder.put(number: error, at: 3) }
    if let errorName { encoder.put(symbol: errorName, at: 4) }
    if let domain { encoder.put(domain.rawValue, at: 5) }
    if let message { encoder.put(text: message, .private, .message, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.invalidationRequested`: “invalidation of {session} requested ({invalidation})”.
public struct SessionInvalidationRequested: TransferEvent {
  public static var kind: EventKind { .sessionInvalidationRequested }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The way in which the session is invalidated.
  public let invalidation: InvalidationMode?
  /// The party that acted.
  public let by: Actor?
  /// The number of tasks that have not ended.
  public let liveTasks: Int64?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    invalidation: InvalidationMode? = nil,
    by: Actor? = nil,
    liveTasks: Int64? = nil
  ) {
    self.session = session
    self.instance = instance
    self.invalidation = invalidation
    self.by = by
    self.liveTasks = liveTasks
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 22)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let liveTasks { encoder.put(liveTasks, at: 1) }
    encoder.put(symbol: session, at: 2)
    if let invalidation { encoder.put(invalidation.rawValue, at: 3) }
    if let by { encoder.put(by.rawValue, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.invalidated`: “{session} was invalidated”.
public struct SessionInvalidated: TransferEvent {
  public static var kind: EventKind { .sessionInvalidated }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The set of numbers to which the error belongs.
  public let domain: ErrorDomain?
  /// The number of the error; missing if there is none.
  public let error: Int?
  /// The short, fixed name of the error.
  public let errorName: String?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    domain: ErrorDomain? = nil,
    error: Int? = nil,
    errorName: String? = nil
  ) {
    self.session = session
    self.instance = instance
    self.domain = domain
    self.error = error
    self.errorName = errorName
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 21)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    if let error { encoder.put(number: error, at: 2) }
    if let errorName { encoder.put(symbol: errorName, at: 3) }
    if let domain { encoder.put(domain.rawValue, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.released`: “{session} was released”.
public struct SessionReleased: TransferEvent {
  public static var kind: EventKind { .sessionReleased }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The number of tasks that have not ended.
  public let liveTasks: Int64?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    liveTasks: Int64? = nil
  ) {
    self.session = session
    self.instance = instance
    self.liveTasks = liveTasks
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let liveTasks { encoder.put(liveTasks, at: 1) }
    encoder.put(symbol: session, at: 2)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.eventsFinished`: “all events of {session} delivered, {liveTasks} tasks still running”.
public struct SessionEventsFinished: TransferEvent {
  public static var kind: EventKind { .sessionEventsFinished }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// The number of tasks that have not ended.
  public let liveTasks: Int64?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    handler: HandlerID? = nil,
    liveTasks: Int64? = nil
  ) {
    self.session = session
    self.instance = instance
    self.handler = handler
    self.liveTasks = liveTasks
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let handler { encoder.put(handler.rawValue, at: 1) }
    if let liveTasks { encoder.put(liveTasks, at: 2) }
    encoder.put(symbol: session, at: 3)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.tasksQueried`: “tasks of {session} queried”.
public struct SessionTasksQueried: TransferEvent {
  public static var kind: EventKind { .sessionTasksQueried }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// Joins a question with its answer.
  public let query: CorrelationID?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    query: CorrelationID? = nil
  ) {
    self.session = session
    self.instance = instance
    self.query = query
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let query { encoder.put(query.rawValue, at: 1) }
    encoder.put(symbol: session, at: 2)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.tasksAnswered`: “{count} tasks of {session}”.
public struct SessionTasksAnswered: TransferEvent {
  public static var kind: EventKind { .sessionTasksAnswered }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// Joins a question with its answer.
  public let query: CorrelationID?
  /// The number of items.
  public let count: Int64?
  /// Tasks, in the order of the list.
  public let tasks: [TaskIdentity]?
  /// Whether the session was connected to the daemon.
  public let connected: Bool?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    query: CorrelationID? = nil,
    count: Int64? = nil,
    tasks: [TaskIdentity]? = nil,
    connected: Bool? = nil
  ) {
    self.session = session
    self.instance = instance
    self.query = query
    self.count = count
    self.tasks = tasks
    self.connected = connected
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 29)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let query { encoder.put(query.rawValue, at: 1) }
    if let count { encoder.put(count, at: 2) }
    encoder.put(symbol: session, at: 3)
    if let connected { encoder.put(connected ? 1 : 0 as UInt8, at: 4) }
    if let tasks { encoder.put(tasks, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.configured`: “{session} configured with {settings}”.
public struct SessionConfigured: TransferEvent {
  public static var kind: EventKind { .sessionConfigured }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The settings that differ from their defaults, as `name=value`. A private value is replaced by `set`.
  public let settings: String?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    settings: String? = nil
  ) {
    self.session = session
    self.instance = instance
    self.settings = settings
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    if let settings { encoder.put(text: settings, .public, .settings, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.settingAdjusted`: “{setting} adjusted from {requested} to {effective}”.
public struct SessionSettingAdjusted: TransferEvent {
  public static var kind: EventKind { .sessionSettingAdjusted }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The name of a setting in the configuration.
  public let setting: String?
  /// The requested value of the setting.
  public let requested: String?
  /// The effective value of the setting.
  public let effective: String?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    setting: String? = nil,
    requested: String? = nil,
    effective: String? = nil
  ) {
    self.session = session
    self.instance = instance
    self.setting = setting
    self.requested = requested
    self.effective = effective
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 24)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    if let setting { encoder.put(symbol: setting, at: 2) }
    if let requested { encoder.put(symbol: requested, at: 3) }
    if let effective { encoder.put(symbol: effective, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.wanted`: “{session} requested a wake of its app, {pending} callbacks pending”.
public struct WakeWanted: TransferEvent {
  public static var kind: EventKind { .wakeWanted }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// The reason why the app is woken.
  public let wakeCause: WakeCause?
  /// The number of callbacks to be delivered.
  public let pending: Int64?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil,
    wakeCause: WakeCause? = nil,
    pending: Int64? = nil
  ) {
    self.session = session
    self.handler = handler
    self.wakeCause = wakeCause
    self.pending = pending
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 21)
    if let handler { encoder.put(handler.rawValue, at: 0) }
    if let pending { encoder.put(pending, at: 1) }
    encoder.put(symbol: session, at: 2)
    if let wakeCause { encoder.put(wakeCause.rawValue, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.held`: “the wake of {session} is held for {delay}: {holdWake}”.
public struct WakeHeld: TransferEvent {
  public static var kind: EventKind { .wakeHeld }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// The reason why the wake is held.
  public let holdWake: HoldWakeReason?
  /// The time to wait.
  public let delay: Duration?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil,
    holdWake: HoldWakeReason? = nil,
    delay: Duration? = nil
  ) {
    self.session = session
    self.handler = handler
    self.holdWake = holdWake
    self.delay = delay
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 21)
    if let handler { encoder.put(handler.rawValue, at: 0) }
    if let delay { encoder.put(delay, at: 1) }
    encoder.put(symbol: session, at: 2)
    if let holdWake { encoder.put(holdWake.rawValue, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.launched`: “{executable} was launched for {session}, pid {pid}”.
public struct WakeLaunched: TransferEvent {
  public static var kind: EventKind { .wakeLaunched }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// A process life.
  public let launch: LaunchID?
  /// The process id.
  public let pid: Int?
  /// The file name of the program.
  public let executable: String?
  /// The reason why the app is woken.
  public let wakeCause: WakeCause?
  /// The errno; missing if unknown.
  public let osError: Int?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil,
    launch: LaunchID? = nil,
    pid: Int? = nil,
    executable: String? = nil,
    wakeCause: WakeCause? = nil,
    osError: Int? = nil
  ) {
    self.session = session
    self.handler = handler
    self.launch = launch
    self.pid = pid
    self.executable = executable
    self.wakeCause = wakeCause
    self.osError = osError
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 41)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let handler { encoder.put(handler.rawValue, at: 1) }
    encoder.put(symbol: session, at: 2)
    if let pid { encoder.put(number: pid, at: 3) }
    if let executable { encoder.put(symbol: executable, at: 4) }
    if let osError { encoder.put(number: osError, at: 5) }
    if let wakeCause { encoder.put(wakeCause.rawValue, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.delivered`: “the wake of {session} reached the app”.
public struct WakeDelivered: TransferEvent {
  public static var kind: EventKind { .wakeDelivered }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil
  ) {
    self.session = session
    self.handler = handler
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let handler { encoder.put(handler.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.handlerStored`: “the completion handler of {session} is stored”.
public struct WakeHandlerStored: TransferEvent {
  public static var kind: EventKind { .wakeHandlerStored }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// The app's name for the variable that stores the object.
  public let slot: String?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil,
    slot: String? = nil
  ) {
    self.session = session
    self.handler = handler
    self.slot = slot
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 16)
    if let handler { encoder.put(handler.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    if let slot { encoder.put(symbol: slot, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.handlerCalled`: “the completion handler of {session} is called”.
public struct WakeHandlerCalled: TransferEvent {
  public static var kind: EventKind { .wakeHandlerCalled }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// Whether the code ran on the main thread.
  public let onMainThread: Bool?
  /// The name of the thread or queue.
  public let threadName: String?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil,
    onMainThread: Bool? = nil,
    threadName: String? = nil
  ) {
    self.session = session
    self.handler = handler
    self.onMainThread = onMainThread
    self.threadName = threadName
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 17)
    if let handler { encoder.put(handler.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    if let threadName { encoder.put(symbol: threadName, at: 2) }
    if let onMainThread { encoder.put(onMainThread ? 1 : 0 as UInt8, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.handlerReleased`: “the completion handler of {session} was released”.
public struct WakeHandlerReleased: TransferEvent {
  public static var kind: EventKind { .wakeHandlerReleased }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// Whether the system reports that the completion handler was never called.
  public let uncalled: Bool?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil,
    uncalled: Bool? = nil
  ) {
    self.session = session
    self.handler = handler
    self.uncalled = uncalled
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 13)
    if let handler { encoder.put(handler.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    if let uncalled { encoder.put(uncalled ? 1 : 0 as UInt8, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.deadlineSet`: “the app has {budget} to handle the events of {session}”.
public struct WakeDeadlineSet: TransferEvent {
  public static var kind: EventKind { .wakeDeadlineSet }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// The running time that the app has.
  public let budget: Duration?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil,
    budget: Duration? = nil
  ) {
    self.session = session
    self.handler = handler
    self.budget = budget
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    if let handler { encoder.put(handler.rawValue, at: 0) }
    if let budget { encoder.put(budget, at: 1) }
    encoder.put(symbol: session, at: 2)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `wake.deadlinePassed`: “the time to handle the events of {session} has expired”.
public struct WakeDeadlinePassed: TransferEvent {
  public static var kind: EventKind { .wakeDeadlinePassed }

  /// A session's identifier.
  public let session: String
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// The running time that the app has.
  public let budget: Duration?

  @inlinable
  public init(
    session: String,
    handler: HandlerID? = nil,
    budget: Duration? = nil
  ) {
    self.session = session
    self.handler = handler
    self.budget = budget
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    if let handler { encoder.put(handler.rawValue, at: 0) }
    if let budget { encoder.put(budget, at: 1) }
    encoder.put(symbol: session, at: 2)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.created`: “{type} {method} {scheme}://{host}{path}”.
public struct TaskCreated: TransferEvent {
  public static var kind: EventKind { .taskCreated }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The type of the task.
  public let type: TaskType?
  /// The state of the app when it created the task.
  public let origin: TaskOrigin?
  /// The way in which the app receives the completion.
  public let completion: CompletionStyle?
  /// The HTTP method.
  public let method: String?
  /// The URL scheme.
  public let scheme: String?
  /// The host name or address.
  public let host: String?
  /// The port; missing if it is the default port of the scheme.
  public let port: Int?
  /// The URL path, percent-encoded as sent.
  public let path: String?
  /// The URL query without signature parameters; missing if there is none.
  public let urlQuery: String?
  /// The digest of the whole URL, to distinguish resources.
  public let resource: ValueDigest?
  /// The value of `taskDescription`.
  public let label: String?
  /// The app's own key for something that it wants done. It must not contain private text; a URL is treated as a private value.
  public let intent: String?
  /// The path at which the file is stored in the end.
  public let destination: String?
  /// The path of the file to upload.
  public let sourceFile: String?
  /// The size of the source file.
  public let sourceSize: Int64?
  /// The modification time of the source file.
  public let sourceModified: WallTime?
  /// The inode of the file.
  public let inode: Int64?
  /// Whether the source file was created for this task alone.
  public let sourceOwned: Bool?
  /// The value of `countOfBytesClientExpectsToSend`.
  public let expectedToSend: Int64?
  /// The value of `countOfBytesClientExpectsToReceive`.
  public let expectedToReceive: Int64?
  /// The value of `timeoutIntervalForRequest`; missing if unlimited.
  public let requestTimeout: Duration?
  /// The value of `timeoutIntervalForResource`; missing if unlimited.
  public let resourceTimeout: Duration?
  /// The requested value of `isDiscretionary`.
  public let discretionary: Bool?
  /// The effective value of `isDiscretionary`.
  public let effectiveDiscretionary: Bool?
  /// The value of `allowsCellularAccess`.
  public let allowsCellular: Bool?
  /// The priority, from 0 to 100.
  public let priority: Int?
  /// The expiry of the request's credential.
  public let credentialExpires: WallTime?
  /// The digest of the resume data.
  public let resumeData: ValueDigest?
  /// The byte of the resource at which the request begins.
  public let offset: Int64?
  /// The completion handler of a wake.
  public let handler: HandlerID?
  /// The number of tasks that have not ended.
  public let liveTasks: Int64?
  /// Whether a generator wrote the event.
  public let synthetic: Bool?
  /// The metadata that the app stores with the task, as a JSON object of strings, sorted by key.
  public let metadata: String?
  /// The digest of the bytes.
  public let content: ValueDigest?
  /// The uid of the earlier task whose partial download the task continues.
  public let continues: String?

  @inlinable
  public init(
    task: TaskIdentity,
    type: TaskType? = nil,
    origin: TaskOrigin? = nil,
    completion: CompletionStyle? = nil,
    method: String? = nil,
    scheme: String? = nil,
    host: String? = nil,
    port: Int? = nil,
    path: String? = nil,
    urlQuery: String? = nil,
    resource: ValueDigest? = nil,
    label: String? = nil,
    intent: String? = nil,
    destination: String? = nil,
    sourceFile: String? = nil,
    sourceSize: Int64? = nil,
    sourceModified: WallTime? = nil,
    inode: Int64? = nil,
    sourceOwned: Bool? = nil,
    expectedToSend: Int64? = nil,
    expectedToReceive: Int64? = nil,
    requestTimeout: Duration? = nil,
    resourceTimeout: Duration? = nil,
    discretionary: Bool? = nil,
    effectiveDiscretionary: Bool? = nil,
    allowsCellular: Bool? = nil,
    priority: Int? = nil,
    credentialExpires: WallTime? = nil,
    resumeData: ValueDigest? = nil,
    offset: Int64? = nil,
    handler: HandlerID? = nil,
    liveTasks: Int64? = nil,
    synthetic: Bool? = nil,
    metadata: String? = nil,
    content: ValueDigest? = nil,
    continues: String? = nil
  ) {
    self.task = task
    self.type = type
    self.origin = origin
    self.completion = completion
    self.method = method
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.urlQuery = urlQuery
    self.resource = resource
    self.label = label
    self.intent = intent
    self.destination = destination
    self.sourceFile = sourceFile
    self.sourceSize = sourceSize
    self.sourceModified = sourceModified
    self.inode = inode
    self.sourceOwned = sourceOwned
    self.expectedToSend = expectedToSend
    self.expectedToReceive = expectedToReceive
    self.requestTimeout = requestTimeout
    self.resourceTimeout = resourceTimeout
    self.discretionary = discretionary
    self.effectiveDiscretionary = effectiveDiscretionary
    self.allowsCellular = allowsCellular
    self.priority = priority
    self.credentialExpires = credentialExpires
    self.resumeData = resumeData
    self.offset = offset
    self.handler = handler
    self.liveTasks = liveTasks
    self.synthetic = synthetic
    self.metadata = metadata
    self.content = content
    self.continues = continues
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 8, fixedSize: 144)
    if let resource { encoder.put(resource.rawValue, at: 0) }
    if let sourceSize { encoder.put(sourceSize, at: 1) }
    if let sourceModified { encoder.put(sourceModified.nanoseconds, at: 2) }
    if let inode { encoder.put(inode, at: 3) }
    if let expectedToSend { encoder.put(expectedToSend, at: 4) }
    if let expectedToReceive { encoder.put(expectedToReceive, at: 5) }
    if let requestTimeout { encoder.put(requestTimeout, at: 6) }
    if let resourceTimeout { encoder.put(resourceTimeout, at: 7) }
    if let credentialExpires { encoder.put(credentialExpires.nanoseconds, at: 8) }
    if let resumeData { encoder.put(resumeData.rawValue, at: 9) }
    if let offset { encoder.put(offset, at: 10) }
    if let handler { encoder.put(handler.rawValue, at: 11) }
    if let liveTasks { encoder.put(liveTasks, at: 12) }
    if let content { encoder.put(content.rawValue, at: 13) }
    encoder.put(task, at: 14)
    if let method { encoder.put(symbol: method, at: 15) }
    if let scheme { encoder.put(symbol: scheme, at: 16) }
    if let host { encoder.put(symbol: host, at: 17) }
    if let port { encoder.put(number: port, at: 18) }
    if let priority { encoder.put(number: priority, at: 19) }
    if let type { encoder.put(type.rawValue, at: 20) }
    if let origin { encoder.put(origin.rawValue, at: 21) }
    if let completion { encoder.put(completion.rawValue, at: 22) }
    if let sourceOwned { encoder.put(sourceOwned ? 1 : 0 as UInt8, at: 23) }
    if let discretionary { encoder.put(discretionary ? 1 : 0 as UInt8, at: 24) }
    if let effectiveDiscretionary { encoder.put(effectiveDiscretionary ? 1 : 0 as UInt8, at: 25) }
    if let allowsCellular { encoder.put(allowsCellular ? 1 : 0 as UInt8, at: 26) }
    if let synthetic { encoder.put(synthetic ? 1 : 0 as UInt8, at: 27) }
    if let path { encoder.put(text: path, .private, .path, at: 28) }
    if let urlQuery { encoder.put(text: urlQuery, .private, .urlQuery, at: 29) }
    if let label { encoder.put(text: label, .private, .label, at: 30) }
    if let intent { encoder.put(text: intent, .public, .intent, at: 31) }
    if let destination { encoder.put(text: destination, .private, .destination, at: 32) }
    if let sourceFile { encoder.put(text: sourceFile, .private, .sourceFile, at: 33) }
    if let metadata { encoder.put(text: metadata, .private, .metadata, at: 34) }
    if let continues { encoder.put(text: continues, .public, .continues, at: 35) }
    encoder.finish(presenceSize: 8)
  }
}

/// The event `task.rejected`: “{session} rejected a task: {rejection}”.
public struct TaskRejected: TransferEvent {
  public static var kind: EventKind { .taskRejected }

  /// A session's identifier.
  public let session: String?
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The type of the task.
  public let type: TaskType?
  /// The reason why the task was not created.
  public let rejection: RejectionReason?
  /// A message in words.
  public let message: String?

  @inlinable
  public init(
    session: String? = nil,
    instance: CorrelationID? = nil,
    type: TaskType? = nil,
    rejection: RejectionReason? = nil,
    message: String? = nil
  ) {
    self.session = session
    self.instance = instance
    self.type = type
    self.rejection = rejection
    self.message = message
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 14)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let session { encoder.put(symbol: session, at: 1) }
    if let type { encoder.put(type.rawValue, at: 2) }
    if let rejection { encoder.put(rejection.rawValue, at: 3) }
    if let message { encoder.put(text: message, .private, .message, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.resumed`: “resumed”.
public struct TaskResumed: TransferEvent {
  public static var kind: EventKind { .taskResumed }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    task: TaskIdentity,
    by: Actor? = nil
  ) {
    self.task = task
    self.by = by
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 5)
    encoder.put(task, at: 0)
    if let by { encoder.put(by.rawValue, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.suspended`: “suspended”.
public struct TaskSuspended: TransferEvent {
  public static var kind: EventKind { .taskSuspended }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    task: TaskIdentity,
    by: Actor? = nil
  ) {
    self.task = task
    self.by = by
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 5)
    encoder.put(task, at: 0)
    if let by { encoder.put(by.rawValue, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.cancelRequested`: “cancellation requested by {by}”.
public struct TaskCancelRequested: TransferEvent {
  public static var kind: EventKind { .taskCancelRequested }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The party that acted.
  public let by: Actor?
  /// The reason for the cancellation.
  public let cancelReason: CancelReason?
  /// The digest of the resume data.
  public let resumeData: ValueDigest?

  @inlinable
  public init(
    task: TaskIdentity,
    by: Actor? = nil,
    cancelReason: CancelReason? = nil,
    resumeData: ValueDigest? = nil
  ) {
    self.task = task
    self.by = by
    self.cancelReason = cancelReason
    self.resumeData = resumeData
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 14)
    if let resumeData { encoder.put(resumeData.rawValue, at: 0) }
    encoder.put(task, at: 1)
    if let by { encoder.put(by.rawValue, at: 2) }
    if let cancelReason { encoder.put(cancelReason.rawValue, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.held`: “waits for {hold} {slotsUsed}/{slots}”.
public struct TaskHeld: TransferEvent {
  public static var kind: EventKind { .taskHeld }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The reason why the task waits.
  public let hold: HoldReason?
  /// The host name or address.
  public let host: String?
  /// The number of connections in use.
  public let slotsUsed: Int?
  /// The number of connections allowed.
  public let slots: Int?
  /// The time to wait.
  public let delay: Duration?
  /// The end of the period.
  public let until: WallTime?

  @inlinable
  public init(
    task: TaskIdentity,
    hold: HoldReason? = nil,
    host: String? = nil,
    slotsUsed: Int? = nil,
    slots: Int? = nil,
    delay: Duration? = nil,
    until: WallTime? = nil
  ) {
    self.task = task
    self.hold = hold
    self.host = host
    self.slotsUsed = slotsUsed
    self.slots = slots
    self.delay = delay
    self.until = until
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 33)
    if let delay { encoder.put(delay, at: 0) }
    if let until { encoder.put(until.nanoseconds, at: 1) }
    encoder.put(task, at: 2)
    if let host { encoder.put(symbol: host, at: 3) }
    if let slotsUsed { encoder.put(number: slotsUsed, at: 4) }
    if let slots { encoder.put(number: slots, at: 5) }
    if let hold { encoder.put(hold.rawValue, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.holdEnded`: “no longer waits for {hold}”.
public struct TaskHoldEnded: TransferEvent {
  public static var kind: EventKind { .taskHoldEnded }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The reason why the task waits.
  public let hold: HoldReason?

  @inlinable
  public init(
    task: TaskIdentity,
    hold: HoldReason? = nil
  ) {
    self.task = task
    self.hold = hold
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 5)
    encoder.put(task, at: 0)
    if let hold { encoder.put(hold.rawValue, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.delayAsked`: “the app was asked whether the task may begin”.
public struct TaskDelayAsked: TransferEvent {
  public static var kind: EventKind { .taskDelayAsked }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// Joins a question with its answer.
  public let query: CorrelationID?

  @inlinable
  public init(
    task: TaskIdentity,
    query: CorrelationID? = nil
  ) {
    self.task = task
    self.query = query
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let query { encoder.put(query.rawValue, at: 0) }
    encoder.put(task, at: 1)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.delayAnswered`: “the app answered whether the task may begin: {reason}”.
public struct TaskDelayAnswered: TransferEvent {
  public static var kind: EventKind { .taskDelayAnswered }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// Joins a question with its answer.
  public let query: CorrelationID?
  /// The reason, as a short word.
  public let reason: String?

  @inlinable
  public init(
    task: TaskIdentity,
    query: CorrelationID? = nil,
    reason: String? = nil
  ) {
    self.task = task
    self.query = query
    self.reason = reason
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 16)
    if let query { encoder.put(query.rawValue, at: 0) }
    encoder.put(task, at: 1)
    if let reason { encoder.put(symbol: reason, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.adopted`: “adopted after a relaunch”.
public struct TaskAdopted: TransferEvent {
  public static var kind: EventKind { .taskAdopted }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// A process life.
  public let launch: LaunchID?
  /// The value of `taskDescription`.
  public let label: String?

  @inlinable
  public init(
    task: TaskIdentity,
    launch: LaunchID? = nil,
    label: String? = nil
  ) {
    self.task = task
    self.launch = launch
    self.label = label
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    encoder.put(task, at: 1)
    if let label { encoder.put(text: label, .private, .label, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.transferred`: “transferred: {received} received, {sent} sent, status {status} {errorName}”.
public struct TaskTransferred: TransferEvent {
  public static var kind: EventKind { .taskTransferred }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of body bytes received.
  public let received: Int64?
  /// The number of body bytes sent.
  public let sent: Int64?
  /// The HTTP status.
  public let status: Int?
  /// The set of numbers to which the error belongs.
  public let domain: ErrorDomain?
  /// The number of the error; missing if there is none.
  public let error: Int?
  /// The short, fixed name of the error.
  public let errorName: String?
  /// The digest of the bytes.
  public let content: ValueDigest?

  @inlinable
  public init(
    task: TaskIdentity,
    received: Int64? = nil,
    sent: Int64? = nil,
    status: Int? = nil,
    domain: ErrorDomain? = nil,
    error: Int? = nil,
    errorName: String? = nil,
    content: ValueDigest? = nil
  ) {
    self.task = task
    self.received = received
    self.sent = sent
    self.status = status
    self.domain = domain
    self.error = error
    self.errorName = errorName
    self.content = content
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 41)
    if let received { encoder.put(received, at: 0) }
    if let sent { encoder.put(sent, at: 1) }
    if let content { encoder.put(content.rawValue, at: 2) }
    encoder.put(task, at: 3)
    if let status { encoder.put(number: status, at: 4) }
    if let error { encoder.put(number: error, at: 5) }
    if let errorName { encoder.put(symbol: errorName, at: 6) }
    if let domain { encoder.put(domain.rawValue, at: 7) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.completed`: “complete: status {status}, {received} received {errorName}”.
public struct TaskCompleted: TransferEvent {
  public static var kind: EventKind { .taskCompleted }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID?
  /// The number of body bytes received.
  public let received: Int64?
  /// The number of body bytes sent.
  public let sent: Int64?
  /// The HTTP status.
  public let status: Int?
  /// The set of numbers to which the error belongs.
  public let domain: ErrorDomain?
  /// The number of the error; missing if there is none.
  public let error: Int?
  /// The short, fixed name of the error.
  public let errorName: String?
  /// A message in words.
  public let message: String?
  /// The errno; missing if unknown.
  public let osError: Int?
  /// The reason for the cancellation.
  public let cancelReason: CancelReason?
  /// The digest of the resume data.
  public let resumeData: ValueDigest?
  /// The reason why the network path could not be used; missing if unknown.
  public let unsatisfied: UnsatisfiedReason?

  @inlinable
  public init(
    task: TaskIdentity,
    delivery: DeliveryID? = nil,
    received: Int64? = nil,
    sent: Int64? = nil,
    status: Int? = nil,
    domain: ErrorDomain? = nil,
    error: Int? = nil,
    errorName: String? = nil,
    message: String? = nil,
    osError: Int? = nil,
    cancelReason: CancelReason? = nil,
    resumeData: ValueDigest? = nil,
    unsatisfied: UnsatisfiedReason? = nil
  ) {
    self.task = task
    self.delivery = delivery
    self.received = received
    self.sent = sent
    self.status = status
    self.domain = domain
    self.error = error
    self.errorName = errorName
    self.message = message
    self.osError = osError
    self.cancelReason = cancelReason
    self.resumeData = resumeData
    self.unsatisfied = unsatisfied
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 55)
    if let delivery { encoder.put(delivery.rawValue, at: 0) }
    if let received { encoder.put(received, at: 1) }
    if let sent { encoder.put(sent, at: 2) }
    if let resumeData { encoder.put(resumeData.rawValue, at: 3) }
    encoder.put(task, at: 4)
    if let status { encoder.put(number: status, at: 5) }
    if let error { encoder.put(number: error, at: 6) }
    if let errorName { encoder.put(symbol: errorName, at: 7) }
    if let osError { encoder.put(number: osError, at: 8) }
    if let domain { encoder.put(domain.rawValue, at: 9) }
    if let cancelReason { encoder.put(cancelReason.rawValue, at: 10) }
    if let unsatisfied { encoder.put(unsatisfied.rawValue, at: 11) }
    if let message { encoder.put(text: message, .private, .message, at: 12) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.acknowledged`: “the app received the completion”.
public struct TaskAcknowledged: TransferEvent {
  public static var kind: EventKind { .taskAcknowledged }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID?

  @inlinable
  public init(
    task: TaskIdentity,
    delivery: DeliveryID? = nil
  ) {
    self.task = task
    self.delivery = delivery
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let delivery { encoder.put(delivery.rawValue, at: 0) }
    encoder.put(task, at: 1)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.forgotten`: “removed from the daemon's list: {forgotten}”.
public struct TaskForgotten: TransferEvent {
  public static var kind: EventKind { .taskForgotten }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The reason why the daemon removed the task from its list.
  public let forgotten: ForgetReason?

  @inlinable
  public init(
    task: TaskIdentity,
    forgotten: ForgetReason? = nil
  ) {
    self.task = task
    self.forgotten = forgotten
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 5)
    encoder.put(task, at: 0)
    if let forgotten { encoder.put(forgotten.rawValue, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.handedOff`: “continued as {successor}”.
public struct TaskHandedOff: TransferEvent {
  public static var kind: EventKind { .taskHandedOff }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The task that continues the work.
  public let successor: TaskIdentity?
  /// The number of body bytes received.
  public let received: Int64?

  @inlinable
  public init(
    task: TaskIdentity,
    successor: TaskIdentity? = nil,
    received: Int64? = nil
  ) {
    self.task = task
    self.successor = successor
    self.received = received
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 16)
    if let received { encoder.put(received, at: 0) }
    encoder.put(task, at: 1)
    if let successor { encoder.put(successor, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.changed`: “task properties changed by {by}”.
public struct TaskChanged: TransferEvent {
  public static var kind: EventKind { .taskChanged }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The value of `taskDescription`.
  public let label: String?
  /// The priority, from 0 to 100.
  public let priority: Int?
  /// The value of `countOfBytesClientExpectsToSend`.
  public let expectedToSend: Int64?
  /// The value of `countOfBytesClientExpectsToReceive`.
  public let expectedToReceive: Int64?
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    task: TaskIdentity,
    label: String? = nil,
    priority: Int? = nil,
    expectedToSend: Int64? = nil,
    expectedToReceive: Int64? = nil,
    by: Actor? = nil
  ) {
    self.task = task
    self.label = label
    self.priority = priority
    self.expectedToSend = expectedToSend
    self.expectedToReceive = expectedToReceive
    self.by = by
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 25)
    if let expectedToSend { encoder.put(expectedToSend, at: 0) }
    if let expectedToReceive { encoder.put(expectedToReceive, at: 1) }
    encoder.put(task, at: 2)
    if let priority { encoder.put(number: priority, at: 3) }
    if let by { encoder.put(by.rawValue, at: 4) }
    if let label { encoder.put(text: label, .private, .label, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.coalesced`: “shares the transfer of {carrier}”.
public struct TaskCoalesced: TransferEvent {
  public static var kind: EventKind { .taskCoalesced }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The task that carries the transfer that others share.
  public let carrier: TaskIdentity?

  @inlinable
  public init(
    task: TaskIdentity,
    carrier: TaskIdentity? = nil
  ) {
    self.task = task
    self.carrier = carrier
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    encoder.put(task, at: 0)
    if let carrier { encoder.put(carrier, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.creationFailed`: “{session} returned neither a task nor an error”.
public struct TaskCreationFailed: TransferEvent {
  public static var kind: EventKind { .taskCreationFailed }

  /// A session's identifier.
  public let session: String?
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The type of the task.
  public let type: TaskType?

  @inlinable
  public init(
    session: String? = nil,
    instance: CorrelationID? = nil,
    type: TaskType? = nil
  ) {
    self.session = session
    self.instance = instance
    self.type = type
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 13)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    if let session { encoder.put(symbol: session, at: 1) }
    if let type { encoder.put(type.rawValue, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.started`: “attempt {attempt} to {host} from byte {offset}”.
public struct AttemptStarted: TransferEvent {
  public static var kind: EventKind { .attemptStarted }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The URL scheme.
  public let scheme: String?
  /// The host name or address.
  public let host: String?
  /// The port; missing if it is the default port of the scheme.
  public let port: Int?
  /// The byte of the resource at which the request begins.
  public let offset: Int64?
  /// The size of the source file.
  public let sourceSize: Int64?
  /// The modification time of the source file.
  public let sourceModified: WallTime?
  /// The digest of the bytes.
  public let content: ValueDigest?
  /// The trace, the attempt's span and the flags, as a value of the header field `traceparent`; missing without a trace.
  public let traceParent: String?
  /// The span in the same trace to which the attempt belongs; missing if there is none.
  public let parentSpan: ValueDigest?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    scheme: String? = nil,
    host: String? = nil,
    port: Int? = nil,
    offset: Int64? = nil,
    sourceSize: Int64? = nil,
    sourceModified: WallTime? = nil,
    content: ValueDigest? = nil,
    traceParent: String? = nil,
    parentSpan: ValueDigest? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.scheme = scheme
    self.host = host
    self.port = port
    self.offset = offset
    self.sourceSize = sourceSize
    self.sourceModified = sourceModified
    self.content = content
    self.traceParent = traceParent
    self.parentSpan = parentSpan
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 60)
    if let offset { encoder.put(offset, at: 0) }
    if let sourceSize { encoder.put(sourceSize, at: 1) }
    if let sourceModified { encoder.put(sourceModified.nanoseconds, at: 2) }
    if let content { encoder.put(content.rawValue, at: 3) }
    if let parentSpan { encoder.put(parentSpan.rawValue, at: 4) }
    encoder.put(task, at: 5)
    encoder.put(number: attempt, at: 6)
    if let scheme { encoder.put(symbol: scheme, at: 7) }
    if let host { encoder.put(symbol: host, at: 8) }
    if let port { encoder.put(number: port, at: 9) }
    if let traceParent { encoder.put(text: traceParent, .public, .traceParent, at: 10) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.connectionAcquired`: “{protocol} connection to {host}, reused {reused}”.
public struct AttemptConnectionAcquired: TransferEvent {
  public static var kind: EventKind { .attemptConnectionAcquired }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The number of the request within the attempt, from 1. A redirect adds one.
  public let transaction: Int?
  /// A connection to a server.
  public let connection: CorrelationID?
  /// Whether the connection had served another request before.
  public let reused: Bool?
  /// The protocol of the connection, such as `http/1.1` or `h2`.
  public let `protocol`: String?
  /// The host name or address.
  public let host: String?
  /// The address of the server.
  public let remoteAddress: String?
  /// The port of the server.
  public let remotePort: Int?
  /// The time from the start of the attempt until libcurl began with it.
  public let queueTime: Duration?
  /// The time for the name lookup, `CURLINFO_NAMELOOKUP_TIME_T`.
  public let nameLookupTime: Duration?
  /// The time from the name lookup to the connection.
  public let connectTime: Duration?
  /// The time from the connection to the end of the TLS handshake.
  public let secureTime: Duration?
  /// The time for which a reused connection had been idle.
  public let idle: Duration?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    transaction: Int? = nil,
    connection: CorrelationID? = nil,
    reused: Bool? = nil,
    protocol: String? = nil,
    host: String? = nil,
    remoteAddress: String? = nil,
    remotePort: Int? = nil,
    queueTime: Duration? = nil,
    nameLookupTime: Duration? = nil,
    connectTime: Duration? = nil,
    secureTime: Duration? = nil,
    idle: Duration? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.transaction = transaction
    self.connection = connection
    self.reused = reused
    self.protocol = `protocol`
    self.host = host
    self.remoteAddress = remoteAddress
    self.remotePort = remotePort
    self.queueTime = queueTime
    self.nameLookupTime = nameLookupTime
    self.connectTime = connectTime
    self.secureTime = secureTime
    self.idle = idle
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 73)
    if let connection { encoder.put(connection.rawValue, at: 0) }
    if let queueTime { encoder.put(queueTime, at: 1) }
    if let nameLookupTime { encoder.put(nameLookupTime, at: 2) }
    if let connectTime { encoder.put(connectTime, at: 3) }
    if let secureTime { encoder.put(secureTime, at: 4) }
    if let idle { encoder.put(idle, at: 5) }
    encoder.put(task, at: 6)
    encoder.put(number: attempt, at: 7)
    if let transaction { encoder.put(number: transaction, at: 8) }
    if let `protocol` { encoder.put(symbol: `protocol`, at: 9) }
    if let host { encoder.put(symbol: host, at: 10) }
    if let remotePort { encoder.put(number: remotePort, at: 11) }
    if let reused { encoder.put(reused ? 1 : 0 as UInt8, at: 12) }
    if let remoteAddress { encoder.put(text: remoteAddress, .private, .remoteAddress, at: 13) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.requestSent`: “{method} sent, {requestBytes}”.
public struct AttemptRequestSent: TransferEvent {
  public static var kind: EventKind { .attemptRequestSent }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The number of the request within the attempt, from 1. A redirect adds one.
  public let transaction: Int?
  /// The HTTP method.
  public let method: String?
  /// The size of the request's header and body.
  public let requestBytes: Int64?
  /// The names of header fields, joined by commas.
  public let headers: String?
  /// Whether the request carried credentials.
  public let authorized: Bool?
  /// The byte of the resource at which the request begins.
  public let offset: Int64?
  /// Whether the range request is conditional on a validator.
  public let ifRange: Bool?
  /// The value of `Upload-Offset`: how many bytes of an upload the server has, as the sender of the message knows it.
  public let uploadOffset: Int64?
  /// The accepted media types as in `Accept`, joined by commas; missing for any.
  public let acceptedTypes: String?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    transaction: Int? = nil,
    method: String? = nil,
    requestBytes: Int64? = nil,
    headers: String? = nil,
    authorized: Bool? = nil,
    offset: Int64? = nil,
    ifRange: Bool? = nil,
    uploadOffset: Int64? = nil,
    acceptedTypes: String? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.transaction = transaction
    self.method = method
    self.requestBytes = requestBytes
    self.headers = headers
    self.authorized = authorized
    self.offset = offset
    self.ifRange = ifRange
    self.uploadOffset = uploadOffset
    self.acceptedTypes = acceptedTypes
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 50)
    if let requestBytes { encoder.put(requestBytes, at: 0) }
    if let offset { encoder.put(offset, at: 1) }
    if let uploadOffset { encoder.put(uploadOffset, at: 2) }
    encoder.put(task, at: 3)
    encoder.put(number: attempt, at: 4)
    if let transaction { encoder.put(number: transaction, at: 5) }
    if let method { encoder.put(symbol: method, at: 6) }
    if let headers { encoder.put(symbol: headers, at: 7) }
    if let acceptedTypes { encoder.put(symbol: acceptedTypes, at: 8) }
    if let authorized { encoder.put(authorized ? 1 : 0 as UInt8, at: 9) }
    if let ifRange { encoder.put(ifRange ? 1 : 0 as UInt8, at: 10) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.responseReceived`: “{status} {contentType} {expected}”.
public struct AttemptResponseReceived: TransferEvent {
  public static var kind: EventKind { .attemptResponseReceived }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The number of the request within the attempt, from 1. A redirect adds one.
  public let transaction: Int?
  /// The HTTP status.
  public let status: Int?
  /// The length that the server declared; missing if it declared none.
  public let expected: Int64?
  /// The value of `Content-Type`.
  public let contentType: String?
  /// The value of `Content-Encoding`.
  public let contentEncoding: String?
  /// Whether the body was sent in chunks, without a declared length.
  public let chunked: Bool?
  /// The value of `ETag`.
  public let etag: String?
  /// The value of `Last-Modified`.
  public let lastModified: String?
  /// The first byte in `Content-Range`.
  public let rangeStart: Int64?
  /// The full length in `Content-Range`.
  public let rangeTotal: Int64?
  /// Whether the server supports range requests.
  public let acceptsRanges: Bool?
  /// The value of `Retry-After`.
  public let retryAfter: Duration?
  /// The protocol of the connection, such as `http/1.1` or `h2`.
  public let `protocol`: String?
  /// The time from the request to the first byte of the response.
  public let firstByteTime: Duration?
  /// The names of header fields, joined by commas.
  public let headers: String?
  /// The host name or address.
  public let host: String?
  /// The value of `Upload-Offset`: how many bytes of an upload the server has, as the sender of the message knows it.
  public let uploadOffset: Int64?
  /// The value of `Upload-Expires`: until when the server keeps an incomplete upload.
  public let uploadExpires: WallTime?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    transaction: Int? = nil,
    status: Int? = nil,
    expected: Int64? = nil,
    contentType: String? = nil,
    contentEncoding: String? = nil,
    chunked: Bool? = nil,
    etag: String? = nil,
    lastModified: String? = nil,
    rangeStart: Int64? = nil,
    rangeTotal: Int64? = nil,
    acceptsRanges: Bool? = nil,
    retryAfter: Duration? = nil,
    protocol: String? = nil,
    firstByteTime: Duration? = nil,
    headers: String? = nil,
    host: String? = nil,
    uploadOffset: Int64? = nil,
    uploadExpires: WallTime? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.transaction = transaction
    self.status = status
    self.expected = expected
    self.contentType = contentType
    self.contentEncoding = contentEncoding
    self.chunked = chunked
    self.etag = etag
    self.lastModified = lastModified
    self.rangeStart = rangeStart
    self.rangeTotal = rangeTotal
    self.acceptsRanges = acceptsRanges
    self.retryAfter = retryAfter
    self.protocol = `protocol`
    self.firstByteTime = firstByteTime
    self.headers = headers
    self.host = host
    self.uploadOffset = uploadOffset
    self.uploadExpires = uploadExpires
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 94)
    if let expected { encoder.put(expected, at: 0) }
    if let rangeStart { encoder.put(rangeStart, at: 1) }
    if let rangeTotal { encoder.put(rangeTotal, at: 2) }
    if let retryAfter { encoder.put(retryAfter, at: 3) }
    if let firstByteTime { encoder.put(firstByteTime, at: 4) }
    if let uploadOffset { encoder.put(uploadOffset, at: 5) }
    if let uploadExpires { encoder.put(uploadExpires.nanoseconds, at: 6) }
    encoder.put(task, at: 7)
    encoder.put(number: attempt, at: 8)
    if let transaction { encoder.put(number: transaction, at: 9) }
    if let status { encoder.put(number: status, at: 10) }
    if let contentType { encoder.put(symbol: contentType, at: 11) }
    if let contentEncoding { encoder.put(symbol: contentEncoding, at: 12) }
    if let `protocol` { encoder.put(symbol: `protocol`, at: 13) }
    if let headers { encoder.put(symbol: headers, at: 14) }
    if let host { encoder.put(symbol: host, at: 15) }
    if let chunked { encoder.put(chunked ? 1 : 0 as UInt8, at: 16) }
    if let acceptsRanges { encoder.put(acceptsRanges ? 1 : 0 as UInt8, at: 17) }
    if let etag { encoder.put(text: etag, .public, .etag, at: 18) }
    if let lastModified { encoder.put(text: lastModified, .public, .lastModified, at: 19) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.bytesReceived`: “{received} of {expected}”.
public struct AttemptBytesReceived: TransferEvent {
  public static var kind: EventKind { .attemptBytesReceived }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The number of body bytes received.
  public let received: Int64?
  /// The length that the server declared; missing if it declared none.
  public let expected: Int64?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    received: Int64? = nil,
    expected: Int64? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.received = received
    self.expected = expected
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 24)
    if let received { encoder.put(received, at: 0) }
    if let expected { encoder.put(expected, at: 1) }
    encoder.put(task, at: 2)
    encoder.put(number: attempt, at: 3)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.bytesSent`: “{sent} of {expected} sent”.
public struct AttemptBytesSent: TransferEvent {
  public static var kind: EventKind { .attemptBytesSent }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The number of body bytes sent.
  public let sent: Int64?
  /// The length that the server declared; missing if it declared none.
  public let expected: Int64?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    sent: Int64? = nil,
    expected: Int64? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.sent = sent
    self.expected = expected
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 24)
    if let sent { encoder.put(sent, at: 0) }
    if let expected { encoder.put(expected, at: 1) }
    encoder.put(task, at: 2)
    encoder.put(number: attempt, at: 3)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.ended`: “{end} {errorName}: {received} received”.
public struct AttemptEnded: TransferEvent {
  public static var kind: EventKind { .attemptEnded }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The way in which the attempt ended.
  public let end: AttemptEnd?
  /// The set of numbers to which the error belongs.
  public let domain: ErrorDomain?
  /// The number of the error; missing if there is none.
  public let error: Int?
  /// The short, fixed name of the error.
  public let errorName: String?
  /// A message in words.
  public let message: String?
  /// The errno; missing if unknown.
  public let osError: Int?
  /// The number of body bytes received.
  public let received: Int64?
  /// The number of body bytes sent.
  public let sent: Int64?
  /// The number of body bytes after content decoding.
  public let decoded: Int64?
  /// The time from the first byte of the response to the last byte of its body.
  public let bodyTime: Duration?
  /// The time until the next attempt; missing if there is none.
  public let retryIn: Duration?
  /// The time from the start of the attempt until libcurl began with it.
  public let queueTime: Duration?
  /// The time for the name lookup, `CURLINFO_NAMELOOKUP_TIME_T`.
  public let nameLookupTime: Duration?
  /// The time from the name lookup to the connection.
  public let connectTime: Duration?
  /// The time from the connection to the end of the TLS handshake.
  public let secureTime: Duration?
  /// The time from the request to the first byte of the response.
  public let firstByteTime: Duration?
  /// The phase that the attempt had reached.
  public let phase: AttemptPhase?
  /// The size of the source file.
  public let sourceSize: Int64?
  /// The modification time of the source file.
  public let sourceModified: WallTime?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    end: AttemptEnd? = nil,
    domain: ErrorDomain? = nil,
    error: Int? = nil,
    errorName: String? = nil,
    message: String? = nil,
    osError: Int? = nil,
    received: Int64? = nil,
    sent: Int64? = nil,
    decoded: Int64? = nil,
    bodyTime: Duration? = nil,
    retryIn: Duration? = nil,
    queueTime: Duration? = nil,
    nameLookupTime: Duration? = nil,
    connectTime: Duration? = nil,
    secureTime: Duration? = nil,
    firstByteTime: Duration? = nil,
    phase: AttemptPhase? = nil,
    sourceSize: Int64? = nil,
    sourceModified: WallTime? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.end = end
    self.domain = domain
    self.error = error
    self.errorName = errorName
    self.message = message
    self.osError = osError
    self.received = received
    self.sent = sent
    self.decoded = decoded
    self.bodyTime = bodyTime
    self.retryIn = retryIn
    self.queueTime = queueTime
    self.nameLookupTime = nameLookupTime
    self.connectTime = connectTime
    self.secureTime = secureTime
    self.firstByteTime = firstByteTime
    self.phase = phase
    self.sourceSize = sourceSize
    self.sourceModified = sourceModified
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 119)
    if let received { encoder.put(received, at: 0) }
    if let sent { encoder.put(sent, at: 1) }
    if let decoded { encoder.put(decoded, at: 2) }
    if let bodyTime { encoder.put(bodyTime, at: 3) }
    if let retryIn { encoder.put(retryIn, at: 4) }
    if let queueTime { encoder.put(queueTime, at: 5) }
    if let nameLookupTime { encoder.put(nameLookupTime, at: 6) }
    if let connectTime { encoder.put(connectTime, at: 7) }
    if let secureTime { encoder.put(secureTime, at: 8) }
    if let firstByteTime { encoder.put(firstByteTime, at: 9) }
    if let sourceSize { encoder.put(sourceSize, at: 10) }
    if let sourceModified { encoder.put(sourceModified.nanoseconds, at: 11) }
    encoder.put(task, at: 12)
    encoder.put(number: attempt, at: 13)
    if let error { encoder.put(number: error, at: 14) }
    if let errorName { encoder.put(symbol: errorName, at: 15) }
    if let osError { encoder.put(number: osError, at: 16) }
    if let end { encoder.put(end.rawValue, at: 17) }
    if let domain { encoder.put(domain.rawValue, at: 18) }
    if let phase { encoder.put(phase.rawValue, at: 19) }
    if let message { encoder.put(text: message, .private, .message, at: 20) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.networkAwaited`: “waits for the network”.
public struct AttemptNetworkAwaited: TransferEvent {
  public static var kind: EventKind { .attemptNetworkAwaited }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The reason why the task waits.
  public let hold: HoldReason?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    hold: HoldReason? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.hold = hold
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 9)
    encoder.put(task, at: 0)
    encoder.put(number: attempt, at: 1)
    if let hold { encoder.put(hold.rawValue, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.challengeReceived`: “{challengeMethod} challenge from {host}”.
public struct AttemptChallengeReceived: TransferEvent {
  public static var kind: EventKind { .attemptChallengeReceived }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// An authentication challenge.
  public let challenge: CorrelationID?
  /// The method of the challenge.
  public let challengeMethod: ChallengeMethod?
  /// The host name or address.
  public let host: String?
  /// The number of earlier answers that were rejected.
  public let previousFailures: Int?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    challenge: CorrelationID? = nil,
    challengeMethod: ChallengeMethod? = nil,
    host: String? = nil,
    previousFailures: Int? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.challenge = challenge
    self.challengeMethod = challengeMethod
    self.host = host
    self.previousFailures = previousFailures
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 25)
    if let challenge { encoder.put(challenge.rawValue, at: 0) }
    encoder.put(task, at: 1)
    encoder.put(number: attempt, at: 2)
    if let host { encoder.put(symbol: host, at: 3) }
    if let previousFailures { encoder.put(number: previousFailures, at: 4) }
    if let challengeMethod { encoder.put(challengeMethod.rawValue, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.challengeAnswered`: “challenge answered: {disposition}”.
public struct AttemptChallengeAnswered: TransferEvent {
  public static var kind: EventKind { .attemptChallengeAnswered }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// An authentication challenge.
  public let challenge: CorrelationID?
  /// The answer to the challenge.
  public let disposition: ChallengeDisposition?
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    challenge: CorrelationID? = nil,
    disposition: ChallengeDisposition? = nil,
    by: Actor? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.challenge = challenge
    self.disposition = disposition
    self.by = by
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 18)
    if let challenge { encoder.put(challenge.rawValue, at: 0) }
    encoder.put(task, at: 1)
    encoder.put(number: attempt, at: 2)
    if let disposition { encoder.put(disposition.rawValue, at: 3) }
    if let by { encoder.put(by.rawValue, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.redirectReceived`: “{status} to {scheme}://{host}{path}”.
public struct AttemptRedirectReceived: TransferEvent {
  public static var kind: EventKind { .attemptRedirectReceived }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The number of the request within the attempt, from 1. A redirect adds one.
  public let transaction: Int?
  /// The HTTP status.
  public let status: Int?
  /// The URL scheme.
  public let scheme: String?
  /// The host name or address.
  public let host: String?
  /// The port; missing if it is the default port of the scheme.
  public let port: Int?
  /// The URL path, percent-encoded as sent.
  public let path: String?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    transaction: Int? = nil,
    status: Int? = nil,
    scheme: String? = nil,
    host: String? = nil,
    port: Int? = nil,
    path: String? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.transaction = transaction
    self.status = status
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    encoder.put(task, at: 0)
    encoder.put(number: attempt, at: 1)
    if let transaction { encoder.put(number: transaction, at: 2) }
    if let status { encoder.put(number: status, at: 3) }
    if let scheme { encoder.put(symbol: scheme, at: 4) }
    if let host { encoder.put(symbol: host, at: 5) }
    if let port { encoder.put(number: port, at: 6) }
    if let path { encoder.put(text: path, .private, .path, at: 7) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `attempt.redirectAnswered`: “redirect {decision}”.
public struct AttemptRedirectAnswered: TransferEvent {
  public static var kind: EventKind { .attemptRedirectAnswered }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The number of the request within the attempt, from 1. A redirect adds one.
  public let transaction: Int?
  /// The decision about the redirect.
  public let decision: RedirectDecision?
  /// Whether credentials are sent to the target of the redirect.
  public let credentialsKept: Bool?
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    task: TaskIdentity,
    attempt: Int,
    transaction: Int? = nil,
    decision: RedirectDecision? = nil,
    credentialsKept: Bool? = nil,
    by: Actor? = nil
  ) {
    self.task = task
    self.attempt = attempt
    self.transaction = transaction
    self.decision = decision
    self.credentialsKept = credentialsKept
    self.by = by
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 15)
    encoder.put(task, at: 0)
    encoder.put(number: attempt, at: 1)
    if let transaction { encoder.put(number: transaction, at: 2) }
    if let decision { encoder.put(decision.rawValue, at: 3) }
    if let credentialsKept { encoder.put(credentialsKept ? 1 : 0 as UInt8, at: 4) }
    if let by { encoder.put(by.rawValue, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `file.offered`: “temporary file offered to the app, {size}”.
public struct FileOffered: TransferEvent {
  public static var kind: EventKind { .fileOffered }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID?
  /// The path of a file.
  public let file: String?
  /// The inode of the file.
  public let inode: Int64?
  /// The size in bytes.
  public let size: Int64?
  /// Whether the file exists.
  public let exists: Bool?
  /// The digest of the bytes.
  public let content: ValueDigest?

  @inlinable
  public init(
    task: TaskIdentity,
    delivery: DeliveryID? = nil,
    file: String? = nil,
    inode: Int64? = nil,
    size: Int64? = nil,
    exists: Bool? = nil,
    content: ValueDigest? = nil
  ) {
    self.task = task
    self.delivery = delivery
    self.file = file
    self.inode = inode
    self.size = size
    self.exists = exists
    self.content = content
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 37)
    if let delivery { encoder.put(delivery.rawValue, at: 0) }
    if let inode { encoder.put(inode, at: 1) }
    if let size { encoder.put(size, at: 2) }
    if let content { encoder.put(content.rawValue, at: 3) }
    encoder.put(task, at: 4)
    if let exists { encoder.put(exists ? 1 : 0 as UInt8, at: 5) }
    if let file { encoder.put(text: file, .private, .file, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `file.claimed`: “{operation} to {destination} {osError}”.
public struct FileClaimed: TransferEvent {
  public static var kind: EventKind { .fileClaimed }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID?
  /// The way in which the app claimed the file.
  public let operation: ClaimOperation?
  /// The path at which the file is stored in the end.
  public let destination: String?
  /// The errno; missing if unknown.
  public let osError: Int?
  /// Whether the app claimed the file while the callback ran.
  public let inCallback: Bool?
  /// The size in bytes.
  public let size: Int64?

  @inlinable
  public init(
    task: TaskIdentity,
    delivery: DeliveryID? = nil,
    operation: ClaimOperation? = nil,
    destination: String? = nil,
    osError: Int? = nil,
    inCallback: Bool? = nil,
    size: Int64? = nil
  ) {
    self.task = task
    self.delivery = delivery
    self.operation = operation
    self.destination = destination
    self.osError = osError
    self.inCallback = inCallback
    self.size = size
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 26)
    if let delivery { encoder.put(delivery.rawValue, at: 0) }
    if let size { encoder.put(size, at: 1) }
    encoder.put(task, at: 2)
    if let osError { encoder.put(number: osError, at: 3) }
    if let operation { encoder.put(operation.rawValue, at: 4) }
    if let inCallback { encoder.put(inCallback ? 1 : 0 as UInt8, at: 5) }
    if let destination { encoder.put(text: destination, .private, .destination, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `file.reaped`: “the temporary file was removed”.
public struct FileReaped: TransferEvent {
  public static var kind: EventKind { .fileReaped }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The inode of the file.
  public let inode: Int64?
  /// The size in bytes.
  public let size: Int64?

  @inlinable
  public init(
    task: TaskIdentity,
    inode: Int64? = nil,
    size: Int64? = nil
  ) {
    self.task = task
    self.inode = inode
    self.size = size
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    if let inode { encoder.put(inode, at: 0) }
    if let size { encoder.put(size, at: 1) }
    encoder.put(task, at: 2)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `file.deleted`: “{file} was deleted by {by}”.
public struct FileDeleted: TransferEvent {
  public static var kind: EventKind { .fileDeleted }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The path of a file.
  public let file: String?
  /// The party that acted.
  public let by: Actor?
  /// The reason, as a short word.
  public let reason: String?

  @inlinable
  public init(
    task: TaskIdentity,
    file: String? = nil,
    by: Actor? = nil,
    reason: String? = nil
  ) {
    self.task = task
    self.file = file
    self.by = by
    self.reason = reason
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 9)
    encoder.put(task, at: 0)
    if let reason { encoder.put(symbol: reason, at: 1) }
    if let by { encoder.put(by.rawValue, at: 2) }
    if let file { encoder.put(text: file, .private, .file, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `file.unclaimed`: “the app did not claim the temporary file”.
public struct FileUnclaimed: TransferEvent {
  public static var kind: EventKind { .fileUnclaimed }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID?
  /// The inode of the file.
  public let inode: Int64?
  /// The size in bytes.
  public let size: Int64?

  @inlinable
  public init(
    task: TaskIdentity,
    delivery: DeliveryID? = nil,
    inode: Int64? = nil,
    size: Int64? = nil
  ) {
    self.task = task
    self.delivery = delivery
    self.inode = inode
    self.size = size
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let delivery { encoder.put(delivery.rawValue, at: 0) }
    if let inode { encoder.put(inode, at: 1) }
    if let size { encoder.put(size, at: 2) }
    encoder.put(task, at: 3)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `delivery.sent`: “{callback} is queued”.
public struct DeliverySent: TransferEvent {
  public static var kind: EventKind { .deliverySent }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// A session's identifier.
  public let session: String?
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID
  /// The callback that is delivered.
  public let callback: Callback
  /// Whether the callback had been sent before.
  public let redelivered: Bool?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    session: String? = nil,
    delivery: DeliveryID,
    callback: Callback,
    redelivered: Bool? = nil
  ) {
    self.task = task
    self.session = session
    self.delivery = delivery
    self.callback = callback
    self.redelivered = redelivered
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 18)
    encoder.put(delivery.rawValue, at: 0)
    if let task { encoder.put(task, at: 1) }
    if let session { encoder.put(symbol: session, at: 2) }
    encoder.put(callback.rawValue, at: 3)
    if let redelivered { encoder.put(redelivered ? 1 : 0 as UInt8, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `delivery.received`: “{callback} was received”.
public struct DeliveryReceived: TransferEvent {
  public static var kind: EventKind { .deliveryReceived }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// A session's identifier.
  public let session: String?
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID
  /// The callback that is delivered.
  public let callback: Callback

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    session: String? = nil,
    delivery: DeliveryID,
    callback: Callback
  ) {
    self.task = task
    self.session = session
    self.delivery = delivery
    self.callback = callback
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 17)
    encoder.put(delivery.rawValue, at: 0)
    if let task { encoder.put(task, at: 1) }
    if let session { encoder.put(symbol: session, at: 2) }
    encoder.put(callback.rawValue, at: 3)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `delivery.entered`: “{callback} is called”.
public struct DeliveryEntered: TransferEvent {
  public static var kind: EventKind { .deliveryEntered }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// A session's identifier.
  public let session: String?
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID
  /// The callback that is delivered.
  public let callback: Callback
  /// The queue or executor on which callbacks run.
  public let queue: String?
  /// Whether the code ran on the main thread.
  public let onMainThread: Bool?
  /// A delegate object; missing if there is no delegate. delivery.entered has it only where sessions are reused.
  public let delegate: CorrelationID?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    session: String? = nil,
    delivery: DeliveryID,
    callback: Callback,
    queue: String? = nil,
    onMainThread: Bool? = nil,
    delegate: CorrelationID? = nil
  ) {
    self.task = task
    self.session = session
    self.delivery = delivery
    self.callback = callback
    self.queue = queue
    self.onMainThread = onMainThread
    self.delegate = delegate
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 30)
    encoder.put(delivery.rawValue, at: 0)
    if let delegate { encoder.put(delegate.rawValue, at: 1) }
    if let task { encoder.put(task, at: 2) }
    if let session { encoder.put(symbol: session, at: 3) }
    if let queue { encoder.put(symbol: queue, at: 4) }
    encoder.put(callback.rawValue, at: 5)
    if let onMainThread { encoder.put(onMainThread ? 1 : 0 as UInt8, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `delivery.left`: “{callback} has returned”.
public struct DeliveryLeft: TransferEvent {
  public static var kind: EventKind { .deliveryLeft }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// A session's identifier.
  public let session: String?
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID
  /// The callback that is delivered.
  public let callback: Callback

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    session: String? = nil,
    delivery: DeliveryID,
    callback: Callback
  ) {
    self.task = task
    self.session = session
    self.delivery = delivery
    self.callback = callback
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 17)
    encoder.put(delivery.rawValue, at: 0)
    if let task { encoder.put(task, at: 1) }
    if let session { encoder.put(symbol: session, at: 2) }
    encoder.put(callback.rawValue, at: 3)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `delivery.dropped`: “{callback} was dropped: {why}”.
public struct DeliveryDropped: TransferEvent {
  public static var kind: EventKind { .deliveryDropped }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// A session's identifier.
  public let session: String?
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public let delivery: DeliveryID
  /// The callback that is delivered.
  public let callback: Callback
  /// The reason why something was dropped.
  public let why: DropReason?
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    session: String? = nil,
    delivery: DeliveryID,
    callback: Callback,
    why: DropReason? = nil,
    by: Actor? = nil
  ) {
    self.task = task
    self.session = session
    self.delivery = delivery
    self.callback = callback
    self.why = why
    self.by = by
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 19)
    encoder.put(delivery.rawValue, at: 0)
    if let task { encoder.put(task, at: 1) }
    if let session { encoder.put(symbol: session, at: 2) }
    encoder.put(callback.rawValue, at: 3)
    if let why { encoder.put(why.rawValue, at: 4) }
    if let by { encoder.put(by.rawValue, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.intentDeclared`: “intent {intent} declared, step {step}”.
public struct AppIntentDeclared: TransferEvent {
  public static var kind: EventKind { .appIntentDeclared }

  /// The app's own key for something that it wants done. It must not contain private text; a URL is treated as a private value.
  public let intent: String?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// A step of the app's own plan.
  public let step: String?
  /// Whether the app has stored the intent on disk.
  public let durable: Bool?

  @inlinable
  public init(
    intent: String? = nil,
    task: TaskIdentity? = nil,
    step: String? = nil,
    durable: Bool? = nil
  ) {
    self.intent = intent
    self.task = task
    self.step = step
    self.durable = durable
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 9)
    if let task { encoder.put(task, at: 0) }
    if let step { encoder.put(symbol: step, at: 1) }
    if let durable { encoder.put(durable ? 1 : 0 as UInt8, at: 2) }
    if let intent { encoder.put(text: intent, .public, .intent, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.intentBound`: “intent {intent} bound to the task by {key}”.
public struct AppIntentBound: TransferEvent {
  public static var kind: EventKind { .appIntentBound }

  /// The app's own key for something that it wants done. It must not contain private text; a URL is treated as a private value.
  public let intent: String?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The key by which the app finds its record: `uid`, `session+number`, `number` or `description`.
  public let key: String?

  @inlinable
  public init(
    intent: String? = nil,
    task: TaskIdentity? = nil,
    key: String? = nil
  ) {
    self.intent = intent
    self.task = task
    self.key = key
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    if let task { encoder.put(task, at: 0) }
    if let key { encoder.put(symbol: key, at: 1) }
    if let intent { encoder.put(text: intent, .public, .intent, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.intentUnbound`: “intent {intent} unbound from the task”.
public struct AppIntentUnbound: TransferEvent {
  public static var kind: EventKind { .appIntentUnbound }

  /// The app's own key for something that it wants done. It must not contain private text; a URL is treated as a private value.
  public let intent: String?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The reason, as a short word.
  public let reason: String?

  @inlinable
  public init(
    intent: String? = nil,
    task: TaskIdentity? = nil,
    reason: String? = nil
  ) {
    self.intent = intent
    self.task = task
    self.reason = reason
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    if let task { encoder.put(task, at: 0) }
    if let reason { encoder.put(symbol: reason, at: 1) }
    if let intent { encoder.put(text: intent, .public, .intent, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.outcomeRecorded`: “outcome {outcome} for intent {intent}”.
public struct AppOutcomeRecorded: TransferEvent {
  public static var kind: EventKind { .appOutcomeRecorded }

  /// The app's own key for something that it wants done. It must not contain private text; a URL is treated as a private value.
  public let intent: String?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The outcome that the app recorded.
  public let outcome: Outcome?
  /// A message in words.
  public let message: String?
  /// The HTTP status of 400 or more that the app accepts as a success on purpose.
  public let acceptedStatus: Int?

  @inlinable
  public init(
    intent: String? = nil,
    task: TaskIdentity? = nil,
    outcome: Outcome? = nil,
    message: String? = nil,
    acceptedStatus: Int? = nil
  ) {
    self.intent = intent
    self.task = task
    self.outcome = outcome
    self.message = message
    self.acceptedStatus = acceptedStatus
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 9)
    if let task { encoder.put(task, at: 0) }
    if let acceptedStatus { encoder.put(number: acceptedStatus, at: 1) }
    if let outcome { encoder.put(outcome.rawValue, at: 2) }
    if let intent { encoder.put(text: intent, .public, .intent, at: 3) }
    if let message { encoder.put(text: message, .private, .message, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.listenerAttached`: “{name} listens to {session}”.
public struct AppListenerAttached: TransferEvent {
  public static var kind: EventKind { .appListenerAttached }

  /// A session's identifier.
  public let session: String?
  /// A name from the app's code.
  public let name: String?

  @inlinable
  public init(
    session: String? = nil,
    name: String? = nil
  ) {
    self.session = session
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    if let session { encoder.put(symbol: session, at: 0) }
    if let name { encoder.put(symbol: name, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.workBegun`: “{name} begins”.
public struct AppWorkBegun: TransferEvent {
  public static var kind: EventKind { .appWorkBegun }

  /// A piece of the app's own work.
  public let work: CorrelationID?
  /// A name from the app's code.
  public let name: String?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?

  @inlinable
  public init(
    work: CorrelationID? = nil,
    name: String? = nil,
    task: TaskIdentity? = nil
  ) {
    self.work = work
    self.name = name
    self.task = task
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 16)
    if let work { encoder.put(work.rawValue, at: 0) }
    if let name { encoder.put(symbol: name, at: 1) }
    if let task { encoder.put(task, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.workEnded`: “{name} ends”.
public struct AppWorkEnded: TransferEvent {
  public static var kind: EventKind { .appWorkEnded }

  /// A piece of the app's own work.
  public let work: CorrelationID?
  /// A name from the app's code.
  public let name: String?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?

  @inlinable
  public init(
    work: CorrelationID? = nil,
    name: String? = nil,
    task: TaskIdentity? = nil
  ) {
    self.work = work
    self.name = name
    self.task = task
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 16)
    if let work { encoder.put(work.rawValue, at: 0) }
    if let name { encoder.put(symbol: name, at: 1) }
    if let task { encoder.put(task, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.journalSaved`: “journal saved up to entry {upTo}”.
public struct AppJournalSaved: TransferEvent {
  public static var kind: EventKind { .appJournalSaved }

  /// The last entry that is on disk.
  public let upTo: Int64?

  @inlinable
  public init(
    upTo: Int64? = nil
  ) {
    self.upTo = upTo
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    if let upTo { encoder.put(upTo, at: 0) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.capabilitiesRecorded`: “declared capabilities {capabilities}”.
public struct AppCapabilitiesRecorded: TransferEvent {
  public static var kind: EventKind { .appCapabilitiesRecorded }

  /// The names of declared modes and permissions, joined by commas.
  public let capabilities: String?

  @inlinable
  public init(
    capabilities: String? = nil
  ) {
    self.capabilities = capabilities
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 4)
    if let capabilities { encoder.put(symbol: capabilities, at: 0) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.noted`: “{message}”.
public struct AppNoted: TransferEvent {
  public static var kind: EventKind { .appNoted }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The app's own key for something that it wants done. It must not contain private text; a URL is treated as a private value.
  public let intent: String?
  /// A message in words.
  public let message: String?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    intent: String? = nil,
    message: String? = nil
  ) {
    self.task = task
    self.intent = intent
    self.message = message
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 4)
    if let task { encoder.put(task, at: 0) }
    if let intent { encoder.put(text: intent, .public, .intent, at: 1) }
    if let message { encoder.put(text: message, .private, .message, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.beatExpected`: “{name} is due every {interval}”.
public struct AppBeatExpected: TransferEvent {
  public static var kind: EventKind { .appBeatExpected }

  /// A name from the app's code.
  public let name: String?
  /// The time between two beats, or from the arming of an alarm until it fires.
  public let interval: Duration?
  /// Whether the policy, or the periodic message, is enabled.
  public let enabled: Bool?

  @inlinable
  public init(
    name: String? = nil,
    interval: Duration? = nil,
    enabled: Bool? = nil
  ) {
    self.name = name
    self.interval = interval
    self.enabled = enabled
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 13)
    if let interval { encoder.put(interval, at: 0) }
    if let name { encoder.put(symbol: name, at: 1) }
    if let enabled { encoder.put(enabled ? 1 : 0 as UInt8, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.beatSent`: “{name} was sent”.
public struct AppBeatSent: TransferEvent {
  public static var kind: EventKind { .appBeatSent }

  /// A name from the app's code.
  public let name: String?

  @inlinable
  public init(
    name: String? = nil
  ) {
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 4)
    if let name { encoder.put(symbol: name, at: 0) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.secretRead`: “reading the secret {name}: {secretAnswer} {osError}”.
public struct AppSecretRead: TransferEvent {
  public static var kind: EventKind { .appSecretRead }

  /// A name from the app's code.
  public let name: String?
  /// The result of reading the secret.
  public let secretAnswer: SecretAnswer?
  /// The errno; missing if unknown.
  public let osError: Int?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?

  @inlinable
  public init(
    name: String? = nil,
    secretAnswer: SecretAnswer? = nil,
    osError: Int? = nil,
    task: TaskIdentity? = nil
  ) {
    self.name = name
    self.secretAnswer = secretAnswer
    self.osError = osError
    self.task = task
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 13)
    if let name { encoder.put(symbol: name, at: 0) }
    if let osError { encoder.put(number: osError, at: 1) }
    if let task { encoder.put(task, at: 2) }
    if let secretAnswer { encoder.put(secretAnswer.rawValue, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.secretDeleted`: “the secret {name} was deleted: {reason}”.
public struct AppSecretDeleted: TransferEvent {
  public static var kind: EventKind { .appSecretDeleted }

  /// A name from the app's code.
  public let name: String?
  /// The reason, as a short word.
  public let reason: String?

  @inlinable
  public init(
    name: String? = nil,
    reason: String? = nil
  ) {
    self.name = name
    self.reason = reason
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    if let name { encoder.put(symbol: name, at: 0) }
    if let reason { encoder.put(symbol: reason, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `assertion.begun`: “{name} begins”.
public struct AssertionBegun: TransferEvent {
  public static var kind: EventKind { .assertionBegun }

  /// A background assertion.
  public let assertion: CorrelationID
  /// A name from the app's code.
  public let name: String?
  /// The app's name for the variable that stores the object.
  public let slot: String?
  /// The remaining time.
  public let remaining: Duration?
  /// Whether the system expires the assertion unless the app reports steady progress.
  public let needsProgress: Bool?

  @inlinable
  public init(
    assertion: CorrelationID,
    name: String? = nil,
    slot: String? = nil,
    remaining: Duration? = nil,
    needsProgress: Bool? = nil
  ) {
    self.assertion = assertion
    self.name = name
    self.slot = slot
    self.remaining = remaining
    self.needsProgress = needsProgress
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 25)
    encoder.put(assertion.rawValue, at: 0)
    if let remaining { encoder.put(remaining, at: 1) }
    if let name { encoder.put(symbol: name, at: 2) }
    if let slot { encoder.put(symbol: slot, at: 3) }
    if let needsProgress { encoder.put(needsProgress ? 1 : 0 as UInt8, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `assertion.expired`: “{name} expired”.
public struct AssertionExpired: TransferEvent {
  public static var kind: EventKind { .assertionExpired }

  /// A background assertion.
  public let assertion: CorrelationID
  /// A name from the app's code.
  public let name: String?
  /// Whether the system reports that the assertion was not ended although it expired.
  public let unended: Bool?

  @inlinable
  public init(
    assertion: CorrelationID,
    name: String? = nil,
    unended: Bool? = nil
  ) {
    self.assertion = assertion
    self.name = name
    self.unended = unended
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 13)
    encoder.put(assertion.rawValue, at: 0)
    if let name { encoder.put(symbol: name, at: 1) }
    if let unended { encoder.put(unended ? 1 : 0 as UInt8, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `assertion.ended`: “{name} ends”.
public struct AssertionEnded: TransferEvent {
  public static var kind: EventKind { .assertionEnded }

  /// A background assertion.
  public let assertion: CorrelationID
  /// A name from the app's code.
  public let name: String?

  @inlinable
  public init(
    assertion: CorrelationID,
    name: String? = nil
  ) {
    self.assertion = assertion
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    encoder.put(assertion.rawValue, at: 0)
    if let name { encoder.put(symbol: name, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `deadman.armed`: “fires at {firesAt} unless it is re-armed”.
public struct DeadmanArmed: TransferEvent {
  public static var kind: EventKind { .deadmanArmed }

  /// A dead man's switch.
  public let deadman: CorrelationID
  /// A name from the app's code.
  public let name: String?
  /// The time at which the alarm or trigger fires.
  public let firesAt: WallTime?
  /// The time between two beats, or from the arming of an alarm until it fires.
  public let interval: Duration?

  @inlinable
  public init(
    deadman: CorrelationID,
    name: String? = nil,
    firesAt: WallTime? = nil,
    interval: Duration? = nil
  ) {
    self.deadman = deadman
    self.name = name
    self.firesAt = firesAt
    self.interval = interval
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    encoder.put(deadman.rawValue, at: 0)
    if let firesAt { encoder.put(firesAt.nanoseconds, at: 1) }
    if let interval { encoder.put(interval, at: 2) }
    if let name { encoder.put(symbol: name, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `deadman.checked`: “{remaining} remaining”.
public struct DeadmanChecked: TransferEvent {
  public static var kind: EventKind { .deadmanChecked }

  /// A dead man's switch.
  public let deadman: CorrelationID
  /// The remaining time.
  public let remaining: Duration?

  @inlinable
  public init(
    deadman: CorrelationID,
    remaining: Duration? = nil
  ) {
    self.deadman = deadman
    self.remaining = remaining
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 16)
    encoder.put(deadman.rawValue, at: 0)
    if let remaining { encoder.put(remaining, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `deadman.disarmed`: “disarmed”.
public struct DeadmanDisarmed: TransferEvent {
  public static var kind: EventKind { .deadmanDisarmed }

  /// A dead man's switch.
  public let deadman: CorrelationID
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    deadman: CorrelationID,
    by: Actor? = nil
  ) {
    self.deadman = deadman
    self.by = by
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 9)
    encoder.put(deadman.rawValue, at: 0)
    if let by { encoder.put(by.rawValue, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `deadman.fired`: “fired, {count} times since it was armed”.
public struct DeadmanFired: TransferEvent {
  public static var kind: EventKind { .deadmanFired }

  /// A dead man's switch.
  public let deadman: CorrelationID
  /// The number of items.
  public let count: Int64?

  @inlinable
  public init(
    deadman: CorrelationID,
    count: Int64? = nil
  ) {
    self.deadman = deadman
    self.count = count
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 16)
    encoder.put(deadman.rawValue, at: 0)
    if let count { encoder.put(count, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `trigger.armed`: “{triggerKind} {name} is armed”.
public struct TriggerArmed: TransferEvent {
  public static var kind: EventKind { .triggerArmed }

  /// A launch trigger.
  public let trigger: CorrelationID
  /// The kind of the trigger.
  public let triggerKind: TriggerKind?
  /// A name from the app's code.
  public let name: String?
  /// The requested radius, in metres.
  public let radius: Int?
  /// The effective radius, in metres.
  public let effectiveRadius: Int?
  /// The time at which the alarm or trigger fires.
  public let firesAt: WallTime?

  @inlinable
  public init(
    trigger: CorrelationID,
    triggerKind: TriggerKind? = nil,
    name: String? = nil,
    radius: Int? = nil,
    effectiveRadius: Int? = nil,
    firesAt: WallTime? = nil
  ) {
    self.trigger = trigger
    self.triggerKind = triggerKind
    self.name = name
    self.radius = radius
    self.effectiveRadius = effectiveRadius
    self.firesAt = firesAt
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 29)
    encoder.put(trigger.rawValue, at: 0)
    if let firesAt { encoder.put(firesAt.nanoseconds, at: 1) }
    if let name { encoder.put(symbol: name, at: 2) }
    if let radius { encoder.put(number: radius, at: 3) }
    if let effectiveRadius { encoder.put(number: effectiveRadius, at: 4) }
    if let triggerKind { encoder.put(triggerKind.rawValue, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `trigger.fired`: “{triggerKind} {name} fires”.
public struct TriggerFired: TransferEvent {
  public static var kind: EventKind { .triggerFired }

  /// A launch trigger.
  public let trigger: CorrelationID
  /// The kind of the trigger.
  public let triggerKind: TriggerKind?
  /// A name from the app's code.
  public let name: String?

  @inlinable
  public init(
    trigger: CorrelationID,
    triggerKind: TriggerKind? = nil,
    name: String? = nil
  ) {
    self.trigger = trigger
    self.triggerKind = triggerKind
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 13)
    encoder.put(trigger.rawValue, at: 0)
    if let name { encoder.put(symbol: name, at: 1) }
    if let triggerKind { encoder.put(triggerKind.rawValue, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `network.pathChanged`: “network up {up}, expensive {expensive}, constrained {constrained}, cellular {cellular}”.
public struct NetworkPathChanged: TransferEvent {
  public static var kind: EventKind { .networkPathChanged }

  /// Whether a network path is available.
  public let up: Bool?
  /// Whether the path is expensive.
  public let expensive: Bool?
  /// Whether the path is in low data mode.
  public let constrained: Bool?
  /// Whether the path is cellular.
  public let cellular: Bool?
  /// A name from the app's code.
  public let name: String?

  @inlinable
  public init(
    up: Bool? = nil,
    expensive: Bool? = nil,
    constrained: Bool? = nil,
    cellular: Bool? = nil,
    name: String? = nil
  ) {
    self.up = up
    self.expensive = expensive
    self.constrained = constrained
    self.cellular = cellular
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 8)
    if let name { encoder.put(symbol: name, at: 0) }
    if let up { encoder.put(up ? 1 : 0 as UInt8, at: 1) }
    if let expensive { encoder.put(expensive ? 1 : 0 as UInt8, at: 2) }
    if let constrained { encoder.put(constrained ? 1 : 0 as UInt8, at: 3) }
    if let cellular { encoder.put(cellular ? 1 : 0 as UInt8, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `power.changed`: “charging {charging}, battery {battery} %”.
public struct PowerChanged: TransferEvent {
  public static var kind: EventKind { .powerChanged }

  /// Whether the battery is charging.
  public let charging: Bool?
  /// The charge of the battery, in per cent.
  public let battery: Int?

  @inlinable
  public init(
    charging: Bool? = nil,
    battery: Int? = nil
  ) {
    self.charging = charging
    self.battery = battery
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 5)
    if let battery { encoder.put(number: battery, at: 0) }
    if let charging { encoder.put(charging ? 1 : 0 as UInt8, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `disk.spaceSampled`: “{free} free, {openFiles} files open”.
public struct DiskSpaceSampled: TransferEvent {
  public static var kind: EventKind { .diskSpaceSampled }

  /// The free space, in bytes.
  public let free: Int64?
  /// The number of open file descriptors.
  public let openFiles: Int64?
  /// The number of files that can still be created; missing if unlimited.
  public let freeFiles: Int64?

  @inlinable
  public init(
    free: Int64? = nil,
    openFiles: Int64? = nil,
    freeFiles: Int64? = nil
  ) {
    self.free = free
    self.openFiles = openFiles
    self.freeFiles = freeFiles
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 24)
    if let free { encoder.put(free, at: 0) }
    if let openFiles { encoder.put(openFiles, at: 1) }
    if let freeFiles { encoder.put(freeFiles, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `protection.enabled`: “protected files cannot be read”.
public struct ProtectionEnabled: TransferEvent {
  public static var kind: EventKind { .protectionEnabled }

  public init() {}

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 0)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `protection.disabled`: “protected files can be read”.
public struct ProtectionDisabled: TransferEvent {
  public static var kind: EventKind { .protectionDisabled }

  public init() {}

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 0)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `policy.changed`: “{policy} changed, enabled {enabled}”.
public struct PolicyChanged: TransferEvent {
  public static var kind: EventKind { .policyChanged }

  /// The name of the policy.
  public let policy: PolicyName?
  /// Whether the policy, or the periodic message, is enabled.
  public let enabled: Bool?
  /// The party that acted.
  public let by: Actor?

  @inlinable
  public init(
    policy: PolicyName? = nil,
    enabled: Bool? = nil,
    by: Actor? = nil
  ) {
    self.policy = policy
    self.enabled = enabled
    self.by = by
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 3)
    if let policy { encoder.put(policy.rawValue, at: 0) }
    if let enabled { encoder.put(enabled ? 1 : 0 as UInt8, at: 1) }
    if let by { encoder.put(by.rawValue, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `multipart.started`: “multipart upload started”.
public struct MultipartStarted: TransferEvent {
  public static var kind: EventKind { .multipartStarted }

  /// A multipart upload, identified by the server.
  public let upload: CorrelationID
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// Whether the app intends to continue the upload in a later life.
  public let resumable: Bool?

  @inlinable
  public init(
    upload: CorrelationID,
    task: TaskIdentity? = nil,
    resumable: Bool? = nil
  ) {
    self.upload = upload
    self.task = task
    self.resumable = resumable
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 13)
    encoder.put(upload.rawValue, at: 0)
    if let task { encoder.put(task, at: 1) }
    if let resumable { encoder.put(resumable ? 1 : 0 as UInt8, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `multipart.partStored`: “part {part} stored, {sent}”.
public struct MultipartPartStored: TransferEvent {
  public static var kind: EventKind { .multipartPartStored }

  /// A multipart upload, identified by the server.
  public let upload: CorrelationID
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The number of the part, from 1.
  public let part: Int?
  /// The number of body bytes sent.
  public let sent: Int64?
  /// The size of the source file.
  public let sourceSize: Int64?
  /// The modification time of the source file.
  public let sourceModified: WallTime?
  /// The digest of the bytes.
  public let content: ValueDigest?

  @inlinable
  public init(
    upload: CorrelationID,
    task: TaskIdentity? = nil,
    part: Int? = nil,
    sent: Int64? = nil,
    sourceSize: Int64? = nil,
    sourceModified: WallTime? = nil,
    content: ValueDigest? = nil
  ) {
    self.upload = upload
    self.task = task
    self.part = part
    self.sent = sent
    self.sourceSize = sourceSize
    self.sourceModified = sourceModified
    self.content = content
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 48)
    encoder.put(upload.rawValue, at: 0)
    if let sent { encoder.put(sent, at: 1) }
    if let sourceSize { encoder.put(sourceSize, at: 2) }
    if let sourceModified { encoder.put(sourceModified.nanoseconds, at: 3) }
    if let content { encoder.put(content.rawValue, at: 4) }
    if let task { encoder.put(task, at: 5) }
    if let part { encoder.put(number: part, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `multipart.completed`: “multipart upload completed”.
public struct MultipartCompleted: TransferEvent {
  public static var kind: EventKind { .multipartCompleted }

  /// A multipart upload, identified by the server.
  public let upload: CorrelationID
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?

  @inlinable
  public init(
    upload: CorrelationID,
    task: TaskIdentity? = nil
  ) {
    self.upload = upload
    self.task = task
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    encoder.put(upload.rawValue, at: 0)
    if let task { encoder.put(task, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `multipart.aborted`: “multipart upload aborted”.
public struct MultipartAborted: TransferEvent {
  public static var kind: EventKind { .multipartAborted }

  /// A multipart upload, identified by the server.
  public let upload: CorrelationID
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?

  @inlinable
  public init(
    upload: CorrelationID,
    task: TaskIdentity? = nil
  ) {
    self.upload = upload
    self.task = task
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    encoder.put(upload.rawValue, at: 0)
    if let task { encoder.put(task, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `message.debug`: “[{subsystem}:{category}] {eventMessage}”.
public struct MessageDebug: TransferEvent {
  public static var kind: EventKind { .messageDebug }

  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?
  /// The literal text and its arguments, each with its own privacy.
  public let eventMessage: LogMessage?
  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The module and file of the code, as in Swift's `#fileID`.
  public let fileID: String?
  /// The function of the code.
  public let function: String?
  /// The line of the code, from 1.
  public let line: Int?

  @inlinable
  public init(
    subsystem: String? = nil,
    category: String? = nil,
    eventMessage: LogMessage? = nil,
    activity: CorrelationID? = nil,
    task: TaskIdentity? = nil,
    fileID: String? = nil,
    function: String? = nil,
    line: Int? = nil
  ) {
    self.subsystem = subsystem
    self.category = category
    self.eventMessage = eventMessage
    self.activity = activity
    self.task = task
    self.fileID = fileID
    self.function = function
    self.line = line
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    if let activity { encoder.put(activity.rawValue, at: 0) }
    if let subsystem { encoder.put(symbol: subsystem, at: 1) }
    if let category { encoder.put(symbol: category, at: 2) }
    if let task { encoder.put(task, at: 3) }
    if let fileID { encoder.put(symbol: fileID, at: 4) }
    if let function { encoder.put(symbol: function, at: 5) }
    if let line { encoder.put(number: line, at: 6) }
    if let eventMessage { encoder.put(message: eventMessage, .eventMessage, at: 7) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `message.info`: “[{subsystem}:{category}] {eventMessage}”.
public struct MessageInfo: TransferEvent {
  public static var kind: EventKind { .messageInfo }

  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?
  /// The literal text and its arguments, each with its own privacy.
  public let eventMessage: LogMessage?
  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The module and file of the code, as in Swift's `#fileID`.
  public let fileID: String?
  /// The function of the code.
  public let function: String?
  /// The line of the code, from 1.
  public let line: Int?

  @inlinable
  public init(
    subsystem: String? = nil,
    category: String? = nil,
    eventMessage: LogMessage? = nil,
    activity: CorrelationID? = nil,
    task: TaskIdentity? = nil,
    fileID: String? = nil,
    function: String? = nil,
    line: Int? = nil
  ) {
    self.subsystem = subsystem
    self.category = category
    self.eventMessage = eventMessage
    self.activity = activity
    self.task = task
    self.fileID = fileID
    self.function = function
    self.line = line
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    if let activity { encoder.put(activity.rawValue, at: 0) }
    if let subsystem { encoder.put(symbol: subsystem, at: 1) }
    if let category { encoder.put(symbol: category, at: 2) }
    if let task { encoder.put(task, at: 3) }
    if let fileID { encoder.put(symbol: fileID, at: 4) }
    if let function { encoder.put(symbol: function, at: 5) }
    if let line { encoder.put(number: line, at: 6) }
    if let eventMessage { encoder.put(message: eventMessage, .eventMessage, at: 7) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `message.default`: “[{subsystem}:{category}] {eventMessage}”.
public struct MessageDefault: TransferEvent {
  public static var kind: EventKind { .messageDefault }

  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?
  /// The literal text and its arguments, each with its own privacy.
  public let eventMessage: LogMessage?
  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The module and file of the code, as in Swift's `#fileID`.
  public let fileID: String?
  /// The function of the code.
  public let function: String?
  /// The line of the code, from 1.
  public let line: Int?

  @inlinable
  public init(
    subsystem: String? = nil,
    category: String? = nil,
    eventMessage: LogMessage? = nil,
    activity: CorrelationID? = nil,
    task: TaskIdentity? = nil,
    fileID: String? = nil,
    function: String? = nil,
    line: Int? = nil
  ) {
    self.subsystem = subsystem
    self.category = category
    self.eventMessage = eventMessage
    self.activity = activity
    self.task = task
    self.fileID = fileID
    self.function = function
    self.line = line
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    if let activity { encoder.put(activity.rawValue, at: 0) }
    if let subsystem { encoder.put(symbol: subsystem, at: 1) }
    if let category { encoder.put(symbol: category, at: 2) }
    if let task { encoder.put(task, at: 3) }
    if let fileID { encoder.put(symbol: fileID, at: 4) }
    if let function { encoder.put(symbol: function, at: 5) }
    if let line { encoder.put(number: line, at: 6) }
    if let eventMessage { encoder.put(message: eventMessage, .eventMessage, at: 7) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `message.error`: “[{subsystem}:{category}] {eventMessage}”.
public struct MessageError: TransferEvent {
  public static var kind: EventKind { .messageError }

  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?
  /// The literal text and its arguments, each with its own privacy.
  public let eventMessage: LogMessage?
  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The module and file of the code, as in Swift's `#fileID`.
  public let fileID: String?
  /// The function of the code.
  public let function: String?
  /// The line of the code, from 1.
  public let line: Int?

  @inlinable
  public init(
    subsystem: String? = nil,
    category: String? = nil,
    eventMessage: LogMessage? = nil,
    activity: CorrelationID? = nil,
    task: TaskIdentity? = nil,
    fileID: String? = nil,
    function: String? = nil,
    line: Int? = nil
  ) {
    self.subsystem = subsystem
    self.category = category
    self.eventMessage = eventMessage
    self.activity = activity
    self.task = task
    self.fileID = fileID
    self.function = function
    self.line = line
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    if let activity { encoder.put(activity.rawValue, at: 0) }
    if let subsystem { encoder.put(symbol: subsystem, at: 1) }
    if let category { encoder.put(symbol: category, at: 2) }
    if let task { encoder.put(task, at: 3) }
    if let fileID { encoder.put(symbol: fileID, at: 4) }
    if let function { encoder.put(symbol: function, at: 5) }
    if let line { encoder.put(number: line, at: 6) }
    if let eventMessage { encoder.put(message: eventMessage, .eventMessage, at: 7) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `message.fault`: “[{subsystem}:{category}] {eventMessage}”.
public struct MessageFault: TransferEvent {
  public static var kind: EventKind { .messageFault }

  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?
  /// The literal text and its arguments, each with its own privacy.
  public let eventMessage: LogMessage?
  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The module and file of the code, as in Swift's `#fileID`.
  public let fileID: String?
  /// The function of the code.
  public let function: String?
  /// The line of the code, from 1.
  public let line: Int?

  @inlinable
  public init(
    subsystem: String? = nil,
    category: String? = nil,
    eventMessage: LogMessage? = nil,
    activity: CorrelationID? = nil,
    task: TaskIdentity? = nil,
    fileID: String? = nil,
    function: String? = nil,
    line: Int? = nil
  ) {
    self.subsystem = subsystem
    self.category = category
    self.eventMessage = eventMessage
    self.activity = activity
    self.task = task
    self.fileID = fileID
    self.function = function
    self.line = line
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    if let activity { encoder.put(activity.rawValue, at: 0) }
    if let subsystem { encoder.put(symbol: subsystem, at: 1) }
    if let category { encoder.put(symbol: category, at: 2) }
    if let task { encoder.put(task, at: 3) }
    if let fileID { encoder.put(symbol: fileID, at: 4) }
    if let function { encoder.put(symbol: function, at: 5) }
    if let line { encoder.put(number: line, at: 6) }
    if let eventMessage { encoder.put(message: eventMessage, .eventMessage, at: 7) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `signpost.begun`: “[{subsystem}:{category}] {name} begins: {eventMessage}”.
public struct SignpostBegun: TransferEvent {
  public static var kind: EventKind { .signpostBegun }

  /// Distinguishes intervals with the same name.
  public let signpost: CorrelationID
  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?
  /// A name from the app's code.
  public let name: String
  /// The literal text and its arguments, each with its own privacy.
  public let eventMessage: LogMessage?
  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?

  @inlinable
  public init(
    signpost: CorrelationID,
    subsystem: String? = nil,
    category: String? = nil,
    name: String,
    eventMessage: LogMessage? = nil,
    activity: CorrelationID? = nil,
    task: TaskIdentity? = nil
  ) {
    self.signpost = signpost
    self.subsystem = subsystem
    self.category = category
    self.name = name
    self.eventMessage = eventMessage
    self.activity = activity
    self.task = task
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    encoder.put(signpost.rawValue, at: 0)
    if let activity { encoder.put(activity.rawValue, at: 1) }
    if let subsystem { encoder.put(symbol: subsystem, at: 2) }
    if let category { encoder.put(symbol: category, at: 3) }
    encoder.put(symbol: name, at: 4)
    if let task { encoder.put(task, at: 5) }
    if let eventMessage { encoder.put(message: eventMessage, .eventMessage, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `signpost.ended`: “[{subsystem}:{category}] {name} ends: {eventMessage}”.
public struct SignpostEnded: TransferEvent {
  public static var kind: EventKind { .signpostEnded }

  /// Distinguishes intervals with the same name.
  public let signpost: CorrelationID
  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?
  /// A name from the app's code.
  public let name: String
  /// The literal text and its arguments, each with its own privacy.
  public let eventMessage: LogMessage?
  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?

  @inlinable
  public init(
    signpost: CorrelationID,
    subsystem: String? = nil,
    category: String? = nil,
    name: String,
    eventMessage: LogMessage? = nil,
    activity: CorrelationID? = nil,
    task: TaskIdentity? = nil
  ) {
    self.signpost = signpost
    self.subsystem = subsystem
    self.category = category
    self.name = name
    self.eventMessage = eventMessage
    self.activity = activity
    self.task = task
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    encoder.put(signpost.rawValue, at: 0)
    if let activity { encoder.put(activity.rawValue, at: 1) }
    if let subsystem { encoder.put(symbol: subsystem, at: 2) }
    if let category { encoder.put(symbol: category, at: 3) }
    encoder.put(symbol: name, at: 4)
    if let task { encoder.put(task, at: 5) }
    if let eventMessage { encoder.put(message: eventMessage, .eventMessage, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `signpost.emitted`: “[{subsystem}:{category}] {name}: {eventMessage}”.
public struct SignpostEmitted: TransferEvent {
  public static var kind: EventKind { .signpostEmitted }

  /// Distinguishes intervals with the same name.
  public let signpost: CorrelationID
  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?
  /// A name from the app's code.
  public let name: String
  /// The literal text and its arguments, each with its own privacy.
  public let eventMessage: LogMessage?
  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID?
  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?

  @inlinable
  public init(
    signpost: CorrelationID,
    subsystem: String? = nil,
    category: String? = nil,
    name: String,
    eventMessage: LogMessage? = nil,
    activity: CorrelationID? = nil,
    task: TaskIdentity? = nil
  ) {
    self.signpost = signpost
    self.subsystem = subsystem
    self.category = category
    self.name = name
    self.eventMessage = eventMessage
    self.activity = activity
    self.task = task
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 32)
    encoder.put(signpost.rawValue, at: 0)
    if let activity { encoder.put(activity.rawValue, at: 1) }
    if let subsystem { encoder.put(symbol: subsystem, at: 2) }
    if let category { encoder.put(symbol: category, at: 3) }
    encoder.put(symbol: name, at: 4)
    if let task { encoder.put(task, at: 5) }
    if let eventMessage { encoder.put(message: eventMessage, .eventMessage, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `activity.begun`: “activity {name} begins”.
public struct ActivityBegun: TransferEvent {
  public static var kind: EventKind { .activityBegun }

  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID
  /// The activity within which this one began.
  public let parentActivity: CorrelationID?
  /// A name from the app's code.
  public let name: String
  /// The subsystem that writes, in reverse domain notation.
  public let subsystem: String?
  /// The category within the subsystem.
  public let category: String?

  @inlinable
  public init(
    activity: CorrelationID,
    parentActivity: CorrelationID? = nil,
    name: String,
    subsystem: String? = nil,
    category: String? = nil
  ) {
    self.activity = activity
    self.parentActivity = parentActivity
    self.name = name
    self.subsystem = subsystem
    self.category = category
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    encoder.put(activity.rawValue, at: 0)
    if let parentActivity { encoder.put(parentActivity.rawValue, at: 1) }
    encoder.put(symbol: name, at: 2)
    if let subsystem { encoder.put(symbol: subsystem, at: 3) }
    if let category { encoder.put(symbol: category, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `activity.ended`: “activity {name} ends”.
public struct ActivityEnded: TransferEvent {
  public static var kind: EventKind { .activityEnded }

  /// The activity to which the code belongs, including all that the code awaits.
  public let activity: CorrelationID
  /// A name from the app's code.
  public let name: String

  @inlinable
  public init(
    activity: CorrelationID,
    name: String
  ) {
    self.activity = activity
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    encoder.put(activity.rawValue, at: 0)
    encoder.put(symbol: name, at: 1)
    encoder.finish(presenceSize: 4)
  }
}

/// The event `cache.answered`: “answered from the cache ({cacheAnswer}): {status}, {size}, {age} old”.
public struct CacheAnswered: TransferEvent {
  public static var kind: EventKind { .cacheAnswered }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The digest of the whole URL, to distinguish resources.
  public let resource: ValueDigest?
  /// The reason why a stored response could be used.
  public let cacheAnswer: CacheAnswer?
  /// The HTTP status.
  public let status: Int?
  /// The size in bytes.
  public let size: Int64?
  /// The age of the stored response or file (for responses, RFC 9111 §4.2.3).
  public let age: Duration?
  /// The time for which the response is fresh, from its origin.
  public let lifetime: Duration?
  /// The value of `ETag`.
  public let etag: String?
  /// The value of `Last-Modified`.
  public let lastModified: String?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    resource: ValueDigest? = nil,
    cacheAnswer: CacheAnswer? = nil,
    status: Int? = nil,
    size: Int64? = nil,
    age: Duration? = nil,
    lifetime: Duration? = nil,
    etag: String? = nil,
    lastModified: String? = nil
  ) {
    self.task = task
    self.resource = resource
    self.cacheAnswer = cacheAnswer
    self.status = status
    self.size = size
    self.age = age
    self.lifetime = lifetime
    self.etag = etag
    self.lastModified = lastModified
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 41)
    if let resource { encoder.put(resource.rawValue, at: 0) }
    if let size { encoder.put(size, at: 1) }
    if let age { encoder.put(age, at: 2) }
    if let lifetime { encoder.put(lifetime, at: 3) }
    if let task { encoder.put(task, at: 4) }
    if let status { encoder.put(number: status, at: 5) }
    if let cacheAnswer { encoder.put(cacheAnswer.rawValue, at: 6) }
    if let etag { encoder.put(text: etag, .public, .etag, at: 7) }
    if let lastModified { encoder.put(text: lastModified, .public, .lastModified, at: 8) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `cache.missed`: “no stored response could be used: {cacheMiss}”.
public struct CacheMissed: TransferEvent {
  public static var kind: EventKind { .cacheMissed }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The digest of the whole URL, to distinguish resources.
  public let resource: ValueDigest?
  /// The reason why the server had to be asked.
  public let cacheMiss: CacheMiss?
  /// The age of the stored response or file (for responses, RFC 9111 §4.2.3).
  public let age: Duration?
  /// The time for which the response is fresh, from its origin.
  public let lifetime: Duration?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    resource: ValueDigest? = nil,
    cacheMiss: CacheMiss? = nil,
    age: Duration? = nil,
    lifetime: Duration? = nil
  ) {
    self.task = task
    self.resource = resource
    self.cacheMiss = cacheMiss
    self.age = age
    self.lifetime = lifetime
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 29)
    if let resource { encoder.put(resource.rawValue, at: 0) }
    if let age { encoder.put(age, at: 1) }
    if let lifetime { encoder.put(lifetime, at: 2) }
    if let task { encoder.put(task, at: 3) }
    if let cacheMiss { encoder.put(cacheMiss.rawValue, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `cache.stored`: “{size} stored, fresh for {lifetime}”.
public struct CacheStored: TransferEvent {
  public static var kind: EventKind { .cacheStored }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The digest of the whole URL, to distinguish resources.
  public let resource: ValueDigest?
  /// The HTTP status.
  public let status: Int?
  /// The size in bytes.
  public let size: Int64?
  /// The age of the stored response or file (for responses, RFC 9111 §4.2.3).
  public let age: Duration?
  /// The time for which the response is fresh, from its origin.
  public let lifetime: Duration?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    resource: ValueDigest? = nil,
    status: Int? = nil,
    size: Int64? = nil,
    age: Duration? = nil,
    lifetime: Duration? = nil
  ) {
    self.task = task
    self.resource = resource
    self.status = status
    self.size = size
    self.age = age
    self.lifetime = lifetime
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 40)
    if let resource { encoder.put(resource.rawValue, at: 0) }
    if let size { encoder.put(size, at: 1) }
    if let age { encoder.put(age, at: 2) }
    if let lifetime { encoder.put(lifetime, at: 3) }
    if let task { encoder.put(task, at: 4) }
    if let status { encoder.put(number: status, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `cache.removed`: “{count} stored responses removed: {cacheRemoval}”.
public struct CacheRemoved: TransferEvent {
  public static var kind: EventKind { .cacheRemoved }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The digest of the whole URL, to distinguish resources.
  public let resource: ValueDigest?
  /// The reason why a stored response was removed.
  public let cacheRemoval: CacheRemoval?
  /// The number of items.
  public let count: Int64?
  /// The size in bytes.
  public let size: Int64?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    resource: ValueDigest? = nil,
    cacheRemoval: CacheRemoval? = nil,
    count: Int64? = nil,
    size: Int64? = nil
  ) {
    self.task = task
    self.resource = resource
    self.cacheRemoval = cacheRemoval
    self.count = count
    self.size = size
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 29)
    if let resource { encoder.put(resource.rawValue, at: 0) }
    if let count { encoder.put(count, at: 1) }
    if let size { encoder.put(size, at: 2) }
    if let task { encoder.put(task, at: 3) }
    if let cacheRemoval { encoder.put(cacheRemoval.rawValue, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `disk.openFailed`: “{file} cannot be opened (errno {osError})”.
public struct DiskOpenFailed: TransferEvent {
  public static var kind: EventKind { .diskOpenFailed }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The path of a file.
  public let file: String?
  /// The errno; missing if unknown.
  public let osError: Int?
  /// The app's data directory.
  public let container: String?
  /// Whether the file exists.
  public let exists: Bool?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    file: String? = nil,
    osError: Int? = nil,
    container: String? = nil,
    exists: Bool? = nil
  ) {
    self.task = task
    self.file = file
    self.osError = osError
    self.container = container
    self.exists = exists
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 9)
    if let task { encoder.put(task, at: 0) }
    if let osError { encoder.put(number: osError, at: 1) }
    if let exists { encoder.put(exists ? 1 : 0 as UInt8, at: 2) }
    if let file { encoder.put(text: file, .private, .file, at: 3) }
    if let container { encoder.put(text: container, .private, .container, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `disk.leftOverFound`: “{file} is left over: {size}, {age} old”.
public struct DiskLeftOverFound: TransferEvent {
  public static var kind: EventKind { .diskLeftOverFound }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity?
  /// The path of a file.
  public let file: String?
  /// The inode of the file.
  public let inode: Int64?
  /// The size in bytes.
  public let size: Int64?
  /// The age of the stored response or file (for responses, RFC 9111 §4.2.3).
  public let age: Duration?
  /// The uid of the task for which the file was created, if only that is known.
  public let owner: String?

  @inlinable
  public init(
    task: TaskIdentity? = nil,
    file: String? = nil,
    inode: Int64? = nil,
    size: Int64? = nil,
    age: Duration? = nil,
    owner: String? = nil
  ) {
    self.task = task
    self.file = file
    self.inode = inode
    self.size = size
    self.age = age
    self.owner = owner
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let inode { encoder.put(inode, at: 0) }
    if let size { encoder.put(size, at: 1) }
    if let age { encoder.put(age, at: 2) }
    if let task { encoder.put(task, at: 3) }
    if let file { encoder.put(text: file, .private, .file, at: 4) }
    if let owner { encoder.put(text: owner, .public, .owner, at: 5) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.lockTaken`: “lock {name} acquired”.
public struct AppLockTaken: TransferEvent {
  public static var kind: EventKind { .appLockTaken }

  /// One period for which a lock is held.
  public let lock: CorrelationID?
  /// A name from the app's code.
  public let name: String?

  @inlinable
  public init(
    lock: CorrelationID? = nil,
    name: String? = nil
  ) {
    self.lock = lock
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let lock { encoder.put(lock.rawValue, at: 0) }
    if let name { encoder.put(symbol: name, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.lockReleased`: “lock {name} released”.
public struct AppLockReleased: TransferEvent {
  public static var kind: EventKind { .appLockReleased }

  /// One period for which a lock is held.
  public let lock: CorrelationID?
  /// A name from the app's code.
  public let name: String?

  @inlinable
  public init(
    lock: CorrelationID? = nil,
    name: String? = nil
  ) {
    self.lock = lock
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 12)
    if let lock { encoder.put(lock.rawValue, at: 0) }
    if let name { encoder.put(symbol: name, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `app.lockTimedOut`: “lock {name} timed out, waited {elapsed}”.
public struct AppLockTimedOut: TransferEvent {
  public static var kind: EventKind { .appLockTimedOut }

  /// One period for which a lock is held.
  public let lock: CorrelationID?
  /// A name from the app's code.
  public let name: String?
  /// The elapsed time, so far or in total.
  public let elapsed: Duration?

  @inlinable
  public init(
    lock: CorrelationID? = nil,
    name: String? = nil,
    elapsed: Duration? = nil
  ) {
    self.lock = lock
    self.name = name
    self.elapsed = elapsed
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    if let lock { encoder.put(lock.rawValue, at: 0) }
    if let elapsed { encoder.put(elapsed, at: 1) }
    if let name { encoder.put(symbol: name, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `log.stalled`: “the log blocked its writer for {elapsed}: {logWork}”.
public struct LogStalled: TransferEvent {
  public static var kind: EventKind { .logStalled }

  /// The work for which the log had to wait.
  public let logWork: LogWork?
  /// The elapsed time, so far or in total.
  public let elapsed: Duration?
  /// Whether the code ran on the main thread.
  public let onMainThread: Bool?
  /// The number of a segment within the log.
  public let segment: Int64?

  @inlinable
  public init(
    logWork: LogWork? = nil,
    elapsed: Duration? = nil,
    onMainThread: Bool? = nil,
    segment: Int64? = nil
  ) {
    self.logWork = logWork
    self.elapsed = elapsed
    self.onMainThread = onMainThread
    self.segment = segment
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 18)
    if let elapsed { encoder.put(elapsed, at: 0) }
    if let segment { encoder.put(segment, at: 1) }
    if let logWork { encoder.put(logWork.rawValue, at: 2) }
    if let onMainThread { encoder.put(onMainThread ? 1 : 0 as UInt8, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `task.observed`: “another program's log names the task: {type}”.
public struct TaskObserved: TransferEvent {
  public static var kind: EventKind { .taskObserved }

  /// The task: its uid, its session, and its number in the session.
  public let task: TaskIdentity
  /// The type of the task.
  public let type: TaskType?
  /// The kind of the session.
  public let sessionKind: SessionKind?

  @inlinable
  public init(
    task: TaskIdentity,
    type: TaskType? = nil,
    sessionKind: SessionKind? = nil
  ) {
    self.task = task
    self.type = type
    self.sessionKind = sessionKind
  }

  public var subject: TaskIdentity? { task }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 6)
    encoder.put(task, at: 0)
    if let type { encoder.put(type.rawValue, at: 1) }
    if let sessionKind { encoder.put(sessionKind.rawValue, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `session.observed`: “another program's log names the {sessionKind} session {session}”.
public struct SessionObserved: TransferEvent {
  public static var kind: EventKind { .sessionObserved }

  /// A session's identifier.
  public let session: String
  /// One session object. Several objects may have the same identifier.
  public let instance: CorrelationID?
  /// The kind of the session.
  public let sessionKind: SessionKind?
  /// The file name of the program.
  public let executable: String?

  @inlinable
  public init(
    session: String,
    instance: CorrelationID? = nil,
    sessionKind: SessionKind? = nil,
    executable: String? = nil
  ) {
    self.session = session
    self.instance = instance
    self.sessionKind = sessionKind
    self.executable = executable
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 17)
    if let instance { encoder.put(instance.rawValue, at: 0) }
    encoder.put(symbol: session, at: 1)
    if let executable { encoder.put(symbol: executable, at: 2) }
    if let sessionKind { encoder.put(sessionKind.rawValue, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `assertion.overdue`: “{name} has not been ended for {elapsed}”.
public struct AssertionOverdue: TransferEvent {
  public static var kind: EventKind { .assertionOverdue }

  /// A background assertion.
  public let assertion: CorrelationID
  /// A name from the app's code.
  public let name: String?
  /// The elapsed time, so far or in total.
  public let elapsed: Duration?

  @inlinable
  public init(
    assertion: CorrelationID,
    name: String? = nil,
    elapsed: Duration? = nil
  ) {
    self.assertion = assertion
    self.name = name
    self.elapsed = elapsed
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 20)
    encoder.put(assertion.rawValue, at: 0)
    if let elapsed { encoder.put(elapsed, at: 1) }
    if let name { encoder.put(symbol: name, at: 2) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `process.assertionTimedOut`: “the system took back an expired assertion on {executable}”.
public struct ProcessAssertionTimedOut: TransferEvent {
  public static var kind: EventKind { .processAssertionTimedOut }

  /// A process life.
  public let launch: LaunchID?
  /// The process id.
  public let pid: Int?
  /// The file name of the program.
  public let executable: String?
  /// A name from the app's code.
  public let name: String?

  @inlinable
  public init(
    launch: LaunchID? = nil,
    pid: Int? = nil,
    executable: String? = nil,
    name: String? = nil
  ) {
    self.launch = launch
    self.pid = pid
    self.executable = executable
    self.name = name
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let pid { encoder.put(number: pid, at: 1) }
    if let executable { encoder.put(symbol: executable, at: 2) }
    if let name { encoder.put(symbol: name, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `process.launchFailed`: “{executable} could not be launched”.
public struct ProcessLaunchFailed: TransferEvent {
  public static var kind: EventKind { .processLaunchFailed }

  /// A process life.
  public let launch: LaunchID?
  /// The process id.
  public let pid: Int?
  /// The file name of the program.
  public let executable: String?
  /// The errno; missing if unknown.
  public let osError: Int?
  /// A message in words.
  public let message: String?

  @inlinable
  public init(
    launch: LaunchID? = nil,
    pid: Int? = nil,
    executable: String? = nil,
    osError: Int? = nil,
    message: String? = nil
  ) {
    self.launch = launch
    self.pid = pid
    self.executable = executable
    self.osError = osError
    self.message = message
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let pid { encoder.put(number: pid, at: 1) }
    if let executable { encoder.put(symbol: executable, at: 2) }
    if let osError { encoder.put(number: osError, at: 3) }
    if let message { encoder.put(text: message, .private, .message, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `process.watchdogWithheld`: “{executable} exceeded the limit of the watchdog {name} and was not terminated”.
public struct ProcessWatchdogWithheld: TransferEvent {
  public static var kind: EventKind { .processWatchdogWithheld }

  /// A process life.
  public let launch: LaunchID?
  /// The process id.
  public let pid: Int?
  /// The file name of the program.
  public let executable: String?
  /// A name from the app's code.
  public let name: String?
  /// Whether a debugger is attached, or the app says so.
  public let debugger: Bool?

  @inlinable
  public init(
    launch: LaunchID? = nil,
    pid: Int? = nil,
    executable: String? = nil,
    name: String? = nil,
    debugger: Bool? = nil
  ) {
    self.launch = launch
    self.pid = pid
    self.executable = executable
    self.name = name
    self.debugger = debugger
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 29)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let pid { encoder.put(number: pid, at: 1) }
    if let executable { encoder.put(symbol: executable, at: 2) }
    if let name { encoder.put(symbol: name, at: 3) }
    if let debugger { encoder.put(debugger ? 1 : 0 as UInt8, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `import.fileOpened`: “file {importFile} is {name}, in the format {format}”.
public struct ImportFileOpened: TransferEvent {
  public static var kind: EventKind { .importFileOpened }

  /// The number of a file from which the log was converted, from 1.
  public let importFile: Int?
  /// A name from the app's code.
  public let name: String?
  /// The name of a log format, such as `har`.
  public let format: String?
  /// The size in bytes.
  public let size: Int64?
  /// The digest of the bytes.
  public let content: ValueDigest?

  @inlinable
  public init(
    importFile: Int? = nil,
    name: String? = nil,
    format: String? = nil,
    size: Int64? = nil,
    content: ValueDigest? = nil
  ) {
    self.importFile = importFile
    self.name = name
    self.format = format
    self.size = size
    self.content = content
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let size { encoder.put(size, at: 0) }
    if let content { encoder.put(content.rawValue, at: 1) }
    if let importFile { encoder.put(number: importFile, at: 2) }
    if let name { encoder.put(symbol: name, at: 3) }
    if let format { encoder.put(symbol: format, at: 4) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `import.writerFound`: “writer {importWriter} of file {importFile} is {executable}”.
public struct ImportWriterFound: TransferEvent {
  public static var kind: EventKind { .importWriterFound }

  /// The number of a writer in the files from which the log was converted, from 1.
  public let importWriter: Int?
  /// The number of a file from which the log was converted, from 1.
  public let importFile: Int?
  /// A process life.
  public let launch: LaunchID?
  /// A run of the machine.
  public let boot: BootID?
  /// The identifier of an installation, as a UUID.
  public let installation: String?
  /// The process id.
  public let pid: Int?
  /// The role of the process that writes.
  public let role: WriterRole?
  /// The file name of the program.
  public let executable: String?
  /// The version of the program.
  public let version: String?
  /// The version of the operating system.
  public let osVersion: String?
  /// The form in which private values are stored.
  public let captureMode: CaptureMode?
  /// The lowest level that is written, with exceptions, such as `default` or `default,com.example=debug`.
  public let levels: String?
  /// A noun phrase for a kind of log whose silence proves nothing, such as `an HTTP Archive`.
  public let coverage: String?
  /// The events that such a log can contain, joined by commas. `+apple` marks Apple's log, `+open` one that may lack ends.
  public let coveredEvents: String?

  @inlinable
  public init(
    importWriter: Int? = nil,
    importFile: Int? = nil,
    launch: LaunchID? = nil,
    boot: BootID? = nil,
    installation: String? = nil,
    pid: Int? = nil,
    role: WriterRole? = nil,
    executable: String? = nil,
    version: String? = nil,
    osVersion: String? = nil,
    captureMode: CaptureMode? = nil,
    levels: String? = nil,
    coverage: String? = nil,
    coveredEvents: String? = nil
  ) {
    self.importWriter = importWriter
    self.importFile = importFile
    self.launch = launch
    self.boot = boot
    self.installation = installation
    self.pid = pid
    self.role = role
    self.executable = executable
    self.version = version
    self.osVersion = osVersion
    self.captureMode = captureMode
    self.levels = levels
    self.coverage = coverage
    self.coveredEvents = coveredEvents
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 70)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let boot { encoder.put(high: boot.high, low: boot.low, at: 1) }
    if let importWriter { encoder.put(number: importWriter, at: 2) }
    if let importFile { encoder.put(number: importFile, at: 3) }
    if let installation { encoder.put(symbol: installation, at: 4) }
    if let pid { encoder.put(number: pid, at: 5) }
    if let executable { encoder.put(symbol: executable, at: 6) }
    if let version { encoder.put(symbol: version, at: 7) }
    if let osVersion { encoder.put(symbol: osVersion, at: 8) }
    if let levels { encoder.put(symbol: levels, at: 9) }
    if let coverage { encoder.put(symbol: coverage, at: 10) }
    if let role { encoder.put(role.rawValue, at: 11) }
    if let captureMode { encoder.put(captureMode.rawValue, at: 12) }
    if let coveredEvents { encoder.put(text: coveredEvents, .public, .coveredEvents, at: 13) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `import.eventRead`: “line {importLine}: {original}”.
public struct ImportEventRead: TransferEvent {
  public static var kind: EventKind { .importEventRead }

  /// The number of a writer in the files from which the log was converted, from 1.
  public let importWriter: Int?
  /// The line of the file, or the number of the record in a file without lines, from 1.
  public let importLine: Int64?
  /// The wall clock.
  public let wallClock: WallTime?
  /// The time since boot, including sleep.
  public let boottimeClock: Duration?
  /// The reading of the clock that stops while the machine sleeps.
  public let monotonicClock: Duration?
  /// The number of a thread.
  public let threadNumber: Int64?
  /// The text of the line from which an event was read.
  public let original: String?

  @inlinable
  public init(
    importWriter: Int? = nil,
    importLine: Int64? = nil,
    wallClock: WallTime? = nil,
    boottimeClock: Duration? = nil,
    monotonicClock: Duration? = nil,
    threadNumber: Int64? = nil,
    original: String? = nil
  ) {
    self.importWriter = importWriter
    self.importLine = importLine
    self.wallClock = wallClock
    self.boottimeClock = boottimeClock
    self.monotonicClock = monotonicClock
    self.threadNumber = threadNumber
    self.original = original
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 44)
    if let importLine { encoder.put(importLine, at: 0) }
    if let wallClock { encoder.put(wallClock.nanoseconds, at: 1) }
    if let boottimeClock { encoder.put(boottimeClock, at: 2) }
    if let monotonicClock { encoder.put(monotonicClock, at: 3) }
    if let threadNumber { encoder.put(threadNumber, at: 4) }
    if let importWriter { encoder.put(number: importWriter, at: 5) }
    if let original { encoder.put(text: original, .private, .original, at: 6) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `import.gapFound`: “lines {importLine} to {lastLine} of file {importFile} are missing: {reason} {message}”.
public struct ImportGapFound: TransferEvent {
  public static var kind: EventKind { .importGapFound }

  /// The number of a file from which the log was converted, from 1.
  public let importFile: Int?
  /// The reason, as a short word.
  public let reason: String?
  /// A message in words.
  public let message: String?
  /// The line of the file, or the number of the record in a file without lines, from 1.
  public let importLine: Int64?
  /// The last line of a range, or of the file.
  public let lastLine: Int64?
  /// The wall clock.
  public let wallClock: WallTime?
  /// The time since boot, including sleep.
  public let boottimeClock: Duration?
  /// The reading of the clock that stops while the machine sleeps.
  public let monotonicClock: Duration?
  /// A process life.
  public let launch: LaunchID?
  /// The identifier of an installation, as a UUID.
  public let installation: String?
  /// A run of the machine.
  public let boot: BootID?
  /// The words for a file, a stream and a record, such as `file/files stream/streams line/lines`.
  public let terms: String?

  @inlinable
  public init(
    importFile: Int? = nil,
    reason: String? = nil,
    message: String? = nil,
    importLine: Int64? = nil,
    lastLine: Int64? = nil,
    wallClock: WallTime? = nil,
    boottimeClock: Duration? = nil,
    monotonicClock: Duration? = nil,
    launch: LaunchID? = nil,
    installation: String? = nil,
    boot: BootID? = nil,
    terms: String? = nil
  ) {
    self.importFile = importFile
    self.reason = reason
    self.message = message
    self.importLine = importLine
    self.lastLine = lastLine
    self.wallClock = wallClock
    self.boottimeClock = boottimeClock
    self.monotonicClock = monotonicClock
    self.launch = launch
    self.installation = installation
    self.boot = boot
    self.terms = terms
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 88)
    if let launch { encoder.put(high: launch.high, low: launch.low, at: 0) }
    if let boot { encoder.put(high: boot.high, low: boot.low, at: 1) }
    if let importLine { encoder.put(importLine, at: 2) }
    if let lastLine { encoder.put(lastLine, at: 3) }
    if let wallClock { encoder.put(wallClock.nanoseconds, at: 4) }
    if let boottimeClock { encoder.put(boottimeClock, at: 5) }
    if let monotonicClock { encoder.put(monotonicClock, at: 6) }
    if let importFile { encoder.put(number: importFile, at: 7) }
    if let reason { encoder.put(symbol: reason, at: 8) }
    if let installation { encoder.put(symbol: installation, at: 9) }
    if let terms { encoder.put(symbol: terms, at: 10) }
    if let message { encoder.put(text: message, .private, .message, at: 11) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `import.gapEnded`: “the gap in file {importFile} ended”.
public struct ImportGapEnded: TransferEvent {
  public static var kind: EventKind { .importGapEnded }

  /// The number of a file from which the log was converted, from 1.
  public let importFile: Int?
  /// The wall clock.
  public let wallClock: WallTime?
  /// The time since boot, including sleep.
  public let boottimeClock: Duration?
  /// The reading of the clock that stops while the machine sleeps.
  public let monotonicClock: Duration?

  @inlinable
  public init(
    importFile: Int? = nil,
    wallClock: WallTime? = nil,
    boottimeClock: Duration? = nil,
    monotonicClock: Duration? = nil
  ) {
    self.importFile = importFile
    self.wallClock = wallClock
    self.boottimeClock = boottimeClock
    self.monotonicClock = monotonicClock
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let wallClock { encoder.put(wallClock.nanoseconds, at: 0) }
    if let boottimeClock { encoder.put(boottimeClock, at: 1) }
    if let monotonicClock { encoder.put(monotonicClock, at: 2) }
    if let importFile { encoder.put(number: importFile, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `import.fileRead`: “file {importFile} has {lastLine} lines, {count} records, {recognised} recognised”.
public struct ImportFileRead: TransferEvent {
  public static var kind: EventKind { .importFileRead }

  /// The number of a file from which the log was converted, from 1.
  public let importFile: Int?
  /// The last line of a range, or of the file.
  public let lastLine: Int64?
  /// The number of items.
  public let count: Int64?
  /// The number of records whose meaning is known.
  public let recognised: Int64?

  @inlinable
  public init(
    importFile: Int? = nil,
    lastLine: Int64? = nil,
    count: Int64? = nil,
    recognised: Int64? = nil
  ) {
    self.importFile = importFile
    self.lastLine = lastLine
    self.count = count
    self.recognised = recognised
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 28)
    if let lastLine { encoder.put(lastLine, at: 0) }
    if let count { encoder.put(count, at: 1) }
    if let recognised { encoder.put(recognised, at: 2) }
    if let importFile { encoder.put(number: importFile, at: 3) }
    encoder.finish(presenceSize: 4)
  }
}

/// The event `import.fileIncomplete`: “file {importFile} is incomplete: {message}”.
public struct ImportFileIncomplete: TransferEvent {
  public static var kind: EventKind { .importFileIncomplete }

  /// The number of a file from which the log was converted, from 1.
  public let importFile: Int?
  /// A message in words.
  public let message: String?

  @inlinable
  public init(
    importFile: Int? = nil,
    message: String? = nil
  ) {
    self.importFile = importFile
    self.message = message
  }

  public func encode(into encoder: inout FieldEncoder) {
    encoder.begin(presenceSize: 4, fixedSize: 4)
    if let importFile { encoder.put(number: importFile, at: 0) }
    if let message { encoder.put(text: message, .private, .message, at: 1) }
    encoder.finish(presenceSize: 4)
  }
}
