import XferEvents

/// The Swift sources of event kinds, fields, choices and typed events, generated from the vocabulary.
enum TypedEventSources {
  static func files() -> [GeneratedFile] {
    [
      GeneratedFile(eventSource: "EventKind", eventKinds()),
      GeneratedFile(eventSource: "FieldID", fieldIDs()),
      GeneratedFile(eventSource: "Choices", choices()),
      GeneratedFile(eventSource: "Events", Vocabulary.events.map(event).joined(separator: "\n")),
      GeneratedFile(eventSource: "RecordedEvent", accessors()),
    ]
  }

  // MARK: Names

  static func typeName(_ event: EventDefinition) -> String { typeName(event.name) }

  private static func typeName(_ name: String) -> String { name.split(separator: ".").map(capitalized).joined() }

  /// Returns the case of `EventKind` for an event name such as `task.created`.
  static func caseName(_ name: String) -> String {
    let type = typeName(name)
    return type.prefix(1).lowercased() + type.dropFirst()
  }

  static func caseName(_ event: EventDefinition) -> String { caseName(event.name) }

  private static func capitalized(_ word: some StringProtocol) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private static let keywords: Set<String> = [
    "default", "protocol", "none", "open", "return", "repeat", "operator", "extension", "init", "self",
  ]

  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  // MARK: EventKind, FieldID, choices

  private static func eventKinds() -> String {
    let cases = Vocabulary.events.map { "  /// \($0.name)\n  case \(caseName($0)) = \($0.number)" }.joined(separator: "\n")
    let names = Vocabulary.events.map { "    case .\(caseName($0)): \"\($0.name)\"" }.joined(separator: "\n")
    return """
      /// The kind of an event. Records store the raw value.
      public enum EventKind: UInt16, Sendable, CaseIterable {
      \(cases)

        /// The name of the event, in the form `family.name`.
        public var name: String {
          switch self {
      \(names)
          }
        }
      }

      """
  }

  private static func fieldIDs() -> String {
    let cases = Vocabulary.fields.map { "  /// \($0.summary)\n  case \(escaped($0.name))" }.joined(separator: "\n")
    return """
      /// A field of an event. The cases are in the order of the vocabulary.
      public enum FieldID: UInt8, Sendable, CaseIterable {
      \(cases)
      }

      """
  }

  private static func choices() -> String {
    Vocabulary.choices.map { choice in
      let cases = choice.cases.map { "  /// \(capitalized($0.summary)).\n  case \(escaped($0.name))" }.joined(separator: "\n")
      let names = choice.cases.map { "    case .\(escaped($0.name)): \"\($0.name)\"" }.joined(separator: "\n")
      return """
        /// \(choice.summary)
        public enum \(choice.name): UInt8, Sendable, CaseIterable {
        \(cases)

          /// The name in messages and documents.
          public var name: String {
            switch self {
        \(names)
            }
          }
        }

        """
    }.joined(separator: "\n")
  }

  // MARK: Typed events

  /// Returns the parameter of an initializer for a field.
  static func parameter(_ field: FieldDefinition, of event: EventDefinition) -> String {
    "\(field.name): \(swiftType(field))\(event.required.contains(field.name) ? "" : "? = nil")"
  }

  private static func event(_ event: EventDefinition) -> String {
    let fields = fields(of: event)
    func isRequired(_ field: FieldDefinition) -> Bool { event.required.contains(field.name) }
    let type = typeName(event)

    // Constant properties and inlinable initializers let callers create events without extra copies.
    let properties = fields.map { field in
      "  /// \(field.summary)\n  public let \(escaped(field.name)): \(swiftType(field))\(isRequired(field) ? "" : "?")"
    }
    let parameters = fields.map { "    " + parameter($0, of: event) }
    let assignments = fields.map { "    self.\($0.name) = \(escaped($0.name))" }

    let stored = EventLayout.storedOrder(fields.map(\.type)).map { fields[$0] }
    let presenceSize = fields.count > 32 ? 8 : 4
    let fixedSize = stored.compactMap(\.type.storedSize).reduce(0, +)
    let puts = stored.enumerated().map { place, field in
      let value = escaped(field.name)
      let put = put(field, value: value, place: place)
      return isRequired(field) ? "    \(put)" : "    if let \(value) { \(put) }"
    }
    let initializer =
      fields.isEmpty
      ? "  public init() {}"
      : """
        @inlinable
        public init(
      \(parameters.joined(separator: ",\n"))
        ) {
      \(assignments.joined(separator: "\n"))
        }
      """
    let subject = event.fields.contains("task") ? "\n  public var subject: TaskIdentity? { task }\n" : ""
    return """
      /// The event `\(event.name)`: “\(event.message)”.
      public struct \(type): TransferEvent {
        public static var kind: EventKind { .\(caseName(event)) }

      \(properties.joined(separator: "\n"))\(properties.isEmpty ? "" : "\n\n")\(initializer)
      \(subject)
        public func encode(into encoder: inout FieldEncoder) {
          encoder.begin(presenceSize: \(presenceSize), fixedSize: \(fixedSize))
      \(puts.joined(separator: "\n"))\(puts.isEmpty ? "" : "\n")    encoder.finish(presenceSize: \(presenceSize))
        }
      }

      """
  }

  /// Returns the definitions of an event's fields. `FieldID` cannot be used: it is generated, too, and lacks fields that are new
  /// in the vocabulary.
  static func fields(of event: EventDefinition) -> [FieldDefinition] {
    event.fields.compactMap { name in Vocabulary.fields.first { $0.name == name } }
  }

  private static func put(_ field: FieldDefinition, value: String, place: Int) -> String {
    switch field.type {
    case .launch, .boot: "encoder.put(high: \(value).high, low: \(value).low, at: \(place))"
    case .delivery, .handler, .correlation, .digest: "encoder.put(\(value).rawValue, at: \(place))"
    case .bytes, .count, .duration, .task, .tasks: "encoder.put(\(value), at: \(place))"
    case .wallTime: "encoder.put(\(value).nanoseconds, at: \(place))"
    case .number: "encoder.put(number: \(value), at: \(place))"
    case .flag: "encoder.put(\(value) ? 1 : 0 as UInt8, at: \(place))"
    case .choice: "encoder.put(\(value).rawValue, at: \(place))"
    case .symbol: "encoder.put(symbol: \(value), at: \(place))"
    case .message: "encoder.put(message: \(value), .\(field.name), at: \(place))"
    case .text(let privacy): "encoder.put(text: \(value), .\(privacy.rawValue), .\(field.name), at: \(place))"
    }
  }

  private static func swiftType(_ field: FieldDefinition) -> String {
    switch field.type {
    case .task: "TaskIdentity"
    case .tasks: "[TaskIdentity]"
    case .launch: "LaunchID"
    case .boot: "BootID"
    case .delivery: "DeliveryID"
    case .handler: "HandlerID"
    case .correlation: "CorrelationID"
    case .digest: "ValueDigest"
    case .bytes, .count: "Int64"
    case .duration: "Duration"
    case .wallTime: "WallTime"
    case .number: "Int"
    case .flag: "Bool"
    case .choice(let name): name
    case .symbol, .text: "String"
    case .message: "LogMessage"
    }
  }

  // MARK: Accessors of recorded events

  private static func accessors() -> String {
    let body = Vocabulary.fields.map { field in
      let id = ".\(field.name)"
      let expression =
        switch field.type {
        case .task: "taskIdentity(\(id))"
        case .tasks: "taskList(\(id))"
        case .launch: "pair(\(id)).map(LaunchID.init)"
        case .boot: "pair(\(id)).map(BootID.init)"
        case .delivery: "word(\(id)).map(DeliveryID.init)"
        case .handler: "word(\(id)).map(HandlerID.init)"
        case .correlation: "word(\(id)).map(CorrelationID.init)"
        case .digest: "word(\(id)).map(ValueDigest.init)"
        case .bytes, .count: "signedWord(\(id))"
        case .duration: "signedWord(\(id)).map(Duration.nanoseconds)"
        case .wallTime: "signedWord(\(id)).map(WallTime.init)"
        case .number: "number(\(id))"
        case .flag: "byte(\(id)).map { $0 != 0 }"
        case .choice(let name): "byte(\(id)).flatMap(\(name).init)"
        case .symbol: "symbol(\(id))"
        case .text: "text(\(id))"
        case .message: "message(\(id))"
        }
      let type =
        switch field.type {
        case .text: "RecordedText"
        case .message: "RecordedMessage"
        default: swiftType(field)
        }
      return (name: escaped(field.name), type: type, expression: expression, summary: field.summary)
    }
    let decoding = body.map { "  package var \($0.name): \($0.type)? { \($0.expression) }" }
    let forwarding = body.map { "  /// \($0.summary)\n  public var \($0.name): \($0.type)? { view.\($0.name) }" }
    return """
      extension EventView {
      \(decoding.joined(separator: "\n"))
      }

      extension RecordedEvent {
      \(forwarding.joined(separator: "\n"))
      }

      """
  }
}
