import CXferPlatform
import Synchronization
public import XferEvents

/// A log that is being written: the sink that keeps what it is given through SIGKILL.
///
/// `emit` costs about a memory copy, takes no lock that another process or thread could hold, and never fails: what
/// cannot be written is counted, and reported when writing works again. Any thread may emit. A forked child writes
/// segments of its own.
public final class EventLog: EventSink {
  public let directory: String
  /// Bit pattern of a retained `LogWriter`; replaced in a forked child.
  private let writer: Atomic<UInt>
  /// From here up the flight recorder takes what the log's levels leave out; above all levels without one.
  let detailLevel: UInt8

  /// Opens a log for writing; makes the directory when there is none.
  ///
  /// Records how earlier writers ended if they could not do so themselves. Throws where no log can be made; where there is
  /// only no room at present, events are counted until there is some. Who does without a log takes `NullSink`.
  public init(directory: String, configuration: LogConfiguration) throws(LogError) {
    try LogDirectory.create(directory)
    self.directory = directory
    detailLevel = configuration.flightRecorder?.level.rawValue ?? .max
    let writer = LogWriter(directory: directory, configuration: configuration)
    self.writer = Atomic(UInt(bitPattern: Unmanaged.passRetained(writer).toOpaque()))
    announce(writer)
    try writer.checkPlace()
    DeadWriters.record(in: directory, by: writer)
    _ = writer.maintenanceThread?.wake(for: writer)
  }

  deinit {
    let pointer = writer.load(ordering: .acquiring)
    let writer = Unmanaged<LogWriter>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
    // Nobody will wake the writer's thread any more.
    writer._withUnsafeGuaranteedRef { if $0.isSynchronised, !$0.isClosed, !$0.isForeign { $0.synchronise() } }
    writer.release()
  }

  @inline(__always)
  public func keeps(_ kind: EventKind) -> Bool { treatment(of: kind) != 0 }

  /// See `LogWriter.treatment`.
  @inline(__always)
  private func treatment(of kind: EventKind) -> UInt8 {
    let pointer = writer.load(ordering: .acquiring)
    let writer = Unmanaged<LogWriter>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
    return writer._withUnsafeGuaranteedRef { writer in
      if _slowPath(writer.mayHaveNewLevels) { return treatmentByNewLevels(kind) }
      return writer.treatment(of: kind)
    }
  }

  @inline(never)
  private func treatmentByNewLevels(_ kind: EventKind) -> UInt8 {
    // A forked child must not touch its parent's levels.
    present._withUnsafeGuaranteedRef { writer in
      writer.lookAtLevels()
      return writer.treatment(of: kind)
    }
  }

  public var keepsSecrets: Bool { present._withUnsafeGuaranteedRef { $0.configuration.privacy.mode == .full } }

  public func emit<Event: TransferEvent>(_ event: Event) {
    switch treatment(of: Event.kind) {
    case 0: break
    case 1: record(event)
    default: recordDetail(event)
    }
  }

  /// Whether what code says in words at this level is kept. Who asks often has a `CategoryLevel`.
  public func keeps(_ level: Level, subsystem: String, category: String) -> Bool {
    if level >= .default { return true }
    followLevels()
    return level >= self.level(subsystem: subsystem, category: category).level
  }

  /// Takes over levels that were changed meanwhile.
  ///
  /// - Returns: the number of those that hold now.
  @discardableResult
  func followLevels() -> UInt32 {
    present._withUnsafeGuaranteedRef { writer in
      if writer.mayHaveNewLevels { writer.lookAtLevels() }
      return writer.levelsVersion
    }
  }

  /// From which level up a category's messages are kept, and the number of the levels that say so.
  func level(subsystem: String, category: String) -> (level: Level, version: UInt32) {
    present._withUnsafeGuaranteedRef { $0.levels.level(subsystem: subsystem, category: category) }
  }

  /// The number of the levels that are known; `nil` when there may be others.
  @inline(__always)
  var levelsVersion: UInt32? {
    let pointer = writer.load(ordering: .acquiring)
    let writer = Unmanaged<LogWriter>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
    return writer._withUnsafeGuaranteedRef { $0.mayHaveNewLevels ? nil : $0.levelsVersion }
  }

  /// Writes an event that the caller has found to be kept.
  @inline(__always)
  func record<Event: TransferEvent>(_ event: Event) {
    present._withUnsafeGuaranteedRef { writer in
      writer.emit(event)
      if Event.kind.endsDetail { writer.recorder?.note(event) }
    }
  }

  /// Drawn at random, as the configuration does it: for activities and signposts.
  func makeIdentifier() -> UInt64 { present._withUnsafeGuaranteedRef { $0.configuration.random() } }

  /// As `emit`, for those who want to know where the event stands; it has survived when this returns.
  ///
  /// - Returns: `nil` for an event that the log's levels leave out.
  /// - Throws: why it could not be written; it is counted, as every event that could not be.
  public func append(_ event: some TransferEvent) throws(LogError) -> EventReference? {
    switch treatment(of: type(of: event).kind) {
    case 0: break
    case 1: return try appendKept(event)
    default: recordDetail(event)
    }
    return nil
  }

  /// As `append`, for an event that the caller has found to be kept.
  func appendKept(_ event: some TransferEvent) throws(LogError) -> EventReference {
    let writer = present.takeUnretainedValue()
    defer { if type(of: event).kind.endsDetail { writer.recorder?.note(event) } }
    return try writer.append(event)
  }

  /// This process life's name in the log.
  public var launch: LaunchID { present._withUnsafeGuaranteedRef { $0.launch } }
  public var processLaunch: LaunchID? { launch }

  /// Says that the process ends and closes the log. Call it last; what is emitted afterwards is counted only.
  public func close(exitCode: Int = 0, reason: ExitReason = .returned) {
    present._withUnsafeGuaranteedRef { writer in
      if writer.isClosed { return }
      // The last chance to tell what could not be written.
      writer.retryAt.store(.min, ordering: .relaxed)
      writer.emit(ProcessExited(launch: writer.launch, code: exitCode, exitReason: reason))
      writer.emit(LogClosed(dropped: writer.dropped))
      writer.close()
    }
  }

  /// Runs a body with the writer of this very process.
  func withWriter<Result>(_ body: (LogWriter) -> Result) -> Result { present._withUnsafeGuaranteedRef(body) }

  /// The writer of this very process.
  @inline(__always)
  private var present: Unmanaged<LogWriter> {
    let pointer = writer.load(ordering: .acquiring)
    let writer = Unmanaged<LogWriter>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
    return _slowPath(writer._withUnsafeGuaranteedRef { $0.isForeign }) ? replaceAfterFork(writer) : writer
  }

  /// A forked child must not touch its parent's locks or chunks, so it begins anew. The parent's writer is leaked on
  /// purpose: another thread may have been inside it at the fork. Of several threads that come here one makes the writer.
  @inline(never)
  private func replaceAfterFork(_ parent: Unmanaged<LogWriter>) -> Unmanaged<LogWriter> {
    var configuration = parent._withUnsafeGuaranteedRef { $0.configuration }
    configuration.process = .current()
    configuration.startReason = .unknown
    let child = LogWriter(directory: directory, configuration: configuration)
    let retained = Unmanaged.passRetained(child)
    let (isFirst, present) = writer.compareExchange(
      expected: UInt(bitPattern: parent.toOpaque()), desired: UInt(bitPattern: retained.toOpaque()),
      ordering: .acquiringAndReleasing)
    guard isFirst else {
      retained.release()
      return Unmanaged<LogWriter>.fromOpaque(UnsafeRawPointer(bitPattern: present)!)
    }
    announce(child)
    return retained
  }

  private func announce(_ writer: LogWriter) {
    let configuration = writer.configuration
    let clocks = configuration.clock.read()
    let synthetic = configuration.isSynthetic ? true : nil
    writer.emit(
      LogOpened(
        captureMode: configuration.privacy.mode, levels: writer.levels.inForce.text, version: configuration.version,
        synthetic: synthetic))
    writer.emit(ClockSampled(clocks, .opened))
    writer.emit(
      ProcessStarted(
        launch: writer.launch, boot: configuration.process.boot, pid: Int(configuration.process.pid),
        role: configuration.role, startReason: configuration.startReason,
        background: configuration.startsInBackground, mainThreadContract: configuration.hasMainThreadContract ? true : nil,
        executable: configuration.process.executable,
        version: configuration.version, synthetic: synthetic))
    // A file that cannot be read could not be told of before.
    if writer.mayHaveNewLevels { writer.lookAtLevels() }
    if configuration.privacy.mode == .full {
      writer.emit(
        MessageFault(
          subsystem: "xferlog", category: "privacy",
          eventMessage: "This log keeps everything, private values and secrets too: pass it to nobody."))
    }
  }
}

extension ClockSampled {
  init(_ clocks: ClockReading, _ reason: SampleReason) {
    self.init(
      wallClock: WallTime(nanoseconds: clocks.wall), boottimeClock: .nanoseconds(clocks.boottime), sampleReason: reason)
  }
}
