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

/// What one writer keeps, by the log's file of levels as it is now.
///
/// Asking costs two loads: one of the file's mapped word that says whether it has a successor, one of a table. Only when
/// the word is set does anybody look at the directory.
///
/// `@unchecked Sendable`: the page's address never changes, and what stands there is read by atomic loads; the table is
/// stored to and read by atomics; the rest is behind the lock.
final class WatchedLevels: @unchecked Sendable {
  /// Not 0 when there may be another file than the one that is known.
  let superseded: UnsafeRawPointer
  /// By event number: 1 for what is kept, 2 for what is left out but for the ring of its task, if it has one.
  let kept: UnsafeMutablePointer<UInt8>
  /// Another number whenever the answers may be others.
  let version: UnsafeMutablePointer<UInt32>

  private let directory: String
  private let lowest: Level
  private let recorder: FlightRecorder?
  /// Makes the name of a draft one's own.
  private let nonce: UInt64
  /// The first page of the file that is watched; another file's page takes its place under the same address.
  private let page: UnsafeMutableRawPointer
  private let lookAgainAt = Atomic<Int64>(.min)
  private let completeLevel: Atomic<UInt8>
  private let state: Mutex<State>

  private struct State {
    var levels: LevelsInForce
    /// The file that is mapped; `nil` while there is none to watch.
    var watched: LevelFile.Identity?
    /// The file whose damage was told.
    var damaged: LevelFile.Identity?
  }

  enum News: Equatable {
    case levels(LevelsInForce)
    /// The file cannot be read.
    case damage(LevelFile.Damage, levelsStay: LevelsInForce)
  }

  private static let pageSize = 4096
  /// Nanoseconds until a file that was to have a successor, and has none yet, is looked at again: whoever was about to
  /// replace it may have died.
  private static let patience: Int64 = 10_000_000
  /// Told apart in a forked child, too, which goes on counting where its parent was.
  private static let nextVersion = Atomic<UInt32>(1)

  init(directory: String, lowest: Level, recorder: FlightRecorder?, nonce: UInt64) {
    self.directory = directory
    self.lowest = lowest
    self.recorder = recorder
    self.nonce = nonce
    // A page of this process's own for as long as there is no file.
    let address = mmap(nil, Self.pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    precondition(address != MAP_FAILED, "a process that cannot have one page cannot go on")
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
    show(levels, widening: false)
    // Nothing can be told yet; damage is found again.
    state.withLock { _ = follow(&$0) { _ in false } }
  }

  deinit {
    munmap(page, Self.pageSize)
    kept.deallocate()
    version.deallocate()
  }

  // MARK: What is kept

  /// From here up every event of the vocabulary is kept.
  var complete: Level { Level(rawValue: completeLevel.load(ordering: .relaxed))! }

  /// Waits while news of the levels are being told.
  var inForce: LevelsInForce { state.withLock { $0.levels } }

  /// From which level up a category's messages are kept; waits while news of the levels are being told.
  func level(subsystem: String, category: String) -> (level: Level, version: UInt32) {
    state.withLock { ($0.levels.level(subsystem: subsystem, category: category), xp_load_acquire_32(version)) }
  }

  // MARK: Following the file

  /// Takes over what the file says by now.
  ///
  /// Whoever comes while another thread is at it goes on with what was.
  ///
  /// - Parameter tell: writes news into the log; says whether it could.
  func look(now: Int64, tell: (News) -> Bool) {
    guard now >= lookAgainAt.load(ordering: .relaxed) else { return }
    _ = state.withLockIfAvailable { state in
      guard now >= lookAgainAt.load(ordering: .relaxed) else { return }
      if !follow(&state, tell) { lookAgainAt.store(now + Self.patience, ordering: .relaxed) }
    }
  }

  /// - Returns: whether another file is watched now than before.
  private func follow(_ state: inout State, _ tell: (News) -> Bool) -> Bool {
    guard let file = open(), file.identity != state.watched else { return false }
    switch file.content {
    case .failure(let damage):
      if file.identity != state.damaged, tell(.damage(damage, levelsStay: state.levels)) { state.damaged = file.identity }
      return false
    case .success(let content):
      guard watch(file) else { return false }
      state.watched = file.identity
      adopt(LevelsInForce(lowest: lowest, rules: content.rules), &state, tell)
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

  /// Puts the file's first page where the last one's was: readers see the one or the other.
  private func watch(_ file: LevelFile.Opened) -> Bool {
    let mapped = mmap(page, Self.pageSize, PROT_READ, MAP_SHARED | MAP_FIXED, file.descriptor, 0)
    if mapped != MAP_FAILED { return true }
    // A failed call may have taken the old page away.
    let own = mmap(page, Self.pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANON, -1, 0)
    precondition(own != MAP_FAILED, "a process that cannot have one page cannot go on")
    xp_store_release_32(page + LevelFile.superseded, 1)
    return false
  }

  /// What the log says of its levels must hold wherever it says so: what is kept from now on is kept before the log says
  /// it, and what is no longer kept is left out only afterwards.
  private func adopt(_ levels: LevelsInForce, _ state: inout State, _ tell: (News) -> Bool) {
    let old = state.levels
    state.levels = levels
    guard levels != old else { return }
    show(levels, widening: true)
    _ = tell(.levels(levels))
    show(levels, widening: false)
  }

  /// - Parameter widening: leaves out nothing that was kept.
  private func show(_ levels: LevelsInForce, widening: Bool) {
    for (number, layout) in EventLayout.known.enumerated() {
      guard let layout, !widening || xp_load_relaxed_8(kept + number) != 1 else { continue }
      xp_store_relaxed_8(kept + number, levels.keeps(layout) ? 1 : recorder?.takes(layout) == true ? 2 : 0)
    }
    completeLevel.store(levels.complete.rawValue, ordering: .relaxed)
    xp_store_release_32(version, Self.nextVersion.add(1, ordering: .relaxed).oldValue)
  }
}
