import XferDiagnosis
import XferEvents
import XferLifecycle
package import XferQuery

extension WhyAnswer {
  package static let documentSchema: StaticString = "xferlog.why/1"

  package func writeJSON(to json: inout JSONText) {
    json.beginObject()
    json.key("schema")
    json.string(Self.documentSchema)
    json.object("task") { json in
      json.member("uid", "\(task.identity.uid)")
      json.member("session", task.identity.session)
      json.member("number", task.identity.number)
      json.member("type", task.type?.name)
      json.member("host", task.host)
      json.member("intent", task.intent)
      json.member("state", task.state.rawValue)
      json.member("outcome", task.result.rawValue)
    }
    json.member("answer", form.rawValue)
    json.member("sentence", sentence)
    json.key("logEnd")
    if let end { write(end, to: &json) } else { json.null() }
    json.member("deciding", deciding?.name.rawValue)
    json.array("conditions", conditions) { write($0, to: &$1) }
    json.array("prospects", prospects) { prospect, json in
      json.beginObject()
      json.member("name", prospect.name)
      json.member("length", prospect.length)
      json.member("clock", prospect.clock.rawValue)
      json.member("time", prospect.wall.map { "\($0)" })
      json.member("remaining", prospect.remaining)
      json.endObject()
    }
    json.array("chain", chain) { link, json in
      json.beginObject()
      json.key("event")
      write(link.fact, to: &json)
      json.member("place", link.place)
      json.member("text", link.text)
      json.array("rules", link.rules) { $1.string($0) }
      json.endObject()
    }
    json.array("stages", stages) { stage, json in
      json.beginObject()
      json.member("name", stage.name.rawValue)
      json.member("callback", stage.callback?.name)
      json.key("event")
      if let fact = stage.fact { write(fact, to: &json) } else { json.null() }
      json.member("blame", stage.blame)
      json.endObject()
    }
    json.member("missingStage", missingStage?.name.rawValue)
    json.array("findings", findings) { cited, json in
      json.beginObject()
      json.member("rule", cited.finding.rule)
      json.member("severity", cited.finding.severity.rawValue)
      json.member("certainty", cited.finding.certainty.rawValue)
      json.member("summary", cited.finding.summary)
      json.member("remedy", cited.finding.remedy)
      json.member("root", cited.root?.rule)
      json.member("rootSummary", cited.root?.summary)
      json.endObject()
    }
    json.array("unknowns", unknowns) { $1.string($0) }
    json.endObject()
  }

  private func write(_ condition: Condition, to json: inout JSONText) {
    json.beginObject()
    json.member("name", condition.name.rawValue)
    json.member("standing", condition.standing.rawValue)
    json.member("decides", condition.decides)
    json.key("since")
    if let since = condition.since { write(since, to: &json) } else { json.null() }
    json.member("age", condition.since.flatMap { StateText(now: end?.moment ?? Moment()).duration(since: $0) })
    json.member("text", condition.text)
    json.array("holders", condition.holders) { holder, json in
      json.beginObject()
      json.member("uid", "\(holder.uid)")
      json.member("session", holder.session)
      json.member("number", holder.number)
      json.endObject()
    }
    json.endObject()
  }

  private func write(_ fact: Fact, to json: inout JSONText) { StateDocument.Value.fact(fact).write(to: &json) }
}
