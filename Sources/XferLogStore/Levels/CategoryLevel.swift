import Synchronization
import XferEvents

/// The lowest level at which one category's messages are logged, cached until the log's levels change.
///
/// A query takes no lock and does not allocate. Only the first query after a change evaluates the level rules.
final class CategoryLevel: Sendable {
  let subsystem: String
  let category: String
  let log: EventLog
  /// The version of the levels in the upper bits and the cached level in the lowest byte.
  private let remembered = Atomic<UInt64>(0)

  init(subsystem: String, category: String, log: EventLog) {
    self.subsystem = subsystem
    self.category = category
    self.log = log
  }

  @inline(__always)
  func keeps(_ level: Level) -> Bool {
    if let known = knownToKeep(level) { known } else { ask(level) }
  }

  /// Returns whether the level is logged according to the cache, or `nil` if the levels may have changed.
  @inline(__always)
  func knownToKeep(_ level: Level) -> Bool? {
    if level >= .default { return true }
    let known = remembered.load(ordering: .relaxed)
    guard let version = log.levelsVersion, Self.version(known) == version else { return nil }
    return level.rawValue >= UInt8(truncatingIfNeeded: known)
  }

  @inline(never)
  private func ask(_ level: Level) -> Bool {
    let known = remembered.load(ordering: .relaxed)
    // While another process is changing the levels, or was killed while doing so, the cached levels stay in force.
    if log.followLevels() == Self.version(known) { return level.rawValue >= UInt8(truncatingIfNeeded: known) }
    let answer = log.level(subsystem: subsystem, category: category)
    remembered.store(UInt64(answer.version) << 8 | UInt64(answer.level.rawValue), ordering: .relaxed)
    return level >= answer.level
  }

  @inline(__always)
  private static func version(_ known: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: known >> 8) }
}
