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

/// The levels in force for one writer, kept up to date with the log's file of levels.
///
/// A query costs two loads: the mapped file's `superseded` word and a table entry. The directory is read only when that
/// word is set.
///
/// `@unchecked Sendable`: the page's address never changes and its contents are read with atomic loads; the table is
/// accessed atomically; everything else is protected by the lock.
final class WatchedLevels: @unchecked Sendable {
  /// The address of a word that is nonzero if the known file may have been replaced.
  let superseded: UnsafeRawPointer
  /// The treatment of each event, indexed by event number: 0 discards it, 1 logs it, and 2 offers it to its task's detail
  /// ring.
  let kept: UnsafeMutablePointer<UInt8>
  /// A number that changes whenever the levels may have changed.
  let version: UnsafeMutablePointer<UInt32>

  private let directory: String
  private let lowest: Level
  private let recorder: FlightRecorder?
  /// A number that makes the name of a temporary file unique.
  private let nonce: UInt64
  /// The first page of the watched file. The page of a new file is mapped at the same address.
  private let page: UnsafeMutableRawPointer
  private let retryAt = Atomic<Int64>(.min)
  private let completeLevel: Atomic<UInt8>
  private let state: Mutex<State>

  private struct State {
    var levels: LevelsInForce
    /// The file that is mapped; `nil` if there is none.
    var watched: LevelFile.Identity?
    /// The damaged file that was reported last; `nil` if none was. Each damaged file is reported once.
    var damaged: LevelFile.Identity?
  }

  enum Change: Equatable {
    case levels(LevelsInForce)
    /// The file of levels cannot be read; the previous levels stay in force.
    case damage(LevelFile.Damage, levelsStay: LevelsInForce)
  }

  private static let pageSize = 4096
  /// The delay in nanoseconds before a superseded file without a successor is checked again. The process that was about to
  /// replace it may have terminated.
  private static let retryDelay: Int64 = 10_000_000
  /// The next version number. It is process-wide, so that a forked child's writer never reuses a version number of its
  /// parent's writer.
  private static let nextVersion = Atomic<UInt32>(1)

  init(directory: String, lowest: Level, recorder: FlightRecorder?, nonce: UInt64) {
    self.directory = directory
    self.lowest = lowest
    self.recorder = recorder
    self.nonce = nonce
    // Until there is a file to map, use a private anonymous page.
    let address = mmap(nil, Self.pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    precondition(address != MAP_FAILED, "cannot map one anonymous page")
    page = address!
    superseded = UnsafeRawPointer(page + LevelFile.superseded)
    let levels = LevelsInForce(lowest: lowest)
    kept = .allocate(capacity: EventLayout.known.count)
    kept.initialize(repeating: 1, count: EventLayout.known.count)
    completeLevel = Atomic(levels.complete.rawValue)
    version = .allocate(capacity: 1)
    version.initialize(to: 0)
    state = Mutex(State(levels: levels))
    xp_store_release_32(page + LevelFile.superseded, 1)
    publish(levels, widening: false)
    // No event can be emitted yet, so a damaged file is reported by a later refresh.
    state.withLock { _ = follow(&$0) { _ in false } }
  }

  deinit {
    munmap(page, Self.pageSize)
    kept.deallocate()
    version.deallocate()
  }

  // MARK: Levels in force

  /// The lowest level at which every event of the vocabulary is logged.
  var complete: Level { Level(rawValue: completeLevel.load(ordering: .relaxed))! }

  /// The levels in force. Blocks while another thread reports changed levels.
  var inForce: LevelsInForce { state.withLock { $0.levels } }

  /// Returns the lowest level at which a category's messages are logged. Blocks while another thread reports changed
  /// levels.
  func level(subsystem: String, category: String) -> (level: Level, version: UInt32) {
    state.withLock { ($0.levels.level(subsystem: subsystem, category: category), xp_load_acquire_32(version)) }
  }

  // MARK: Refreshing

  /// Refreshes the levels from the file.
  ///
  /// A caller that finds a refresh in progress uses the previous levels.
  ///
  /// - Parameter report: Writes the change into the log and returns whether that succeeded.
  func refresh(now: Int64, report: (Change) -> Bool) {
    guard now >= retryAt.load(ordering: .relaxed) else { return }
    _ = state.withLockIfAvailable { state in
      guard now >= retryAt.load(ordering: .relaxed) else { return }
      if !follow(&state, report) { retryAt.store(now + Self.retryDelay, ordering: .relaxed) }
    }
  }

  /// Reads the file and adopts its levels.
  ///
  /// - Returns: Whether the watched file changed.
  private func follow(_ state: inout State, _ report: (Change) -> Bool) -> Bool {
    guard let file = open(), file.identity != state.watched else { return false }
    switch file.content {
    case .failure(let damage):
      if file.identity != state.damaged, report(.damage(damage, levelsStay: state.levels)) { state.damaged = file.identity }
      return false
    case .success(let content):
      guard watch(file) else { return false }
      state.watched = file.identity
      adopt(LevelsInForce(lowest: lowest, rules: content.rules), &state, report)
      return true
    }
  }

  private func open() -> LevelFile.Opened? {
    do throws(SystemError) {
      return try LevelFile.open(in: directory, mode: O_RDONLY)
    } catch {
      guard error.number == ENOENT else { return nil }
    }
    do throws(SystemError) {
      try LevelFile.createDefault(in: directory, nonce: nonce)
      return try LevelFile.open(in: directory, mode: O_RDONLY)
    } catch {
      return nil
    }
  }

  /// Maps the file's first page over the previous one. Other threads see either the old page or the new one.
  private func watch(_ file: LevelFile.Opened) -> Bool {
    let mapped = mmap(page, Self.pageSize, PROT_READ, MAP_SHARED | MAP_FIXED, file.descriptor, 0)
    if mapped != MAP_FAILED { return true }
    // The failed call may have unmapped the old page.
    let own = mmap(page, Self.pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANON, -1, 0)
    precondition(own != MAP_FAILED, "cannot map one anonymous page")
    xp_store_release_32(page + LevelFile.superseded, 1)
    return false
  }

  /// Adopts new levels and writes the record that announces them.
  ///
  /// Newly included events are logged before the announcement, and excluded events are discarded only after it. The log
  /// therefore contains every event that its announced levels include.
  private func adopt(_ levels: LevelsInForce, _ state: inout State, _ report: (Change) -> Bool) {
    let old = state.levels
    state.levels = levels
    guard levels != old else { return }
    publish(levels, widening: true)
    _ = report(.levels(levels))
    publish(levels, widening: false)
  }

  /// Publishes the levels to the emitting threads.
  ///
  /// - Parameter widening: Whether to keep logging the events that the previous levels included.
  private func publish(_ levels: LevelsInForce, widening: Bool) {
    for (number, layout) in EventLayout.known.enumerated() {
      guard let layout, !widening || xp_load_relaxed_8(kept + number) != 1 else { continue }
      xp_store_relaxed_8(kept + number, levels.keeps(layout) ? 1 : recorder?.takes(layout) == true ? 2 : 0)
    }
    completeLevel.store(levels.complete.rawValue, ordering: .relaxed)
    xp_store_release_32(version, Self.nextVersion.add(1, ordering: .relaxed).oldValue)
  }
}
