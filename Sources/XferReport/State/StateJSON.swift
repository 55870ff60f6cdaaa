package import XferEvents
package import XferQuery

/// Where in a log a state is: after which event.
package struct StatePlace {
  /// Events up to there; 0 for the beginning.
  package let number: Int
  /// The last of them.
  package let event: RecordedEvent?

  package init(number: Int, event: RecordedEvent?) {
    self.number = number
    self.event = event
  }

  package var moment: Moment { event?.moment ?? Moment() }

  /// `after event #12: task.held of img/7, 1/1/5, 2026-11-20T14:02:07.121Z`
  package var text: String {
    guard let event else { return "before the first event" }
    let about = event.task.map { " of \($0.label)" } ?? event.session.map { " of \($0)" } ?? ""
    let time = event.wall.map { ", " + "\($0)".prefix(23) + "Z" } ?? ""
    return "after event #\(number): \(event.layout.name)\(about), \(event.reference)\(time)"
  }
}

extension StateDocument {
  package static let documentSchema: StaticString = "xferlog.state/1"

  package func writeJSON(at place: StatePlace, to json: inout JSONText) {
    json.beginObject()
    json.key("schema")
    json.string(Self.documentSchema)
    json.object("at") { json in
      json.member("number", place.number)
      json.member("event", place.event?.layout.name)
      json.key("source")
      if let event = place.event { json.source(event.reference) } else { json.null() }
      json.member("task", place.event?.task.map { "\($0.uid)" })
      json.member("session", place.event.flatMap { $0.task?.session ?? $0.session })
      json.member("time", place.event?.wall.map { "\($0)" })
      json.member("mono", place.event?.monotonic.map { "\($0)" })
    }
    json.member("tasksLeftOut", left)
    for section in sections {
      json.key(section.kind.rawValue)
      json.beginArray()
      for entity in section.entities { entity.write(to: &json) }
      json.endArray()
    }
    json.endObject()
  }
}

extension StateDocument.Entity {
  package func write(to json: inout JSONText) {
    json.beginObject()
    json.member("id", id)
    json.member("name", name)
    json.member("state", state)
    json.member("over", isOver)
    json.member("session", session)
    json.array("tasks", tasks) { $1.string("\($0.uid)") }
    json.object("fields") { json in
      for field in fields {
        json.key(field.name)
        if let value = field.value { value.write(to: &json) } else { json.null() }
      }
    }
    json.endObject()
  }
}

extension StateDocument.Value {
  /// Lengths of time are nanoseconds; what happened is where and when.
  package func write(to json: inout JSONText) {
    switch self {
    case .text(let text): json.string(text)
    case .list(let list):
      json.beginArray()
      for text in list { json.string(text) }
      json.endArray()
    case .integer(let number), .bytes(let number): json.integer(number)
    case .duration(let duration): json.integer(duration.nanoseconds)
    case .flag(let flag): json.boolean(flag)
    case .time(let wall): json.string("\(wall)")
    case .fact(let fact):
      json.beginObject()
      json.member("event", fact.kind.name)
      json.time(of: fact)
      json.key("source")
      json.source(fact.reference)
      json.endObject()
    }
  }
}
