package import XferEvents

/// The document `xferlog.levels/1` with a log's levels.
package enum LevelsJSON {
  package static func write(_ levels: (generation: UInt64, rules: LevelRules), log: String, to json: inout JSONText) {
    json.beginObject()
    json.member("schema", "xferlog.levels/1")
    json.member("log", log)
    json.member("generation", levels.generation)
    json.array("rules", levels.rules.rules) { rule, json in
      json.beginObject()
      name("subsystem", rule.pattern.subsystem, to: &json)
      name("category", rule.pattern.category, to: &json)
      json.member("level", rule.level.name)
      json.endObject()
    }
    json.endObject()
  }

  /// Writes a name, or `null` for a pattern that matches any name.
  private static func name(_ key: StaticString, _ name: String?, to json: inout JSONText) {
    json.key(key)
    if let name { json.string(name) } else { json.null() }
  }
}
