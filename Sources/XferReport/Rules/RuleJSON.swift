package import XferDiagnosis
import XferEvents

/// Rules as JSON: `{ "schema": "xferlog.rules/1", "rules": [...] }`.
package enum RuleJSON {
  package static let schema: StaticString = "xferlog.rules/1"

  /// - Parameters:
  ///   - isWhole: explanation, remedy, limits, sources and examples too.
  ///   - force: the rules in force.
  package static func write(
    _ rules: [RuleDescription], isWhole: Bool, in force: RuleSet = .catalogue, to json: inout JSONText
  ) {
    json.beginObject()
    json.key("schema")
    json.string(schema)
    json.array("rules", rules) { rule, json in
      json.beginObject()
      json.member("id", rule.id)
      json.member("severity", rule.severity.rawValue)
      json.member("grade", rule.grade.rawValue)
      json.member("summary", rule.summary)
      if let origin = rule.origin { json.member("origin", origin) }
      if isWhole { writeRest(of: rule, in: force, to: &json) }
      json.endObject()
    }
    json.endObject()
  }

  private static func writeRest(of rule: RuleDescription, in force: RuleSet, to json: inout JSONText) {
    json.member("explanation", rule.explanation)
    json.member("remedy", rule.remedy)
    json.array("variants", rule.variants) { $1.string($0) }
    json.array("followsFrom", rule.consequenceOf) { $1.string($0) }
    json.member("silentUnderDebugger", rule.needsNoDebugger)
    json.array("limits", force.limitSettings(of: rule.id)) { setting, json in
      json.beginObject()
      json.member("name", setting.name)
      json.member("meaning", setting.meaning)
      json.limit("value", setting.value)
      json.limit("usual", force.usual(setting.name, of: rule.id) ?? setting.value)
      json.endObject()
    }
    json.array("sources", rule.sources) { $1.string($0) }
    json.array("reported", rule.reports) { write($0, to: &$1) }
    json.array("notReported", rule.staysSilent) { write($0, to: &$1) }
  }

  private static func write(_ example: RuleExample, to json: inout JSONText) {
    let text = RuleExampleText(example)
    json.beginObject()
    json.member("name", text.name)
    if let certainty = example.certainty { json.member("certainty", certainty.rawValue) }
    if let variant = example.variant { json.member("variant", variant) }
    json.array("steps", text.steps) { step, json in
      json.beginObject()
      json.member("offset", step.offset.nanoseconds)
      json.member("process", step.process)
      json.member("event", step.event)
      json.member("message", step.message)
      json.member("evidence", step.isEvidence)
      json.endObject()
    }
    json.endObject()
  }
}

extension JSONText {
  /// A count, or nanoseconds.
  mutating func limit(_ name: StaticString, _ value: LimitValue) {
    switch value {
    case .count(let count): member(name, count)
    case .duration(let duration): member(name, duration.nanoseconds)
    }
  }
}
