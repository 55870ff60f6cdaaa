import XferEvents

/// The Swift sources that state the columns of the event table as functions of `EventKind`.
///
/// The functions are switches over constants instead of static tables. Every access to a static table checks whether the table
/// has been initialised, and the replay reads these columns several times per event.
enum EventTableSources {
  static func files() -> [GeneratedFile] {
    [
      GeneratedFile(eventSource: "EventModel", models()),
      GeneratedFile(
        eventSource: "EventTable",
        [importance(), pairs(), order(), levels(), writers(), causes()].joined(separator: "\n")),
    ]
  }

  /// Returns the mistakes in the vocabulary that prevent the generation of sources, each with a remedy.
  static func problems() -> [String] {
    let (events, fields) = (Set(Vocabulary.events.map(\.name)), Set(Vocabulary.fields.map(\.name)))
    let pairs = EventPair.allCases.filter { Vocabulary.regularEnd(of: $0) == nil }
    return pairs.map { "No event closes the pair \($0). Add `closes: .\($0)` to an event whose level is below error." }
      + Vocabulary.events.flatMap { event -> [String] in
        var problems: [String] = []
        if event.familyDefinition == nil {
          problems.append("There is no family \(event.family). Add it to Vocabulary+Families.swift.")
        } else if event.model == nil {
          problems.append(
            "The family \(event.family) has no model. Add `model:` to the event (`.unconsumed` if no model consumes it).")
        }
        problems += event.fields.filter { !fields.contains($0) }.map {
          "There is no field \($0). Add it to Vocabulary+Fields.swift."
        }
        problems += event.required.filter { !event.fields.contains($0) }.map {
          "The event requires the field \($0), which it does not have. Add the field, or `required:` to the event."
        }
        problems += event.follows.filter { !["any", "start"].contains($0) && !events.contains($0) }.map {
          "`follows` names \($0), which is not an event."
        }
        if let cause = event.cause, !events.contains(cause.event) || !event.fields.contains(cause.field) {
          problems.append(
            "`cause` names \(cause.event), which is not an event, or the field \(cause.field), which the event lacks.")
        }
        return problems.map { "\(event.name): \($0)" }
      }
  }

  // MARK: Models

  private static func models() -> String {
    let consuming = ReplayModel.allCases.filter { $0 != .unconsumed }
    let cases = ReplayModel.allCases.map { model in
      "  /// \(model.summary)\n  case \(model.rawValue)\(model == .unconsumed ? "" : "(\(typeName(model)))")"
    }
    let events = consuming.map { model in
      let names = Vocabulary.events.filter { $0.model == model }.map { "    case \(caseName($0))" }
      return "  @usableFromInline package enum \(typeName(model)): Sendable {\n\(names.joined(separator: "\n"))\n  }"
    }
    let routes = consuming.flatMap { model in
      Vocabulary.events.filter { $0.model == model }.map {
        "    case .\(caseName($0)): .\(model.rawValue)(.\(caseName($0)))"
      }
    }
    let unconsumed = Vocabulary.events.filter { $0.model == .unconsumed }
    return """
      /// The model of the replay that consumes an event. The associated value is the event as a case of the model's own enumeration.
      @usableFromInline package enum EventModel: Sendable {
      \(cases.joined(separator: "\n"))

      \(events.joined(separator: "\n\n"))
      }

      extension EventKind {
        /// The model of the replay that consumes the event.
        @inline(__always) @inlinable package var model: EventModel {
          switch self {
      \(routes.joined(separator: "\n"))
      \(labels(unconsumed)): .unconsumed
          }
        }
      }

      """
  }

  private static func typeName(_ model: ReplayModel) -> String {
    model.rawValue.prefix(1).uppercased() + model.rawValue.dropFirst()
  }

  // MARK: Columns

  private static func importance() -> String {
    let groups = grouped(Vocabulary.events.filter { $0.importance != .lifecycle }) { $0.importance.rawValue }
    return """
      extension EventKind {
        /// Whether levels, filters and rate limits may drop the event.
        @inlinable package var importance: Importance {
          switch self {
      \(groups.map { "\(labels($0.events)): .\($0.value)" }.joined(separator: "\n"))
          default: .lifecycle
          }
        }
      }

      """
  }

  private static func pairs() -> String {
    let cases = Vocabulary.events.compactMap { event in
      switch event.pairing {
      case .opens(let pair): "    case .\(caseName(event)): .opens(.\(pair))"
      case .closes(let pair): "    case .\(caseName(event)): .closes(.\(pair))"
      case nil: nil
      }
    }
    let tallied = Vocabulary.events.filter { $0.pairing != nil || $0.importance == .diagnostic || $0.name == "task.completed" }
    let ends = EventPair.allCases.compactMap { pair in
      Vocabulary.regularEnd(of: pair).map { "    case .\(pair): .\(caseName($0))" }
    }
    return """
      extension EventKind {
        /// The pair that the event opens or closes.
        @inlinable package var pairing: EventPairing? {
          switch self {
      \(cases.joined(separator: "\n"))
          default: nil
          }
        }

        /// Whether the replay counts the events of this kind per process: both ends of pairs, events that a level may leave out, and
        /// completed tasks.
        @inlinable package var isTallied: Bool {
          switch self {
      \(labels(tallied)): true
          default: false
          }
        }
      }

      extension EventPair {
        /// The event that closes the pair if nothing fails.
        package var end: EventKind {
          switch self {
      \(ends.joined(separator: "\n"))
          }
        }
      }

      """
  }

  private static func order() -> String {
    let families = Vocabulary.families.filter(\.isOrdered)
    let cases = families.map { "  /// \($0.summary)\n  case \($0.name)" }
    let members = families.map { family in
      "\(labels(Vocabulary.events.filter { $0.orderedFamily?.name == family.name })): .\(family.name)"
    }
    let sequences = Vocabulary.events.filter { $0.follows != ["any"] }.map { event in
      let patterns = event.follows.map { $0 == "start" ? "nil" : ".\(TypedEventSources.caseName($0))" }
      return """
            case .\(caseName(event)):
              switch previous {
        \(wrapped("case ", patterns, indent: 6)): true
              default: false
              }
        """
    }
    return """
      /// A family whose events must occur in an allowed order for each subject.
      @usableFromInline package enum OrderedFamily: Sendable {
      \(cases.joined(separator: "\n"))
      }

      extension EventKind {
        /// The family that determines the event's allowed order. `nil` if the order is not checked.
        @inlinable package var orderedFamily: OrderedFamily? {
          switch self {
      \(members.joined(separator: "\n"))
          default: nil
          }
        }

        /// Whether the event may directly follow `previous` among the events of one family and subject.
        ///
        /// - Parameter previous: `nil` if the event is the first of its subject.
        @inlinable package func mayFollow(_ previous: EventKind?) -> Bool {
          switch self {
      \(sequences.joined(separator: "\n"))
          default: true
          }
        }
      }

      """
  }

  private static func levels() -> String {
    let groups = grouped(Vocabulary.events) { ".\($0.level.name)" }
    return """
      extension EventKind {
        /// The level of the event.
        package var level: Level {
          switch self {
      \(groups.map { "\(labels($0.events)): \($0.value)" }.joined(separator: "\n"))
          }
        }
      }

      """
  }

  private static func writers() -> String {
    let groups = grouped(Vocabulary.events) { event in
      WriterRole.allCases.filter { event.writers.contains($0) }.map { ".\($0.name)" }.joined(separator: ", ")
    }
    return """
      extension EventKind {
        /// The roles that can write the event.
        package var writerRoles: WriterRoles {
          switch self {
      \(groups.map { "\(labels($0.events)):\n      WriterRoles([\($0.value)])" }.joined(separator: "\n"))
          }
        }
      }

      """
  }

  private static func causes() -> String {
    let pairs = Vocabulary.events.compactMap { effect in effect.cause.map { (effect: effect, cause: $0) } }
    let causes = Vocabulary.events.filter { event in pairs.contains { $0.cause.event == event.name } }
    let keysOfEffects = pairs.map { pair in
      "    case .\(TypedEventSources.caseName(pair.cause.event)): \(key(of: pair.effect, pair.cause))"
    }
    let keysOfCauses = pairs.map { pair in
      let condition = pair.cause.condition.map { " where \($0.field) == .\($0.value)" } ?? ""
      return "    case .\(caseName(pair.effect))\(condition): \(key(of: pair.effect, pair.cause))"
    }
    return """
      extension EventKind {
        /// Whether the event is the cause or the effect of another one.
        @inlinable package var isCausal: Bool {
          switch self {
      \(labels(causes + pairs.map(\.effect))): true
          default: false
          }
        }
      }

      extension EventView {
        /// Returns the key that joins an event of this kind with its effect. `nil` if the event has no effect.
        package func keyOfEffect(_ kind: EventKind) -> CausalKey? {
          switch kind {
      \(keysOfEffects.joined(separator: "\n"))
          default: nil
          }
        }

        /// Returns the key that joins an event of this kind with its cause. `nil` if the event has no cause.
        package func keyOfCause(_ kind: EventKind) -> CausalKey? {
          switch kind {
      \(keysOfCauses.joined(separator: "\n"))
          default: nil
          }
        }
      }

      """
  }

  private static func key(of effect: EventDefinition, _ cause: CauseDefinition) -> String {
    switch Vocabulary.fields.first(where: { $0.name == cause.field })?.type {
    case .launch, .boot: "\(cause.field).map { CausalKey(.\(caseName(effect)), high: $0.high, low: $0.low) }"
    default: "\(cause.field).map { CausalKey(.\(caseName(effect)), low: $0.rawValue) }"
    }
  }

  // MARK: Text

  private static func caseName(_ event: EventDefinition) -> String { TypedEventSources.caseName(event.name) }

  /// Returns the events grouped by the value of a column, in the order of the vocabulary.
  private static func grouped(
    _ events: [EventDefinition], by column: (EventDefinition) -> String
  ) -> [(value: String, events: [EventDefinition])] {
    var groups: [(value: String, events: [EventDefinition])] = []
    for event in events {
      let value = column(event)
      if let place = groups.firstIndex(where: { $0.value == value }) {
        groups[place].events.append(event)
      } else {
        groups.append((value, [event]))
      }
    }
    return groups
  }

  private static func labels(_ events: [EventDefinition]) -> String {
    wrapped("case ", events.map { ".\(caseName($0))" }, indent: 4)
  }

  /// Returns a list of items, wrapped into lines of at most 120 columns.
  private static func wrapped(_ head: String, _ items: [String], indent: Int) -> String {
    var lines = [String(repeating: " ", count: indent) + head]
    for (place, item) in items.enumerated() {
      let piece = place == items.count - 1 ? item : "\(item), "
      if lines[lines.count - 1].count + piece.count > 120 {
        lines[lines.count - 1].removeLast()
        lines.append(String(repeating: " ", count: indent + 2))
      }
      lines[lines.count - 1] += piece
    }
    return lines.joined(separator: "\n")
  }
}

extension Vocabulary {
  /// Returns the event that closes a pair if nothing fails, which is the closing event with a level below error.
  fileprivate static func regularEnd(of pair: EventPair) -> EventDefinition? {
    events.first { $0.pairing == .closes(pair) && $0.level < .error }
  }
}
