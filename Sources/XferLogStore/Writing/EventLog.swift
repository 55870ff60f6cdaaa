import CXferPlatform
import Synchronization
public import XferEvents

/// A log opened for writing: an event sink whose events survive SIGKILL.
///
/// `emit` usually costs about as much as a memory copy and takes no lock. It never fails: events that cannot be written are
/// counted, and the count is reported once writing works again. Any thread may emit. A forked child writes its own
/// segments.
public final class EventLog: EventSink {
  public let directory: String
  /// The bit pattern of a retained `LogWriter` pointer, replaced in a forked child.
  private let writer: Atomic<UInt>
  /// The lowest level that the flight recorder accepts among events that the log's levels exclude; above all levels if
  /// there is no flight recorder.
  let detailLevel: UInt8

  /// Opens a log for writing and creates its directory if needed.
  ///
  /// Also records the end of earlier writers that were killed. A temporary lack of disk space does not throw: events are
  /// counted until there is space. To run without a log, use `NullSink`.
  ///
  /// - Throws: `LogError` if no log can be created at the path.
  public init(directory: String, configuration: LogConfiguration) throws(LogError) {
    try LogDirectory.create(directory)
    if !configuration.isConversion, ConvertedLog.isConverted(directory) {
      throw LogError(
        .cannotCreate, place: directory, problem: "it is a log that was converted from logs of other programs",
        advice: "Nothing can be added to it; write to another log with $XFERLOG_DIR or --log.")
    }
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
    // From now on, no caller wakes the background sync thread, so sync the remaining events here.
    writer._withUnsafeGuaranteedRef { writer in
      if writer.isSynchronised, !writer.isClosed, !writer.isForeign { writer.synchronise() }
      writer.disown()
    }
    writer.release()
  }

  @inline(__always)
  public func keeps(_ kind: EventKind) -> Bool { treatment(of: kind) != 0 }

  /// Returns how the event kind is handled; see `LogWriter.treatment`.
  @inline(__always)
  private func treatment(of kind: EventKind) -> UInt8 {
    let pointer = writer.load(ordering: .acquiring)
    let writer = Unmanaged<LogWriter>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
    return writer._withUnsafeGuaranteedRef { writer in
      if _slowPath(writer.mayHaveNewLevels) { return treatmentAfterRefresh(kind) }
      return writer.treatment(of: kind)
    }
  }

  @inline(never)
  private func treatmentAfterRefresh(_ kind: EventKind) -> UInt8 {
    // A forked child must not use its parent's levels.
    currentWriter._withUnsafeGuaranteedRef { writer in
      writer.refreshLevels()
      return writer.treatment(of: kind)
    }
  }

  public var keepsSecrets: Bool { currentWriter._withUnsafeGuaranteedRef { $0.configuration.privacy.mode == .full } }

  public func emit<Event: TransferEvent>(_ event: Event) {
    switch treatment(of: Event.kind) {
    case 0: break
    case 1: record(event)
    default: recordDetail(event)
    }
  }

  /// Returns whether messages of this level and category are logged. Frequent callers cache the answer in a
  /// `CategoryLevel`.
  public func keeps(_ level: Level, subsystem: String, category: String) -> Bool {
    if level >= .default { return true }
    followLevels()
    return level >= self.level(subsystem: subsystem, category: category).level
  }

  /// Adopts changed levels, if any.
  ///
  /// - Returns: The version of the levels in force.
  @discardableResult
  func followLevels() -> UInt32 {
    currentWriter._withUnsafeGuaranteedRef { writer in
      if writer.mayHaveNewLevels { writer.refreshLevels() }
      return writer.levelsVersion
    }
  }

  /// Returns the lowest level at which a category's messages are logged, and the version of the levels.
  func level(subsystem: String, category: String) -> (level: Level, version: UInt32) {
    currentWriter._withUnsafeGuaranteedRef { $0.levels.level(subsystem: subsystem, category: category) }
  }

  /// The version of the known levels; `nil` if the levels may have changed.
  @inline(__always)
  var levelsVersion: UInt32? {
    let pointer = writer.load(ordering: .acquiring)
    let writer = Unmanaged<LogWriter>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
    return writer._withUnsafeGuaranteedRef { $0.mayHaveNewLevels ? nil : $0.levelsVersion }
  }

  /// Writes an event whose level the caller has already checked.
  @inline(__always)
  func record<Event: TransferEvent>(_ event: Event) {
    currentWriter._withUnsafeGuaranteedRef { writer in
      writer.emit(event)
      if Event.kind.mayEndDetail { writer.recorder?.note(event) }
    }
  }

  /// The number of events that could not be written so far, and why the last of them could not. `nil` if all were written.
  package var loss: (count: Int64, reason: LogError)? { currentWriter._withUnsafeGuaranteedRef { $0.loss } }

  /// Returns a random identifier for an activity or signpost, from the configured random source.
  func makeIdentifier() -> UInt64 { currentWriter._withUnsafeGuaranteedRef { $0.configuration.random() } }

  /// Writes an event and returns its location in the log. The event survives a killed process once the method returns.
  ///
  /// - Returns: `nil` if the log's levels exclude the event.
  /// - Throws: `LogError` if the event cannot be written. It is then counted as dropped.
  public func append(_ event: some TransferEvent) throws(LogError) -> EventReference? {
    switch treatment(of: type(of: event).kind) {
    case 0: break
    case 1: return try appendKept(event)
    default: recordDetail(event)
    }
    return nil
  }

  /// Writes an event whose level the caller has already checked, and returns its location in the log.
  func appendKept(_ event: some TransferEvent) throws(LogError) -> EventReference {
    let writer = currentWriter.takeUnretainedValue()
    defer { if type(of: event).kind.mayEndDetail { writer.recorder?.note(event) } }
    return try writer.append(event)
  }

  /// The identifier of this process launch in the log.
  public var launch: LaunchID { currentWriter._withUnsafeGuaranteedRef { $0.launch } }
  public var processLaunch: LaunchID? { launch }
  public var isOpen: Bool { currentWriter._withUnsafeGuaranteedRef { !$0.isClosed } }

  /// Records the end of the process and closes the log. Events emitted afterwards are only counted.
  public func close(exitCode: Int = 0, reason: ExitReason = .returned) {
    currentWriter._withUnsafeGuaranteedRef { writer in
      if writer.isClosed { return }
      // Do not wait before opening a segment is retried: this is the last chance to report dropped events.
      writer.retryAt.store(.min, ordering: .relaxed)
      writer.emit(ProcessExited(launch: writer.launch, code: exitCode, exitReason: reason))
      writer.emit(LogClosed(dropped: writer.dropped))
      writer.close()
    }
  }

  /// Calls a closure with the writer of the current process.
  func withWriter<Result>(_ body: (LogWriter) -> Result) -> Result { currentWriter._withUnsafeGuaranteedRef(body) }

  /// The writer of the current process.
  @inline(__always)
  private var currentWriter: Unmanaged<LogWriter> {
    let pointer = writer.load(ordering: .acquiring)
    let writer = Unmanaged<LogWriter>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
    return _slowPath(writer._withUnsafeGuaranteedRef { $0.isForeign }) ? replaceAfterFork(writer) : writer
  }

  /// Creates a writer for a forked child, which must not use its parent's locks or chunks.
  ///
  /// The parent's writer is leaked on purpose, because another thread may have been using it at the time of the fork. If several
  /// threads call this function concurrently, only one of them installs its writer, and all of them use that writer.
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
        background: configuration.startsInBackground, debugger: xp_process_is_traced() > 0 ? true : nil,
        mainThreadContract: configuration.hasMainThreadContract ? true : nil,
        executable: configuration.process.executable,
        version: configuration.version, osVersion: configuration.osVersion, container: configuration.container,
        synthetic: synthetic))
    // `WatchedLevels.init` could not report a damaged file of levels, because no event could be written yet.
    if writer.mayHaveNewLevels { writer.refreshLevels() }
    if configuration.privacy.mode == .full {
      writer.emit(
        MessageFault(
          subsystem: "xferlog", category: "privacy",
          eventMessage: "This log contains private values and secrets in clear text. Do not share it."))
    }
  }
}

extension ClockSampled {
  init(_ clocks: ClockReading, _ reason: SampleReason) {
    self.init(
      wallClock: WallTime(nanoseconds: clocks.wall), boottimeClock: .nanoseconds(clocks.boottime), sampleReason: reason)
  }
}
