import XferDiagnosis

extension EventSchema {
  /// What stands between events, and what it refers to.
  static func writeFinding(to json: inout JSONText) {
    json.object("finding") { json in
      json.array("required", ["schema", "level", "finding"]) { $1.string($0) }
      json.object("properties") { json in
        writeCommon(to: &json)
        json.object("finding") { json in
          json.member("type", "object")
          let required = [
            "rule", "variant", "severity", "certainty", "causedBy", "session", "task", "wake", "launch", "time", "mono",
            "summary",
            "remedy", "fingerprint", "lowered", "evidence", "missing", "unless", "tasks",
          ]
          json.array("required", required) { $1.string($0) }
          json.object("properties") { json in
            json.property("rule", "string", "The rule's id, never renamed.")
            json.nullable("variant", "string", "The sub-verdict, where the rule has some.")
            json.object("severity") { $0.array("enum", Severity.allCases) { $1.string($0.rawValue) } }
            json.object("certainty") { $0.array("enum", Certainty.allCases) { $1.string($0.rawValue) } }
            json.nullable("causedBy", "integer", "Place of its root among a replay's findings; null between events.")
            json.nullable("session", "string", "The session that it is about.")
            json.nullable("task", "uuid", "The task that it is about.")
            json.nullable("wake", "identifier", "The wake that it is about, by its handler.")
            json.nullable("launch", "uuid", "The process life that it is about.")
            json.nullable("time", "time", "When the first of the evidence happened.")
            json.nullable("mono", "nanoseconds", "The same by the clock to compare.")
            json.property("fingerprint", "string", "The same for the same problem in every run.")
            json.list("lowered", "string", "Why it is not surer.")
            json.list("evidence", "evidence", "The events that it rests on.")
            json.list("missing", "missing", "The events that should be there.")
            json.list("unless", "string", "What would make it wrong.")
            json.list("tasks", "uuid", "The tasks that it names, where it is not about one.")
          }
        }
      }
    }
    writeEvidence(to: &json)
  }

  private static func writeEvidence(to json: inout JSONText) {
    json.object("evidence") { json in
      json.array("required", ["source", "event"]) { $1.string($0) }
      json.object("properties") { json in
        json.property("source", "source")
        json.property("event", "string", "family.name")
        json.nullable("time", "time", "Wall clock.")
        json.nullable("mono", "nanoseconds", "The clock to compare.")
      }
    }
    json.object("missing") { json in
      json.array("required", ["event"]) { $1.string($0) }
      json.object("properties") { json in
        json.property("event", "string", "family.name")
        json.nullable("dueBy", "time", "Wall clock.")
        json.nullable("dueByMono", "nanoseconds", "The clock to compare.")
      }
    }
  }
}
