import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery

extension StatisticsDocument {
  /// The document `xferlog.stats/1`: times in nanoseconds, bytes of bodies, `null` where nothing was measured.
  package func writeJSON(to json: inout JSONText) {
    json.beginObject()
    json.member("schema", "xferlog.stats/1")
    json.member("complete", incompleteness.isEmpty)
    json.array("incompleteBecause", incompleteness) { $1.string($0) }
    json.array("inputs", inputs) { $0.writeJSON(to: &$1) }
    json.object("events", writeEvents)
    json.member("tasks", statistics.tasks)
    json.array("outcomes", statistics.outcomes) { entry, json in
      json.beginObject()
      json.member("outcome", entry.outcome.rawValue)
      json.member("tasks", entry.tasks)
      json.endObject()
    }
    json.array("states", statistics.states) { entry, json in
      json.beginObject()
      json.member("state", entry.state.rawValue)
      json.member("tasks", entry.tasks)
      json.endObject()
    }
    json.object("bytes") { json in
      json.member("received", statistics.received)
      json.member("sent", statistics.sent)
    }
    json.array("stages", statistics.stages) { stage, json in
      json.beginObject()
      json.member("stage", stage.stage.rawValue)
      json.member("tasks", stage.tasks)
      json.member("p50", stage.median)
      json.member("p90", stage.ninetieth)
      json.member("max", stage.maximum)
      json.endObject()
    }
    json.array("findings", statistics.rules.filter { $0.findings > 0 }) { rule, json in
      json.beginObject()
      json.member("rule", rule.rule)
      json.member("severity", (rule.worst ?? rule.severity).rawValue)
      json.member("findings", rule.findings)
      json.member("counted", rule.counted)
      json.endObject()
    }
    json.array("rules", statistics.rules) { Self.write($0, to: &$1) }
    json.array("undecided", statistics.undecided) { entry, json in
      json.beginObject()
      json.member("rule", entry.undecided.rule)
      json.member("needs", entry.undecided.needs)
      json.member("count", entry.count)
      json.endObject()
    }
    json.array("hosts", statistics.hosts) { Self.write($0, to: &$1) }
    json.endObject()
  }

  private func writeEvents(to json: inout JSONText) {
    let events = statistics.events
    json.member("count", events.count)
    json.member("unmodelled", events.unmodelled)
    json.member("gaps", events.gaps)
    json.member("dropped", events.dropped)
    json.member("first", events.span.map { "\($0.lowerBound)" })
    json.member("last", events.span.map { "\($0.upperBound)" })
  }

  private static func write(_ rule: RuleStatistics, to json: inout JSONText) {
    json.beginObject()
    json.member("rule", rule.rule)
    json.member("severity", rule.severity.rawValue)
    json.member("findings", rule.findings)
    json.member("undecidable", rule.undecidable)
    json.member("inFlight", rule.inFlight)
    json.member("silent", rule.silent)
    json.endObject()
  }

  private static func write(_ host: HostStatistics, to json: inout JSONText) {
    json.beginObject()
    json.member("host", host.host)
    json.member("tasks", host.tasks)
    json.member("failed", host.failed)
    json.member("lost", host.lost)
    json.member("received", host.received)
    json.member("sent", host.sent)
    json.member("connections", host.connections)
    json.member("reused", host.reusedConnections)
    json.member("p50", host.median)
    json.member("p90", host.ninetieth)
    json.endObject()
  }
}
