package import XferEvents

/// The text form of a log's levels.
package enum LevelsText {
  package static func write(_ levels: LevelRules, to text: inout TextBuffer) {
    var table = TextTable([("SUBSYSTEM", .left), ("CATEGORY", .left), ("LEVEL", .left)])
    for rule in levels.rules {
      table.append([rule.pattern.subsystem ?? LevelPattern.any, rule.pattern.category ?? LevelPattern.any, rule.level.name])
    }
    if !levels.rules.contains(where: { $0.pattern.description == LevelPattern.any }) {
      table.append(["(others)", "", "set by each program (default if unset)"])
    }
    table.flush(to: &text)
  }
}
