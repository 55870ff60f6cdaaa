import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

extension ReplayDocument {
  /// The document `xferlog.replay/1`.
  package func writeJSON(to json: inout JSONText) {
    let world = diagnosis.world
    let counts = diagnosis.replay.counts
    json.beginObject()
    json.member("schema", "xferlog.replay/1")
    json.member("verdict", verdict.rawValue)
    json.key("complete")
    json.boolean(diagnosis.incompleteness.isEmpty)
    json.key("incompleteBecause")
    json.list(diagnosis.incompleteness)
    json.key("exitCode")
    json.integer(exitCode)
    json.key("events")
    json.integer(counts.events)
    json.key("unmodelled")
    json.integer(counts.unmodelledEvents)
    json.key("inputs")
    json.beginArray()
    for input in inputs {
      json.beginObject()
      json.member("path", input.path)
      json.member("format", input.format)
      json.member("error", input.error)
      json.endObject()
    }
    json.endArray()
    json.key("processes")
    json.beginArray()
    for process in world.processes { write(process, to: &json) }
    json.endArray()
    json.key("tasks")
    json.beginArray()
    for task in world.tasks { write(task, to: &json) }
    json.endArray()
    json.key("wakes")
    json.beginArray()
    for wake in world.wakes { write(wake, world, to: &json) }
    json.endArray()
    json.key("findings")
    json.beginArray()
    for finding in diagnosis.findings { write(finding, to: &json) }
    json.endArray()
    json.key("undecided")
    json.beginArray()
    for (undecided, count) in diagnosis.undecided.sorted(by: { ($0.key.rule, $0.key.needs) < ($1.key.rule, $1.key.needs) }) {
      json.beginObject()
      json.member("rule", undecided.rule)
      json.key("count")
      json.integer(count)
      json.member("needs", undecided.needs)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private func write(_ process: ProcessLifecycle, to json: inout JSONText) {
    json.beginObject()
    json.member("launch", process.launch.map { "\($0)" })
    json.member("role", process.role?.name)
    json.key("pid")
    json.integer(process.pid ?? 0)
    json.member("boot", process.boot.map { "\($0)" })
    json.member("executable", process.executable)
    json.member("started", (process.started ?? process.firstSeen)?.wall.map { "\($0)" })
    json.member("ended", process.endFact?.wall.map { "\($0)" })
    json.member("end", process.end.rawValue)
    json.member("startReason", process.startReason?.name)
    json.endObject()
  }

  private func write(_ task: TaskLifecycle, to json: inout JSONText) {
    json.beginObject()
    json.member("uid", "\(task.identity.uid)")
    json.member("session", task.identity.session)
    json.key("number")
    json.integer(task.identity.number)
    json.member("type", task.type?.name)
    json.member("state", task.state.rawValue)
    json.member("outcome", task.result.rawValue)
    json.key("http")
    json.optional(task.status)
    json.key("error")
    if let error = task.error {
      json.beginObject()
      json.member("domain", error.domain?.name)
      json.key("number")
      json.integer(error.number)
      json.member("name", error.name)
      json.endObject()
    } else {
      json.null()
    }
    json.key("attempts")
    json.integer(task.attemptCount)
    json.key("bytes")
    json.optional(task.bytesReceived)
    json.key("unexpected")
    json.integer(task.unexpected.count)
    json.endObject()
  }

  private func write(_ wake: WakeLifecycle, _ world: World, to json: inout JSONText) {
    let ended = wake.process.map { world.processes[$0].endFact != nil } ?? false
    json.beginObject()
    json.member("handler", "\(wake.handler.rawValue)")
    json.member("session", wake.session)
    json.member("wanted", wake.wanted?.wall.map { "\($0)" })
    json.member("launched", wake.launched?.wall.map { "\($0)" })
    json.member("delivered", wake.delivered?.wall.map { "\($0)" })
    json.member("eventsFinished", wake.eventsFinished?.wall.map { "\($0)" })
    json.member("called", wake.called?.wall.map { "\($0)" })
    json.member("outcome", wake.result(processEnded: ended).rawValue)
    json.endObject()
  }

  private func write(_ finding: Finding, to json: inout JSONText) {
    json.beginObject()
    json.member("rule", finding.rule)
    json.member("variant", finding.variant)
    json.member("severity", finding.severity.rawValue)
    json.member("certainty", finding.certainty.rawValue)
    json.key("causedBy")
    json.optional(finding.causedBy)
    json.member("session", finding.session)
    json.member("task", finding.task.map { "\($0.uid)" })
    json.member("wake", finding.wake.map { "\($0.rawValue)" })
    json.member("time", finding.moment.wall.map { "\($0)" })
    json.member("summary", finding.summary)
    json.member("remedy", finding.remedy)
    json.member("fingerprint", finding.fingerprint)
    json.key("lowered")
    json.list(finding.lowered)
    json.key("evidence")
    json.beginArray()
    for fact in finding.evidence {
      json.beginObject()
      json.key("source")
      write(fact.reference, to: &json)
      json.member("event", fact.kind.name)
      json.member("time", fact.wall.map { "\($0)" })
      json.endObject()
    }
    json.endArray()
    json.key("missing")
    json.beginArray()
    for missing in finding.missing {
      json.beginObject()
      json.member("event", missing.event.name)
      json.member("dueBy", missing.dueBy?.wall.map { "\($0)" })
      json.endObject()
    }
    json.endArray()
    json.key("unless")
    json.list(finding.unless)
    json.endObject()
  }

  private func write(_ reference: EventReference, to json: inout JSONText) {
    json.beginObject()
    switch reference {
    case .record(let segment, let lane, let sequence):
      json.key("segment")
      json.integer(segment)
      json.key("lane")
      json.integer(lane)
      json.key("seq")
      json.integerString(sequence)
    case .line(let file, let line):
      json.key("file")
      json.integer(file)
      json.key("line")
      json.integerString(line)
    }
    json.endObject()
  }
}

extension JSONText {
  fileprivate mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  fileprivate mutating func optional(_ value: (some BinaryInteger)?) {
    if let value { integer(value) } else { null() }
  }

  fileprivate mutating func list(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
