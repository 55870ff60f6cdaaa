import CXferPlatform
import Synchronization
import XferEvents
import XferThreads

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes one log during one launch of the process: manages its segments, lanes and counts of dropped events.
///
/// A forked child gets its own writer; see `EventLog`.
///
/// `@unchecked Sendable`: all mutable state is protected by a lock or atomic; a `Lane` in `idleLanes` belongs to no thread
/// until a thread removes it from the list under the lock.
final class LogWriter: @unchecked Sendable {
  /// The process-wide unique key of this writer's lane in thread-local slots.
  let id: UInt64
  let directory: String
  let configuration: LogConfiguration
  let launch: LaunchID
  let nonce: UInt64
  let levels: WatchedLevels
  let recorder: DetailRecorder?
  /// A copy of the pointer in `levels`; every event reads it.
  private let superseded: UnsafeRawPointer
  /// A copy of the pointer in `levels`: the treatment of each event, by event number.
  private let kept: UnsafePointer<UInt8>
  /// A copy of the pointer in `levels`: the version of the levels.
  private let version: UnsafePointer<UInt32>
  /// A word that reads 1 in the creating process and 0 in a forked child; `nil` if the system does not support this.
  private let forkPage: UnsafePointer<UInt32>?
  private let closed = Atomic(false)
  /// The monotonic time in nanoseconds before which opening a segment is not retried after a failure.
  let retryAt = Atomic<Int64>(.min)
  private let problem = Atomic<Int32>(0)
  /// A bit set of `Attention` reasons that require extra work after an event; usually 0.
  let attention = Atomic<UInt8>(0)
  /// Whether a thread is logging that it had to wait for the disk.
  let reportsStall = Atomic(false)
  /// The monotonic time in nanoseconds of the next check whether the log's file still exists.
  let nextRemovalCheck = Atomic<Int64>(.min)
  let clockWatch = ClockWatch()
  let syncRounds = SyncRounds()
  let syncThread: WriterThread?
  /// The thread that seals segments and applies retention; `nil` if the configuration disables maintenance.
  let maintenanceThread: WriterThread?
  let state = Monitor(State())

  struct State: ~Copyable {
    var segment: OpenSegment?
    var written = WrittenSegments()
    /// Sync failures that have not been reported in the log yet.
    var syncFailures: [SyncFailure] = []
    /// The number of consecutive segments abandoned before any of them reached the disk.
    var failedSegments = 0
    var laneCount: UInt32 = 0
    var idleLanes: [Lane] = []
    /// Whether the app still has the `EventLog`. Without it, an idle lane would only keep the writer alive.
    var hasOwner = true
    var drops: [Drop: Int64] = [:]
    var dropped: UInt64 = 0
    /// The last event that was dropped before the log was closed.
    var lastDrop: Drop?
    var lastNumber: UInt32 = 0
    /// The installation that the headers of this writer's segments name. `nil` before the first segment, and if none is known.
    var installation: InstallationID?
    /// Whether the deletion of the previous log has not been reported yet.
    var mustReportRemoval = false
  }

  struct Drop: Hashable, Comparable {
    let family: String
    let reason: DropReason
    let osError: Int32?

    static func < (left: Drop, right: Drop) -> Bool {
      (left.family, left.reason.rawValue, left.osError ?? 0) < (right.family, right.reason.rawValue, right.osError ?? 0)
    }
  }

  private static let nextID = Atomic<UInt64>(1)
  /// The exclusive upper bound of segment numbers.
  static let numberLimit: UInt32 = 1 << 31
  static let retryDelay: Int64 = 100_000_000

  /// - Parameter configuration: The configuration. Its `process` must be the calling process.
  init(directory: String, configuration: LogConfiguration) {
    id = Self.nextID.add(1, ordering: .relaxed).oldValue
    self.directory = directory
    self.configuration = configuration
    launch = LaunchID(high: configuration.random(), low: configuration.random())
    nonce = configuration.random()
    levels = WatchedLevels(
      directory: directory, lowest: configuration.lowestLevel, recorder: configuration.flightRecorder, nonce: nonce)
    recorder = configuration.flightRecorder.map { DetailRecorder($0, privacy: configuration.privacy) }
    superseded = levels.superseded
    kept = UnsafePointer(levels.kept)
    version = UnsafePointer(levels.version)
    forkPage = xp_fork_page().map { UnsafePointer(OpaquePointer($0)) }
    // An event that is emitted when a sync round starts may become visible to the sync thread only after the round,
    // although its emitter does not wake the sync thread again. Each round after a wake-up is therefore followed by a
    // second one.
    syncThread = configuration.durability.interval.map { WriterThread(.after($0)) { $0.synchroniseInBackground() } }
    maintenanceThread = configuration.maintains ? WriterThread(.immediately) { $0.maintain() } : nil
    switch configuration.durability {
    case .process: break
    case .interval: raise(.unsynchronised)
    case .always: raise(.always)
    }
  }

  deinit {
    syncThread?.stop()
    maintenanceThread?.stop()
    if let forkPage { xp_fork_page_release(UnsafePointer(forkPage)) }
  }

  /// Whether the current process was forked from the writer's process. Compares process IDs if there is no fork page.
  @inline(__always)
  var isForeign: Bool { forkPage.map { $0.pointee == 0 } ?? (getpid() != configuration.process.pid) }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  // MARK: Levels

  /// Whether the log's levels may have changed; see `refreshLevels`.
  @inline(__always)
  var mayHaveNewLevels: Bool { xp_load_acquire_32(superseded) != 0 }

  /// Returns how an event kind is handled under the known levels: 0 discards it, 1 logs it, 2 offers it to its task's
  /// detail ring.
  @inline(__always)
  func treatment(of kind: EventKind) -> UInt8 { xp_load_relaxed_8(kept + Int(kind.rawValue)) }

  /// A number that changes whenever the levels may have changed.
  @inline(__always)
  var levelsVersion: UInt32 { xp_load_acquire_32(version) }

  /// Adopts changed levels and records them in the log.
  @inline(never)
  func refreshLevels() {
    if isClosed { return }
    levels.refresh(now: configuration.clock.monotonic()) { news in
      switch news {
      case .levels(let levels): emit(LogLevelsChanged(levels: levels.text, by: .user))
      case .damage(let damage, let levels): emit(LogLevelsIgnored(levels: levels.text, reason: damage.reason))
      }
    }
  }

  // MARK: Lanes

  /// Emits an event.
  ///
  /// - Returns: Whether the event is in the log. Otherwise it has been counted as dropped.
  @inline(__always) @discardableResult
  func emit<Event: TransferEvent>(_ event: Event) -> Bool {
    if let pointer = xp_slot_get(id) {
      let appended = Unmanaged<Lane>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.append(event) }
      if appended, attention.load(ordering: .relaxed) == 0 { return true }
      return finishEmitting(event, appended: appended)
    } else {
      return emitWithNewLane(event)
    }
  }

  @inline(never)
  private func emitWithNewLane<Event: TransferEvent>(_ event: Event) -> Bool {
    guard let lane = takeLane() else {
      noteDrop(Event.kind, lane: nil)
      return false
    }
    return finishEmitting(event, appended: lane.append(event))
  }

  /// Emits an event and returns its location in the log.
  ///
  /// - Throws: `LogError` if the event was dropped.
  @inline(never)
  func append<Event: TransferEvent>(_ event: Event) throws(LogError) -> EventReference {
    guard let lane = currentLane ?? takeLane() else {
      noteDrop(Event.kind, lane: nil)
      throw failure(lane: nil)
    }
    guard let reference = finishEmitting(event, appended: lane.append(event), on: lane) else { throw failure(lane: lane) }
    return reference
  }

  /// Writes a copy of an event of another source and returns its location in the log.
  ///
  /// - Throws: `LogError` if the event was dropped.
  func append(copy event: CopiedEvent) throws(LogError) -> EventReference {
    guard let lane = currentLane ?? takeLane() else {
      noteDrop(event.kind, lane: nil)
      throw failure(lane: nil)
    }
    guard let reference = finishEmitting(event, appended: lane.append(copy: event), on: lane) else { throw failure(lane: lane) }
    return reference
  }

  @inline(never)
  private func finishEmitting<Event: TransferEvent>(_ event: Event, appended: Bool) -> Bool {
    guard let lane = currentLane else { return appended }
    return finishEmitting(event, appended: appended, on: lane) != nil
  }

  /// Completes an append: counts a dropped event, and performs work that is due after an event.
  ///
  /// - Returns: The event's location in the log; `nil` if the event was dropped.
  private func finishEmitting<Event: TransferEvent>(_ event: Event, appended: Bool, on lane: Lane) -> EventReference? {
    guard appended, !isRaised(.abandoned) || lane.appendAgain(event) else {
      noteDrop(Event.kind, lane: lane)
      return nil
    }
    // The reports below are events too and take further positions, so get the reference first.
    let reference = lane.lastReference
    report(on: lane)
    makeDurable()
    if lower(.segmentBegun) { configuration.segmentBegun?() }
    return reference
  }

  /// The calling thread's lane; `nil` if it has none yet.
  var currentLane: Lane? {
    xp_slot_get(id).map { Unmanaged<Lane>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Assigns a lane to the calling thread, which has none.
  ///
  /// - Returns: `nil` if the log is closed or no segment can be opened.
  func takeLane() -> Lane? {
    guard let lane = findLane() else { return nil }
    // The thread-local slot owns the lane until the thread ends.
    xp_slot_set(id, Unmanaged.passRetained(lane).toOpaque(), laneThreadEnded)
    return lane
  }

  private func findLane() -> Lane? {
    if isClosed { return nil }
    if let lane = state.withLock({ $0.idleLanes.popLast().map { Sending(lane: $0) } })?.lane {
      lane.adopt()
      return lane
    }
    guard let segment = nextSegment(after: nil, atLeast: 1) else { return nil }
    let number = state.withLock { state in
      state.laneCount += 1
      return state.laneCount
    }
    return Lane(number: number, writer: self, segment: segment)
  }

  /// A wrapper that transfers a lane between threads; the writer's lock orders their accesses.
  private struct Sending: @unchecked Sendable { let lane: Lane }

  fileprivate func returnLane(_ lane: Lane) {
    // A closed writer needs no idle lanes, which would only keep it alive. In a forked child the lock may never be
    // released, because another thread of the parent may have held it during the fork.
    if isClosed || isForeign { return }
    let sending = Sending(lane: lane)
    state.withLock { if $0.hasOwner { $0.idleLanes.append(sending.lane) } }
  }

  /// Releases the idle lanes and the calling thread's lane, which would keep the writer alive after the app has released its
  /// `EventLog` without closing it. Other threads release their lanes when they end.
  func disown() {
    if isForeign { return }
    let idle = state.withLock { state in
      state.hasOwner = false
      let idle = state.idleLanes.map { Sending(lane: $0) }
      state.idleLanes = []
      return idle
    }
    // Released here, after the lock, because a lane that ends may lock the writer.
    withExtendedLifetime(idle) {}
    if xp_slot_get(id) != nil { xp_slot_set(id, nil, nil) }
  }

  // MARK: Segments

  /// Starts the maintenance, because a lane has left a segment, which can be sealed if it was the last lane.
  func noteLeftSegment() { _ = maintenanceThread?.wake(for: self) }

  /// Returns the segment to use after a full one: the current segment if another lane has already replaced the full one,
  /// otherwise a new segment.
  ///
  /// - Returns: `nil` if the log is closed or the system refuses to create a file.
  func nextSegment(after full: SegmentWriter?, atLeast chunks: Int) -> OpenSegment? {
    if isClosed { return nil }
    let clocks = configuration.clock.read()
    return state.withLock { state -> OpenSegment? in
      if let current = state.segment, current.file !== full, current.file.capacity >= chunks { return current }
      guard clocks.monotonic >= retryAt.load(ordering: .relaxed) else { return nil }
      let previous = state.segment?.file
      var capacity = SegmentFormat.firstChunks
      if let previous, !previous.isAbandoned {
        // A segment that was left because of its age is followed by one of the same size.
        capacity = previous.isFilling ? min(previous.capacity * 2, SegmentFormat.maximumChunks) : previous.capacity
      }
      while capacity < chunks { capacity *= 2 }
      // On a nearly full disk, a smaller segment may still fit.
      var failure: Int32 = 0
      for attempted in [capacity, max(SegmentFormat.firstChunks, chunks)] {
        switch create(
          capacity: attempted, previous: previous?.header.number ?? 0, clocks: clocks, last: &state.lastNumber,
          installation: &state.installation, isRemoved: previous?.isRemoved ?? false)
        {
        case .success(let file):
          let segment = OpenSegment(file: file, clock: configuration.clock)
          if let previous, previous.isRemoved {
            state.mustReportRemoval = true
            raise(.reports)
          }
          previous?.finish(.rotated, dropped: state.dropped, cuts: !isSynchronised)
          state.segment = segment
          state.written.add(file, isHeld: isSynchronised)
          problem.store(0, ordering: .relaxed)
          if previous != nil, configuration.segmentBegun != nil { raise(.segmentBegun) }
          return segment
        case .failure(let error): failure = error.number
        }
      }
      problem.store(failure, ordering: .relaxed)
      retryAt.store(clocks.monotonic + Self.retryDelay, ordering: .relaxed)
      return nil
    }
  }

  /// - Parameters:
  ///   - last: The number of the newest segment. 0 before this writer's first segment.
  ///   - installation: The installation to name in the header, which is determined with the first segment.
  ///   - isRemoved: Whether the log was deleted, so that its directory must be created again.
  private func create(
    capacity: Int, previous: UInt32, clocks: ClockReading, last: inout UInt32, installation: inout InstallationID?,
    isRemoved: Bool
  ) -> Result<SegmentWriter, SystemError> {
    if last == 0 {
      let present = LogDirectory.segments(in: directory).filter { $0.number < Self.numberLimit }.sorted { $0.number > $1.number }
      last = present.first?.number ?? 0
      // All writers of a directory belong to one installation, even if a program has a key of its own or none.
      installation =
        present.lazy.compactMap { SegmentSummary(path: $0.path)?.header.installation }.first ?? configuration.privacy.installation
    }
    var isMade = false
    while true {
      // A stray file may be named like the segment with the largest number, so that no number is left for the next segment.
      guard last < Self.numberLimit else { return .failure(SystemError(number: EOVERFLOW)) }
      last += 1
      var compatible: SegmentFormat.CompatibleFlags = []
      if configuration.isSynthetic { compatible.insert(.synthetic) }
      let incompatible: SegmentFormat.IncompatibleFlags = configuration.isConversion ? [.converted] : []
      let process = configuration.process
      let header = SegmentHeader(
        compatible: compatible, incompatible: incompatible,
        nonce: nonce ^ (UInt64(last) &* 0x9e37_79b9_7f4a_7c15), number: last, previous: previous,
        boot: process.boot, launch: launch, clocks: clocks, pid: UInt32(bitPattern: process.pid),
        processStart: process.start, processNamespace: process.namespace, role: configuration.role,
        captureMode: configuration.privacy.mode, lowestLevel: levels.complete,
        vocabularyVersion: Vocabulary.version, vocabularyDigest: EventLayout.knownDigest, chunkCapacity: UInt32(capacity),
        executable: process.executable,
        toolVersion: configuration.version, installation: installation)
      do throws(SystemError) {
        return .success(
          try SegmentWriter(
            path: LogDirectory.path(of: last, in: directory), header: header,
            forcesAppending: configuration.forcesAppending))
      } catch {
        if error.number == ENOENT, isRemoved, !isMade, xp_make_directory(directory, 0o700) == 0 {
          isMade = true
          last -= 1
          continue
        }
        // If another process took the segment number, try the next one. Segments are numbered without holes, so that a reader notices
        // a missing one.
        if error.number != EEXIST {
          last -= 1
          return .failure(error)
        }
      }
    }
  }

  // MARK: Dropped events

  /// Throws if the first segment could not be created for a reason that does not resolve by itself.
  func checkPlace() throws(LogError) {
    let number = problem.load(ordering: .relaxed)
    // The device has not been unlocked since its last boot, so files are not accessible yet. Later events retry opening a
    // segment.
    if xp_is_locked_out(number) { return }
    guard [EACCES, EPERM, EROFS, ENAMETOOLONG, ENOTDIR, ENOENT, ELOOP].contains(number) else { return }
    throw LogError(
      .cannotCreate, place: directory, problem: "no segment can be created in it (\(systemText(number)))",
      advice: "Make the directory writable, or choose another one with $XFERLOG_DIR or --log.", osError: number)
  }

  func noteProblem(_ number: Int32) { problem.store(number, ordering: .relaxed) }

  /// Returns why the last event was dropped.
  private func dropReason(_ lane: Lane?) -> (reason: DropReason, osError: Int32?) {
    if isClosed { return (.closed, nil) }
    if lane?.failure == .tooLarge { return (.tooLarge, nil) }
    let number = problem.load(ordering: .relaxed)
    return (number == ENOSPC || number == EDQUOT ? .diskFull : .ioError, number == 0 ? nil : number)
  }

  private func failure(lane: Lane?) -> LogError {
    let (reason, number) = dropReason(lane)
    return failure(reason, number)
  }

  private func failure(_ reason: DropReason, _ number: Int32?) -> LogError {
    let (problem, advice) =
      switch reason {
      case .closed: ("the log is closed", "Write before closing it.")
      case .tooLarge: ("the event is too large", "Split it into smaller events.")
      default:
        (
          "the event cannot be written (\(number.map(systemText) ?? "unknown reason"))",
          number == ENOSPC || number == EDQUOT
            ? "Free disk space, or write to another log with $XFERLOG_DIR or --log."
            : "Make the log's directory writable, or write to another log with $XFERLOG_DIR or --log."
        )
      }
    return LogError(.notWritten, place: directory, problem: problem, advice: advice, osError: number)
  }

  func noteDrop(_ kind: EventKind, lane: Lane?) {
    let (reason, osError) = dropReason(lane)
    noteDrop(kind, reason: reason, osError: osError)
  }

  func noteDrop(_ kind: EventKind, reason: DropReason, osError: Int32? = nil) {
    state.withLock { state in
      let drop = Drop(family: kind.family, reason: reason, osError: osError)
      state.drops[drop, default: 0] += 1
      if reason != .closed { state.lastDrop = drop }
      state.dropped += 1
    }
    raise(.reports)
  }

  /// Reports dropped events and failures once events can be written again. A report that cannot be written is kept for
  /// later.
  func report(on lane: Lane) {
    guard lower(.reports) else { return }
    reportSyncFailures(on: lane)
    reportRemoval(on: lane)
    let drops = state.withLock { state in
      defer { state.drops = [:] }
      return state.drops
    }
    let ordered = drops.sorted { $0.key < $1.key }
    for (place, (drop, count)) in ordered.enumerated() {
      let event = LogDropped(family: drop.family, count: count, why: drop.reason, osError: drop.osError.map(Int.init))
      if lane.append(event) { continue }
      state.withLock { state in
        for (drop, count) in ordered[place...] { state.drops[drop, default: 0] += count }
      }
      return raise(.reports)
    }
  }

  /// The number of events dropped so far.
  var dropped: Int64 { state.withLock { Int64($0.dropped) } }

  /// The number of events dropped so far, and why the last of them could not be written. `nil` if none was dropped.
  var loss: (count: Int64, reason: LogError)? {
    state.withLock { $0.lastDrop }.map { (dropped, failure($0.reason, $0.osError)) }
  }

  // MARK: Closing

  /// Closes the log. Events emitted afterwards are counted as dropped.
  ///
  /// A segment stays mapped while any thread's lane may still write to it, so an append that overlaps with closing is
  /// harmless.
  func close() {
    guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    recorder?.close()
    let (segments, dropped) = state.withLock { state in (state.written.live, state.dropped) }
    for segment in segments { segment.finish(.closed, dropped: dropped, cuts: !isSynchronised) }
    if isSynchronised { synchronise() }
    syncThread?.stop()
    maintenanceThread?.stop()
    xp_slot_set(id, nil, nil)
    state.withLock { state in
      state.idleLanes = []
      state.segment = nil
    }
  }
}

/// Returns a lane to its writer. The system calls this on a terminating thread with the contents of its slot.
private func laneThreadEnded(_ pointer: UnsafeMutableRawPointer?) {
  guard let pointer else { return }
  let lane = Unmanaged<Lane>.fromOpaque(pointer).takeRetainedValue()
  lane.writer.returnLane(lane)
}
