import XferEvents
import XferLifecycle
import XferReplay

/// The fields of one kind of entity in a state: the single source of their values, their schema and their documentation.
struct StateFields<Subject>: Sendable {
  /// The name of the fields' definition in schemas.
  let name: String
  /// A noun phrase that describes one entity.
  let summary: String
  private(set) var all: [Field] = []

  struct Field: Sendable {
    let description: StateFieldDescription
    /// Returns the value of the field. `nil` when no event up to the state's position in the log contains the value.
    let value: @Sendable (Subject, World) -> StateDocument.Value?
  }

  /// - Parameter declare: appends the fields in the order in which they are shown.
  init(_ name: String, _ summary: String, _ declare: (inout StateFields) -> Void) {
    (self.name, self.summary) = (name, summary)
    declare(&self)
  }

  func values(of subject: Subject, in world: World) -> [StateDocument.Field] {
    all.map { .init(name: $0.description.name, value: $0.value(subject, world)) }
  }

  var description: StateFieldsDescription {
    StateFieldsDescription(name: name, summary: summary, fields: all.map(\.description))
  }

  // MARK: Declaration

  private mutating func add(
    _ name: String, _ type: StateFieldDescription.Kind, _ summary: String,
    _ value: @escaping @Sendable (Subject, World) -> StateDocument.Value?
  ) {
    all.append(Field(description: StateFieldDescription(name: name, kind: type, summary: summary), value: value))
  }

  mutating func text(_ name: String, _ summary: String, _ value: @escaping @Sendable (Subject, World) -> String?) {
    add(name, .text, summary) { value($0, $1).map(StateDocument.Value.text) }
  }

  /// Appends a list of texts. An empty list becomes `nil`.
  mutating func texts(_ name: String, _ summary: String, _ value: @escaping @Sendable (Subject, World) -> [String]) {
    add(name, .list, summary) { subject, world in
      let list = value(subject, world)
      return list.isEmpty ? nil : .list(list)
    }
  }

  mutating func fact(_ name: String, _ summary: String, _ value: @escaping @Sendable (Subject, World) -> Fact?) {
    add(name, .fact, summary) { value($0, $1).map(StateDocument.Value.fact) }
  }

  mutating func number<Number: BinaryInteger & SendableMetatype>(
    _ name: String, _ summary: String, _ value: @escaping @Sendable (Subject, World) -> Number?
  ) {
    add(name, .integer, summary) { value($0, $1).map { .integer(Int64(clamping: $0)) } }
  }

  mutating func bytes(_ name: String, _ summary: String, _ value: @escaping @Sendable (Subject, World) -> Int64?) {
    add(name, .bytes, summary) { value($0, $1).map(StateDocument.Value.bytes) }
  }

  mutating func duration(_ name: String, _ summary: String, _ value: @escaping @Sendable (Subject, World) -> Duration?) {
    add(name, .duration, summary) { value($0, $1).map(StateDocument.Value.duration) }
  }

  mutating func flag(_ name: String, _ summary: String, _ value: @escaping @Sendable (Subject, World) -> Bool?) {
    add(name, .flag, summary) { value($0, $1).map(StateDocument.Value.flag) }
  }

  mutating func time(_ name: String, _ summary: String, _ value: @escaping @Sendable (Subject, World) -> WallTime?) {
    add(name, .time, summary) { value($0, $1).map(StateDocument.Value.time) }
  }
}

/// The name, kind and meaning of one field of an entity.
package struct StateFieldDescription: Sendable {
  /// The kind of a value, as in `StateDocument.Value`.
  package enum Kind: Sendable { case text, list, integer, bytes, duration, flag, fact, time }

  package let name: String
  package let kind: Kind
  package let summary: String
}

/// The descriptions of the fields of one kind of entity.
package struct StateFieldsDescription: Sendable {
  package let name: String
  package let summary: String
  package let fields: [StateFieldDescription]
}

extension StateDocument.Kind {
  /// A noun phrase for the entities of this kind.
  package var summary: String {
    switch self {
    case .boots: "Boots of the machine."
    case .processes: "Process lives."
    case .daemons: "Lives of the daemon."
    case .conditions: "The network, the power supply, the device lock, the policies and the disk."
    case .sessions: "Session objects."
    case .tasks: "Tasks."
    case .deliveries: "Callbacks in flight to the app."
    case .files: "Downloaded files that the app has not claimed."
    case .wakes: "Wakes of apps."
    case .assertions: "Requests for background time."
    case .alarms: "Dead man's switches."
    case .beats: "Heartbeats that the app sends periodically."
    case .handoffs: "Handoffs of a transfer from one task to another."
    case .intents: "Intents that the app declared."
    case .uploads: "Multipart uploads."
    case .triggers: "Launch triggers."
    case .gaps: "Places where records are missing from the log."
    }
  }

  /// The fields of the entities of this kind, with one element for each variant of the kind.
  package var fields: [StateFieldsDescription] {
    switch self {
    case .boots: [Self.bootFields.description]
    case .processes: [Self.processFields.description]
    case .daemons: [Self.daemonFields.description]
    case .conditions:
      [
        Self.networkFields.description, Self.powerFields.description, Self.switchFields.description, Self.diskFields.description,
      ]
    case .sessions: [Self.sessionFields.description]
    case .tasks: [Self.taskFields.description]
    case .deliveries: [Self.deliveryFields.description, Self.callbackFields.description]
    case .files: [Self.fileFields.description]
    case .wakes: [Self.wakeFields.description]
    case .assertions: [Self.assertionFields.description]
    case .alarms: [Self.alarmFields.description]
    case .beats: [Self.beatFields.description]
    case .handoffs: [Self.handoffFields.description]
    case .intents: [Self.intentFields.description]
    case .uploads: [Self.uploadFields.description]
    case .triggers: [Self.triggerFields.description]
    case .gaps: [Self.gapFields.description, Self.dropFields.description]
    }
  }
}
