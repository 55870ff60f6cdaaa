import CXferPlatform
import Synchronization
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One process life's writing to one log: its segments, its lanes, and what could not be written.
///
/// A forked child gets a writer of its own; see `EventLog`.
///
/// `@unchecked Sendable`: everything that changes is behind `state`'s lock or atomic; a `Lane` in `idleLanes` belongs to
/// no thread until the lock hands it to one.
final class LogWriter: @unchecked Sendable {
  /// Names this writer's lane in a thread's slots; never used again.
  let id: UInt64
  let directory: String
  let configuration: LogConfiguration
  let launch: LaunchID
  let nonce: UInt64
  /// Reads 1 in the process that made it and 0 in a forked child.
  private let forkPage: UnsafePointer<UInt32>?
  private let closed = Atomic(false)
  /// Monotonic nanoseconds before which opening a segment is not tried again after a failure.
  private let retryAt = Atomic<Int64>(.min)
  private let problem = Atomic<Int32>(0)
  private let hasDrops = Atomic(false)
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var segment: OpenSegment?
    /// All segments of this writer that some lane may still write into.
    var open: [Weak] = []
    var laneCount: UInt32 = 0
    var idleLanes: [Lane] = []
    var drops: [Drop: Int64] = [:]
    var dropped: UInt64 = 0
    var lastNumber: UInt32 = 0
  }

  private struct Weak { weak var segment: SegmentWriter? }

  private struct Drop: Hashable, Comparable {
    let family: String
    let reason: DropReason
    let osError: Int32?

    static func < (left: Drop, right: Drop) -> Bool {
      (left.family, left.reason.rawValue, left.osError ?? 0) < (right.family, right.reason.rawValue, right.osError ?? 0)
    }
  }

  private static let nextID = Atomic<UInt64>(1)
  private static let retryDelay: Int64 = 100_000_000

  /// - Parameter configuration: its `process` must be the calling process.
  init(directory: String, configuration: LogConfiguration) {
    id = Self.nextID.add(1, ordering: .relaxed).oldValue
    self.directory = directory
    self.configuration = configuration
    launch = LaunchID(high: configuration.random(), low: configuration.random())
    nonce = configuration.random()
    forkPage = xp_fork_page().map { UnsafePointer(OpaquePointer($0)) }
  }

  deinit {
    if let forkPage { xp_fork_page_release(UnsafePointer(forkPage)) }
  }

  /// Whether this is a child that was forked from the writer's process. Where the kernel cannot tell by a page, the pid does.
  @inline(__always)
  var isForeign: Bool { forkPage.map { $0.pointee == 0 } ?? (getpid() != configuration.process.pid) }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  // MARK: Lanes

  /// - Returns: whether the event is in the log; what is not has been counted.
  @inline(__always) @discardableResult
  func emit<Event: TransferEvent>(_ event: Event) -> Bool {
    if let pointer = xp_slot_get(id) {
      let appended = Unmanaged<Lane>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.append(event) }
      if appended, !hasDrops.load(ordering: .relaxed) { return true }
      return settle(Event.kind, appended: appended)
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
    // The slot owns the lane until its thread ends.
    xp_slot_set(id, Unmanaged.passRetained(lane).toOpaque(), laneThreadEnded)
    return settle(Event.kind, appended: lane.append(event))
  }

  @inline(never)
  private func settle(_ kind: EventKind, appended: Bool) -> Bool {
    if let lane = presentLane {
      if appended { reportDrops(on: lane) } else { noteDrop(kind, lane: lane) }
    }
    return appended
  }

  /// The calling thread's.
  private var presentLane: Lane? {
    xp_slot_get(id).map { Unmanaged<Lane>.fromOpaque($0).takeUnretainedValue() }
  }

  private func takeLane() -> Lane? {
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

  /// A lane on its way from one thread to another, with the lock as the barrier.
  private struct Sending: @unchecked Sendable { let lane: Lane }

  fileprivate func giveBack(_ lane: Lane) {
    // A closed writer's lanes would only keep it alive; a parent's may have been forked while its lock was held.
    if isClosed || isForeign { return }
    let sending = Sending(lane: lane)
    state.withLock { $0.idleLanes.append(sending.lane) }
  }

  // MARK: Segments

  /// The writer's segment after `full`: the current one if it has changed meanwhile, else a new one.
  ///
  /// - Returns: `nil` when the log is closed or the system refuses a new file.
  func nextSegment(after full: SegmentWriter?, atLeast chunks: Int) -> OpenSegment? {
    if isClosed { return nil }
    let clocks = configuration.clock.read()
    return state.withLock { state -> OpenSegment? in
      if let current = state.segment, current.file !== full, current.file.capacity >= chunks { return current }
      guard clocks.monotonic >= retryAt.load(ordering: .relaxed) else { return nil }
      let previous = state.segment?.file
      var capacity = previous?.capacity ?? SegmentFormat.firstChunks
      // One that was left by its age keeps its size for the next.
      if let previous, previous.isFilling { capacity = min(capacity * 2, SegmentFormat.maximumChunks) }
      while capacity < chunks { capacity *= 2 }
      // A smaller segment may still fit a nearly full disk.
      var failure: Int32 = 0
      for attempted in [capacity, max(SegmentFormat.firstChunks, chunks)] {
        switch create(capacity: attempted, previous: previous?.header.number ?? 0, clocks: clocks, last: &state.lastNumber) {
        case .success(let file):
          let segment = OpenSegment(file: file, clock: configuration.clock)
          previous?.finish(.rotated, dropped: state.dropped)
          state.segment = segment
          state.open.removeAll { $0.segment == nil }
          state.open.append(Weak(segment: file))
          problem.store(0, ordering: .relaxed)
          return segment
        case .failure(let error): failure = error.number
        }
      }
      problem.store(failure, ordering: .relaxed)
      retryAt.store(clocks.monotonic + Self.retryDelay, ordering: .relaxed)
      return nil
    }
  }

  private func create(
    capacity: Int, previous: UInt32, clocks: ClockReading, last: inout UInt32
  ) -> Result<SegmentWriter, SystemError> {
    if last == 0 { last = LogDirectory.segments(in: directory).map(\.number).max() ?? 0 }
    while true {
      last += 1
      var compatible: SegmentFormat.CompatibleFlags = []
      if configuration.isSynthetic { compatible.insert(.synthetic) }
      let process = configuration.process
      let header = SegmentHeader(
        compatible: compatible, nonce: nonce ^ (UInt64(last) &* 0x9e37_79b9_7f4a_7c15), number: last, previous: previous,
        boot: process.boot, launch: launch, clocks: clocks, pid: UInt32(bitPattern: process.pid),
        processStart: process.start, processNamespace: process.namespace, role: configuration.role,
        captureMode: configuration.privacy.mode, lowestLevel: configuration.lowestLevel,
        vocabularyVersion: Vocabulary.version, vocabularyDigest: EventLayout.knownDigest, chunkCapacity: UInt32(capacity),
        executable: process.executable,
        toolVersion: configuration.version)
      do throws(SystemError) {
        return .success(
          try SegmentWriter(
            path: LogDirectory.path(of: last, in: directory), header: header,
            forcesAppending: configuration.forcesAppending))
      } catch {
        // Another process of the log took the number.
        if error.number != EEXIST { return .failure(error) }
      }
    }
  }

  // MARK: What could not be written

  func noteProblem(_ number: Int32) { problem.store(number, ordering: .relaxed) }

  private func noteDrop(_ kind: EventKind, lane: Lane?) {
    if isClosed { return note(kind, .closed, osError: nil) }
    if lane?.failure == .tooLarge { return note(kind, .tooLarge, osError: nil) }
    let number = problem.load(ordering: .relaxed)
    note(kind, number == ENOSPC || number == EDQUOT ? .diskFull : .ioError, osError: number == 0 ? nil : number)
  }

  private func note(_ kind: EventKind, _ reason: DropReason, osError: Int32?) {
    let family = String(kind.name.prefix { $0 != "." })
    state.withLock { state in
      state.drops[Drop(family: family, reason: reason, osError: osError), default: 0] += 1
      state.dropped += 1
    }
    hasDrops.store(true, ordering: .relaxed)
  }

  /// Tells the log what it missed, as soon as an event could be written again. What cannot be told yet stays counted.
  private func reportDrops(on lane: Lane) {
    guard hasDrops.exchange(false, ordering: .acquiringAndReleasing) else { return }
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
      hasDrops.store(true, ordering: .releasing)
      return
    }
  }

  /// Events that could not be written so far.
  var dropped: Int64 { state.withLock { Int64($0.dropped) } }

  // MARK: The end

  /// Ends writing; what is emitted afterwards is counted, not written.
  ///
  /// Memory stays mapped while a thread's lane may still write to it, so a thread that is late does no harm.
  func close() {
    guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let (segments, dropped) = state.withLock { state in (state.open.compactMap(\.segment), state.dropped) }
    for segment in segments { segment.finish(.closed, dropped: dropped) }
    xp_slot_set(id, nil, nil)
    state.withLock { state in
      state.idleLanes = []
      state.segment = nil
    }
  }
}

/// Called on a thread that ends, with the lane in its slot.
private func laneThreadEnded(_ pointer: UnsafeMutableRawPointer?) {
  guard let pointer else { return }
  let lane = Unmanaged<Lane>.fromOpaque(pointer).takeRetainedValue()
  lane.writer.giveBack(lane)
}
