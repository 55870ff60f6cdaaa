/// One field of the vocabulary. It has the same meaning and unit in every event.
package struct FieldDefinition: Sendable {
  package let name: String
  package let type: FieldType
  /// The meaning of the value, with its unit or range. Says what a missing value means if that is not obvious.
  package let summary: String

  package init(_ name: String, _ type: FieldType, _ summary: String) {
    self.name = name
    self.type = type
    self.summary = summary
  }
}

/// The type of a value, which decides its Swift type, its stored form and how it is shown.
package enum FieldType: Sendable, Equatable {
  case task
  case tasks
  case launch
  case boot
  case delivery
  case handler
  /// An identifier that the begin event and the end event of the same operation or object share: a challenge, a query, an
  /// assertion, a connection or a session object.
  case correlation
  /// A keyed hash or content hash of 64 bits, computed by the emitter.
  case digest
  case bytes
  case count
  case duration
  case wallTime
  /// A whole number of at most 32 bits: a status, an errno, a port, an attempt.
  case number
  case flag
  case choice(String)
  /// A recurring public string, stored once per segment.
  case symbol
  /// Any other string, stored in the record itself.
  case text(Privacy)
  /// A message in words with arguments, each with its own privacy.
  case message
}

/// The privacy of a string.
package enum Privacy: String, Sendable {
  /// Stored unchanged.
  case `public`
  /// Stored as a keyed hash unless the capture mode or the writer's configuration says otherwise.
  case `private`
}

/// A closed list of values. The position in `cases` is the stored number, so new cases are only added at the end.
package struct ChoiceDefinition: Sendable {
  package let name: String
  package let summary: String
  package let cases: [Case]

  package struct Case: Sendable {
    package let name: String
    package let summary: String
  }

  /// - Parameter cases: lines of `name: summary`
  package init(_ name: String, _ summary: String, _ cases: String) {
    self.name = name
    self.summary = summary
    self.cases = cases.split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return Case(name: String(parts[0]), summary: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
  }
}

/// The extent to which events may be filtered or thinned out.
@usableFromInline package enum Importance: String, Sendable {
  /// Always written, whatever the level. Events that cannot be written are counted by family.
  case lifecycle
  /// The first and the last event of each task are always written, and at most one per second in between. All others are
  /// treated as diagnostic.
  case progress
  /// Written if the log keeps the event's level.
  case diagnostic
}
