/// One field of the vocabulary: the same name means the same thing, in the same unit, in every event.
package struct FieldDefinition: Sendable {
  package let name: String
  package let type: FieldType
  /// What the value is, with its unit or range; `nil` values are explained where they carry meaning.
  package let summary: String

  package init(_ name: String, _ type: FieldType, _ summary: String) {
    self.name = name
    self.type = type
    self.summary = summary
  }
}

/// How a value is typed in Swift, stored in a record and shown.
package enum FieldType: Sendable, Equatable {
  case task
  case tasks
  case launch
  case boot
  case delivery
  case handler
  /// Joins a begin with its end: challenge, query, assertion, connection, session instance.
  case correlation
  /// A keyed or content hash computed by the emitter, 64 bits.
  case digest
  case bytes
  case count
  case duration
  case wallTime
  /// A small whole number that fits 32 bits: a status, an errno, a port, an attempt.
  case number
  case flag
  case choice(String)
  /// A recurring public string, written once for each segment.
  case symbol
  /// Any other string, stored in the record itself.
  case text(Privacy)
  /// Words with arguments, each of which has its own privacy.
  case message
}

/// What may be kept of a string.
package enum Privacy: String, Sendable {
  /// Stored as it is.
  case `public`
  /// Stored as a keyed hash unless the capture mode or the writer's own declaration says otherwise.
  case `private`
}

/// A closed list of values; the position in `cases` is the stored number, so the list only ever grows at its end.
package struct ChoiceDefinition: Sendable {
  package let name: String
  package let summary: String
  package let cases: [Case]

  package struct Case: Sendable {
    package let name: String
    package let summary: String
  }

  /// - Parameter cases: lines of `name: summary`.
  package init(_ name: String, _ summary: String, _ cases: String) {
    self.name = name
    self.summary = summary
    self.cases = cases.split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return Case(name: String(parts[0]), summary: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
  }
}

/// How far an event may be thinned out or filtered.
package enum Importance: String, Sendable {
  /// Written whatever the level; when it cannot be written it is counted by family.
  case lifecycle
  /// The first, at most one a second, and the last of a task; the rest is `diagnostic`.
  case progress
  /// Subject to the level.
  case diagnostic
}

/// One event of the vocabulary.
package struct EventDefinition: Sendable {
  /// The stored number: never changed, never used again.
  package let number: UInt16
  /// `family.name`, past tense.
  package let name: String
  package let level: Level
  package let importance: Importance
  /// What it says, with `{field}` where a value goes.
  package let message: String
  /// The fields in the order in which people read them.
  package let fields: [String]
  /// The events of the same family and subject that may stand right before it; `start` when it may be the first,
  /// `any` when order means nothing here.
  package let follows: [String]

  package var family: String { String(name.prefix { $0 != "." }) }

  package init(
    _ number: UInt16, _ name: String, level: Level = .default, importance: Importance = .lifecycle,
    _ message: String, fields: String, follows: String
  ) {
    self.number = number
    self.name = name
    self.level = level
    self.importance = importance
    self.message = message
    self.fields = fields.split(whereSeparator: \.isWhitespace).map(String.init)
    self.follows = follows.split(separator: " ").map(String.init)
  }
}

/// A group of events about one kind of subject.
package struct FamilyDefinition: Sendable {
  package let name: String
  package let summary: String
  /// The field whose value tells one subject of the family from another; `nil` when the writer itself is the subject.
  package let subject: String?

  package init(_ name: String, subject: String?, _ summary: String) {
    self.name = name
    self.subject = subject
    self.summary = summary
  }
}
