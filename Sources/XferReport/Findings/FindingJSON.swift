import XferDiagnosis
import XferEvents

extension Finding {
  /// The finding as an object, alike in replays and between events.
  ///
  /// - Parameter causedBy: place of its root in the list of all findings; `nil` for a root, and where there is no such
  ///   list yet.
  func writeJSON(causedBy: Int?, to json: inout JSONText) {
    json.beginObject()
    json.member("rule", rule)
    json.member("variant", variant)
    json.member("severity", severity.rawValue)
    json.member("certainty", certainty.rawValue)
    json.member("causedBy", causedBy)
    json.member("session", session)
    json.member("task", task.map { "\($0.uid)" })
    json.member("wake", wake.map { "\($0.rawValue)" })
    json.member("launch", launch.map { "\($0)" })
    json.time(of: evidence[0])
    json.member("summary", summary)
    json.member("remedy", remedy)
    json.member("fingerprint", fingerprint)
    json.array("lowered", lowered) { $1.string($0) }
    json.array("evidence", evidence) { fact, json in
      json.beginObject()
      json.key("source")
      json.source(fact.reference)
      json.member("event", fact.kind.name)
      json.time(of: fact)
      json.endObject()
    }
    json.array("missing", missing) { missing, json in
      json.beginObject()
      json.member("event", missing.event.name)
      json.member("dueBy", missing.dueBy?.wall.map { "\($0)" })
      json.member("dueByMono", missing.dueBy?.monotonic.map { "\($0)" })
      json.endObject()
    }
    json.array("unless", unless) { $1.string($0) }
    json.array("tasks", tasks) { $1.string("\($0.uid)") }
    json.endObject()
  }
}
