import XferEvents

/// The Swift source with which tests create every typed event by its own initializer and call every typed accessor.
///
/// The source is generated from the vocabulary, so that a new event is tested without further work.
enum EventSampleSources {
  static func file() -> GeneratedFile {
    GeneratedFile(path: "Tests/Support/LogTestSupport/EventSamples+Generated.swift", text: text())
  }

  private static func text() -> String {
    """
    // swift-format-ignore-file
    // Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

    package import XferEvents

    package enum EventSamples {
      package static func event(_ kind: EventKind, _ v: inout FieldChooser) -> any TransferEvent {
        switch kind {
    \(Vocabulary.events.map(makeCase).joined(separator: "\n"))
        }
      }

      /// Returns the value of a field, read by its typed accessor.
      package static func value(_ field: FieldID, of event: RecordedEvent) -> RecordedValue? {
        switch field {
    \(Vocabulary.fields.map(accessorCase).joined(separator: "\n"))
        }
      }
    }

    """
  }

  private static func makeCase(_ event: EventDefinition) -> String {
    let arguments = TypedEventSources.fields(of: event).map { field in
      let end = event.required.contains(field.name) ? ", isRequired: true)!" : ")"
      return "\(field.name): v.\(chooser(field.type))(.\(field.name)\(end)"
    }
    let (name, type) = (TypedEventSources.caseName(event), TypedEventSources.typeName(event))
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
}
