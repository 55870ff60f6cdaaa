package import XferEvents
package import XferQuery

/// The position in a log that a state belongs to.
package struct StatePlace {
  /// The number of events up to the position; 0 at the beginning of the log.
  package let number: Int
  /// The last event before the position. `nil` at the beginning of the log.
  package let event: RecordedEvent?

  package init(number: Int, event: RecordedEvent?) {
    self.number = number
    self.event = event
  }

  package var moment: Moment { event?.moment ?? Moment() }

  /// A description such as `after event #12: task.held of img/7, 1/1/5, 2026-11-20T14:02:07.121Z`.
  package var text: String {
    guard let event else { return "before the first event" }
    let about = event.task.map { " of \($0.label)" } ?? event.session.map { " of \($0)" } ?? ""
    let time = event.wall.map { ", " + "\($0)".prefix(23) + "Z" } ?? ""
    return "after event #\(number): \(event.layout.name)\(about), \(event.reference)\(time)"
  }
}

/// A state together with its position in a log.
struct PlacedState {
  let state: StateDocument
  let place: StatePlace
}

extension StateDocument {
  package func writeJSON(at place: StatePlace, to json: inout JSONText) {
    Self.object.write(PlacedState(state: self, place: place), to: &json)
  }

  package static var description: DocumentDescription { object.description }

  /// The fields of the document `xferlog.state/1`.
  static let object = DocumentObject<PlacedState>("state", "The state at one place in a log.") { fields in
    fields.schema("xferlog.state/1")
    fields.object("at", place, "The place in the log.") { $0.place }
    fields.integer("tasksLeftOut", "Number of tasks that are not listed because they ended too long ago.") { $0.state.left }
    for kind in Kind.allCases {
      let object = Entity.object(of: kind)
      fields.list(kind.rawValue, object, kind.summary) { $0.state[kind] }
    }
  }

  private static let place = DocumentObject<StatePlace>("statePlace", "The place of a state in a log.") { fields in
    fields.integer("number", "Number of events up to the place; 0 for the beginning.") { $0.number }
    fields.optionalText("event", "Name of the last event.") { $0.event?.layout.name }
    SharedObjects.addSource("source", presence: .nullable, "Place of the last event.", to: &fields) { $0.event?.reference }
    fields.optionalText("task", as: .uuid, "Uid of the task that the last event is about.") { $0.event?.task.map { "\($0.uid)" } }
    fields.optionalText("session", "Identifier of the session that the last event is about.") { place in
      place.event.flatMap { $0.task?.session ?? $0.session }
    }
    fields.optionalText("time", as: .time, "Wall-clock time of the last event.") { $0.event?.wall.map { "\($0)" } }
    fields.optionalText("mono", as: .nanoseconds, "Monotonic time of the last event.") { $0.event?.monotonic.map { "\($0)" } }
  }
}

extension StateDocument.Entity {
  /// Returns the JSON object of an entity of one kind.
  static func object(of kind: StateDocument.Kind) -> DocumentObject<StateDocument.Entity> {
    let details = kind.fields.map { DocumentShape.object(DocumentDescription($0)) }
    return DocumentObject("\(kind.rawValue)Entry", kind.summary) { fields in
      fields.text("id", "Identifier of the entity, unique within its kind.") { $0.id }
      fields.text("name", "Name of the entity.") { $0.name }
      fields.text("state", "State of the entity in a few words.") { $0.state }
      fields.flag("over", "Whether the entity has ended.") { $0.isOver }
      fields.optionalText("session", "Identifier of the session that the entity belongs to.") { $0.session }
      fields.texts("tasks", as: .uuid, "Uids of the tasks that the entity belongs to.") { $0.tasks.map { "\($0.uid)" } }
      let shape = details.count == 1 ? details[0] : .either(details)
      fields.add("fields", shape, "The known properties of the entity.") { entity, json in
        json.beginObject()
        for field in entity.fields {
          json.key(field.name)
          if let value = field.value { value.write(to: &json) } else { json.null() }
        }
        json.endObject()
      }
    }
  }
}

extension DocumentDescription {
  /// Creates the description of one kind of entity from its declared fields. Each field may be `null`.
  init(_ fields: StateFieldsDescription) {
    name = fields.name
    summary = fields.summary
    self.fields = fields.fields.map { field in
      let (shape, unit): (DocumentShape, DocumentUnit?) =
        switch field.kind {
        case .text: (.text(.string), nil)
        case .list: (.list(.text(.string)), nil)
        case .integer: (.integer, nil)
        case .bytes: (.integer, .bytes)
        case .duration: (.integer, .nanoseconds)
        case .flag: (.boolean, nil)
        case .fact: (.object(SharedObjects.fact.description), nil)
        case .time: (.text(.time), nil)
        }
      return Field(name: field.name, shape: shape, unit: unit, summary: field.summary, presence: .nullable)
    }
  }
}

extension StateDocument.Value {
  /// Writes the value as JSON. Durations are in nanoseconds. Facts become objects with their place and time.
  func write(to json: inout JSONText) {
    switch self {
    case .text(let text): json.string(text)
    case .list(let list):
      json.array(of: list) { $1.string($0) }
    case .integer(let number), .bytes(let number): json.integer(number)
    case .duration(let duration): json.integer(duration.nanoseconds)
    case .flag(let flag): json.boolean(flag)
    case .time(let wall): json.time(wall)
    case .fact(let fact): SharedObjects.fact.write(fact, to: &json)
    }
  }
}
