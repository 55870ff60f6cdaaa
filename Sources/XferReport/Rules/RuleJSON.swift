package import XferDiagnosis
import XferEvents

/// Rules as JSON: `{ "schema": "xferlog.rules/1", "rules": [...] }`.
package enum RuleJSON {
  package static let schema: StaticString = "xferlog.rules/1"

  /// - Parameter isWhole: explanation, remedy, sources and examples too.
  package static func write(_ rules: [RuleDescription], isWhole: Bool, to json: inout JSONText) {
    json.beginObject()
    json.key("schema")
    json.string(schema)
    json.array("rules", rules) { rule, json in
      json.beginObject()
      json.member("id", rule.id)
      json.member("severity", rule.severity.rawValue)
      json.member("grade", rule.grade.rawValue)
      json.member("summary", rule.summary)
      if isWhole { writeRest(of: rule, to: &json) }
      json.endObject()
    }
    json.endObject()
  }

  private static func writeRest(of rule: RuleDescription, to json: inout JSONText) {
    json.member("explanation", rule.explanation)
    json.member("remedy", rule.remedy)
    json.array("variants", rule.variants) { $1.string($0) }
    json.array("followsFrom", rule.consequenceOf) { $1.string($0) }
    json.member("silentUnderDebugger", rule.needsNoDebugger)
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
