import XferEvents
import XferLogStore
import XferReading

/// A change of a log's level rules, read from the command line.
struct LevelChange {
  private let rules: [LevelRule]
  private let unset: [LevelPattern]
  private let reset: Bool

  var isEmpty: Bool { rules.isEmpty && unset.isEmpty && !reset }

  init(set rules: [String], unset: [String], reset: Bool) throws {
    self.reset = reset
    do throws(LevelPattern.Problem) {
      self.rules = try rules.map { text throws(LevelPattern.Problem) in try LevelRule(text) }
      self.unset = try unset.map { text throws(LevelPattern.Problem) in try LevelPattern(text) }
    } catch {
      throw CommandExit(.wrongUsage, UserMessage(linesOf: error.description))
    }
    for rule in self.rules { try Self.checkFamily(rule.pattern) }
    if reset, !self.unset.isEmpty { throw CommandExit(.wrongUsage, "--reset removes all rules; leave --unset out") }
  }

  /// Rejects unknown families of the vocabulary, whose rules would never match. The categories of other subsystems are not
  /// checked, because programs define them.
  private static func checkFamily(_ pattern: LevelPattern) throws {
    guard pattern.subsystem == LevelsInForce.ownSubsystem, let family = pattern.category else { return }
    // Rules for the subsystem `xferlog` do not apply to messages and signposts, which have their program's own subsystem.
    let families = Vocabulary.families.map(\.name).filter { !LevelsInForce.ownLevelFamilies.contains($0) }
    if families.contains(family) { return }
    let near = NearNames.of(family, among: families)
    let advice = near.isEmpty ? "`xferlog schema` lists all families." : "Did you mean \(near.joined(separator: " or "))?"
    throw CommandExit(.wrongUsage, "there is no event family '\(family)'. \(advice)")
  }

  /// Applies the change. Creates the log's directory when it does not exist, because levels may be set before the first program writes.
  func make(_ control: LevelControl) throws -> LevelControl.State {
    if !LogDirectory.exists(control.directory) {
      try LogDirectory.create(control.directory)
      StandardError.remark("created \(control.directory): there was no log yet")
    }
    var unknown: [LevelPattern] = []
    let state = try control.change(fromScratch: reset) { levels in
      unknown = unset.filter { !levels.remove($0) }
      for rule in rules { levels.set(rule) }
    }
    for pattern in unknown { StandardError.remark("there was no rule for \(pattern)") }
    return state
  }
}
