package import XferEvents

/// A field that queries can name.
package struct QueryField: Sendable {
  /// The name in normalised queries.
  package let name: String
  package let synonyms: [String]
  package let type: ValueType
  package let source: Source
  package let summary: String

  package enum Source: Hashable, Sendable {
    /// A field of the vocabulary.
    case vocabulary(FieldID)
    case property(EventProperty)
    case subject(SubjectField)
    /// A column of a table. The associated value is its index.
    case column(Int)
  }

  package init(_ name: String, also synonyms: [String] = [], _ type: ValueType, _ source: Source, _ summary: String) {
    (self.name, self.synonyms, self.type, self.source, self.summary) = (name, synonyms, type, source, summary)
  }
}

extension QueryField: Hashable {
  package static func == (left: QueryField, right: QueryField) -> Bool { left.name == right.name && left.source == right.source }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A property that every event has, or that its place and its writer determine.
package enum EventProperty: Hashable, Sendable {
  case time, monotonic, boottime, level, event, family, message, thread
  case task, taskUID, taskNumber, session
  case processName, processID, role, launch, boot, place, file
}

/// The kinds of things that a replay rebuilds from events, and whose fields queries can name.
package enum QuerySubject: String, Hashable, Sendable, CaseIterable {
  case task, session, process, finding
}

/// A field of a subject, in the state that the replay gives it at the end of the log.
package struct SubjectField: Hashable, Sendable {
  package let subject: QuerySubject
  /// The name after the subject's, such as `outcome`.
  package let name: String

  package init(_ subject: QuerySubject, _ name: String) { (self.subject, self.name) = (subject, name) }
}
