import XferEvents

/// The Swift source of `EventSamples+Generated.swift`: every typed event made through its own initialiser, and every
/// typed accessor called. Written from the vocabulary, so a new event is tested without anyone remembering to.
enum EventSampleSource {
  static func text() -> String {
    """
    // swift-format-ignore-file
    // Generated from Vocabulary; `XFERLOG_WRITE_SAMPLES=1 swift test --filter EventSampleTests` writes it anew.

    package import XferEvents

    package enum EventSamples {
      package static func event(_ kind: EventKind, _ v: inout FieldChooser) -> any TransferEvent {
        switch kind {
    \(Vocabulary.events.map(makeCase).joined(separator: "\n"))
        }
      }

      /// A field by its typed accessor.
      package static func value(_ field: FieldID, of event: RecordedEvent) -> RecordedValue? {
        switch field {
    \(Vocabulary.fields.map(accessorCase).joined(separator: "\n"))
        }
      }
    }

    """
  }

  private static func makeCase(_ event: EventDefinition) -> String {
    let parts = event.name.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let type = parts.joined()
    let name = type.prefix(1).lowercased() + type.dropFirst()
    let required = requiredFields(of: event)
    let arguments = event.fields.map { name in
      let value = "v.\(chooser(FieldID(name: name)!.type))(.\(name)\(required.contains(name) ? ", isRequired: true)!" : ")")"
      return "\(name): \(value)"
    }
    return "    case .\(name): return \(type)(\(arguments.joined(separator: ", ")))"
  }

  private static func chooser(_ type: FieldType) -> String {
    switch type {
    case .task: "task"
    case .tasks: "tasks"
    case .launch: "launch"
    case .boot: "boot"
    case .delivery: "delivery"
    case .handler: "handler"
    case .correlation: "correlation"
    case .digest: "digest"
    case .bytes: "bytes"
    case .count: "count"
    case .duration: "duration"
    case .wallTime: "wallTime"
    case .number: "number"
    case .flag: "flag"
    case .choice: "choice"
    case .symbol: "symbol"
    case .text: "text"
    case .message: "message"
    }
  }

  private static func accessorCase(_ field: FieldDefinition) -> String {
    let value =
      switch field.type {
      case .task: "map(RecordedValue.task)"
      case .tasks: "map(RecordedValue.tasks)"
      case .launch: "map(RecordedValue.launch)"
      case .boot: "map(RecordedValue.boot)"
      case .delivery, .handler, .correlation: "map { .identifier($0.rawValue) }"
      case .digest: "map { .digest($0.rawValue) }"
      case .bytes: "map(RecordedValue.bytes)"
      case .count: "map(RecordedValue.integer)"
      case .duration: "map(RecordedValue.duration)"
      case .wallTime: "map(RecordedValue.time)"
      case .number: "map { .integer(Int64($0)) }"
      case .flag: "map(RecordedValue.flag)"
      case .choice: "map { .choice($0.name) }"
      case .symbol: "map { .text(.plain($0)) }"
      case .text: "map(RecordedValue.text)"
      case .message: "map(RecordedValue.message)"
      }
    return "    case .\(field.name): return event.\(field.name).\(value)"
  }

  /// What every event of a family states: its subject.
  static func requiredFields(of event: EventDefinition) -> Set<String> {
    let required: Set<String> =
      switch event.family {
      case "task", "file": ["task"]
      case "attempt": ["task", "attempt"]
      case "session", "wake": ["session"]
      case "delivery": ["delivery", "callback"]
      case "assertion", "deadman", "trigger": [event.family]
      case "signpost", "activity": [event.family, "name"]
      case "multipart": ["upload"]
      default: []
      }
    return required.intersection(event.fields)
  }
}
