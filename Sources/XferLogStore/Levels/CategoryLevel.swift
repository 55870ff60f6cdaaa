import Synchronization
import XferEvents

/// From which level up one category's messages are kept, remembered for as long as the log's levels stay the same.
///
/// Asking takes no lock and allocates nothing; only the first question after a change looks at the rules.
final class CategoryLevel: Sendable {
  let subsystem: String
  let category: String
  let log: EventLog
  /// The version of the levels, and below it the level.
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

  /// `nil` when the levels may have changed since they were looked at.
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
    // While somebody is about to change the levels, or died over it, the known ones hold on.
    if log.followLevels() == Self.version(known) { return level.rawValue >= UInt8(truncatingIfNeeded: known) }
    let answer = log.level(subsystem: subsystem, category: category)
    remembered.store(UInt64(answer.version) << 8 | UInt64(answer.level.rawValue), ordering: .relaxed)
    return level >= answer.level
  }

  @inline(__always)
  private static func version(_ known: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: known >> 8) }
}
