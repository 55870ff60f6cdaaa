/// One event of the vocabulary. A column that the event does not set has its family's default.
package struct EventDefinition: Sendable {
  /// The stored number. It is never changed and never reused.
  package let number: UInt16
  /// `family.name`, in the past tense.
  package let name: String
  package let level: Level
  package let importance: Importance
  /// The text of the event, with `{field}` in the place of a value.
  package let message: String
  /// The version of the vocabulary that introduced the event.
  package let since: UInt32
  /// The pair that the event opens or closes; `nil` if it belongs to no pair.
  package let pairing: EventPairing?
  /// The event that must precede this one in the causal order; `nil` if there is none.
  package let cause: CauseDefinition?

  // Lists of names, separated by spaces. They are split when they are asked for, because every program makes the whole vocabulary when it
  // starts to read or write a log.
  private let firstFields: String
  /// The fields that later versions of the vocabulary added, by version.
  private let added: [(version: UInt32, fields: String)]
  private let predecessors: String

  // The event's own values, which override its family's.
  private let ownModel: ReplayModel?
  private let ownWriters: WriterRoles?
  private let ownRequirements: String?

  package init(
    _ number: UInt16, _ name: String, level: Level = .default, importance: Importance = .lifecycle,
    _ message: String, since: UInt32 = 1, fields: String, added: [UInt32: String] = [:], required: String? = nil, follows: String,
    model: ReplayModel? = nil, writers: WriterRoles? = nil, opens: EventPair? = nil, closes: EventPair? = nil,
    cause: CauseDefinition? = nil
  ) {
    self.number = number
    self.name = name
    self.level = level
    self.importance = importance
    self.message = message
    self.since = since
    firstFields = fields
    self.added = added.isEmpty ? [] : added.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    predecessors = follows
    pairing = opens.map(EventPairing.opens) ?? closes.map(EventPairing.closes)
    self.cause = cause
    ownModel = model
    ownWriters = writers
    ownRequirements = required
  }

  /// Splits the UTF-8 in memory, because indexes of texts take several times as long.
  private static func names(_ list: String) -> [String] {
    var list = list
    return list.withUTF8 { bytes in
      bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The fields in the order in which people read them. Fields of later versions follow those of earlier ones.
  package var fields: [String] { fields(version: .max) }

  /// Returns the fields that the event had in an earlier version of the vocabulary.
  package func fields(version: UInt32) -> [String] {
    added.prefix { $0.version <= version }.reduce(into: Self.names(firstFields)) { $0 += Self.names($1.fields) }
  }

  /// Whether the event had the same fields in an earlier version of the vocabulary as in this one.
  package func isUnchanged(since version: UInt32) -> Bool { added.allSatisfy { $0.version <= version } }

  /// The events of the same family and subject that may directly precede this one; `start` if it may be the first, `any` if the
  /// order does not matter.
  package var follows: [String] { Self.names(predecessors) }

  // MARK: Columns with a default for the family

  package var family: String { String(name.prefix { $0 != "." }) }

  package var familyDefinition: FamilyDefinition? { Vocabulary.families.first { $0.name == family } }

  /// The model that consumes the event; `nil` if neither the event nor its family names one, which is a mistake in the table.
  package var model: ReplayModel? { ownModel ?? familyDefinition?.model }

  /// The roles that can write the event.
  package var writers: WriterRoles { ownWriters ?? familyDefinition?.writers ?? .carriers }

  /// The fields that every event of this kind has. The initializer of the typed event requires them.
  package var required: [String] { ownRequirements.map(Self.names) ?? familyDefinition?.required ?? [] }

  /// The family whose order rules apply to the event; `nil` if the family's order is not checked or the event has no subject.
  package var orderedFamily: FamilyDefinition? {
    guard let family = familyDefinition, family.isOrdered, let subject = family.subject, fields.contains(subject) else {
      return nil
    }
    return family
  }
}

/// An event that must precede another one, its effect, even if the writers' clocks say otherwise.
package struct CauseDefinition: Sendable {
  package let event: String
  /// The field that has the same value in both events.
  package let field: String
  /// The field value that an effect must have for this cause to apply; `nil` if every effect has the cause.
  package let condition: Condition?

  package struct Condition: Sendable {
    package let field: String
    package let value: String
  }

  /// - Parameters:
  ///   - field: the field that has the same value in both events
  ///   - condition: a field of type choice and its value
  package init(_ event: String, joinedBy field: String, where condition: (field: String, value: String)? = nil) {
    self.event = event
    self.field = field
    self.condition = condition.map { Condition(field: $0.field, value: $0.value) }
  }
}
