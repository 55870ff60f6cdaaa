package import XferPredicate

/// The columns of tables that stages make.
package enum TableColumns {
  typealias Column = (name: String, type: ValueType, summary: String)

  /// Returns the fields of a table with these columns. Repeated names get a number.
  static func named(_ columns: [Column]) -> [QueryField] {
    var known: Set<String> = []
    return columns.enumerated().map { place, column in
      var (name, number) = (column.name, 2)
      while !known.insert(name).inserted {
        name = "\(column.name)_\(number)"
        number += 1
      }
      return QueryField(name, column.type, .column(place), column.summary)
    }
  }

  static func column(_ field: QueryField) -> Column { (shortName(field), field.type, field.summary) }

  /// Returns a field's name without that of its subject.
  static func shortName(_ field: QueryField) -> String {
    guard case .subject(let subject) = field.source else { return field.name }
    return subject.name
  }
}

/// The columns of `| tasks`. They have the names that the tasks of `xferlog replay -o json` have, as far as these exist.
package enum TaskColumns {
  private static let names = [
    "uid", "session", "number", "type", "state", "outcome", "method", "host", "path", "http", "errorDomain", "error", "errorName",
    "attempts", "received", "sent", "took", "queueTime", "connectTime", "firstByteTime", "bodyTime", "deliveryTime", "hold",
    "cancelledBy", "intent", "appOutcome", "launch", "created", "resumed", "transferred", "completed", "acknowledged",
  ]
  static let fields: [QueryField] = names.compactMap { FieldTable.field("task.\($0)") }
  static let subjectFields = fields.compactMap { if case .subject(let subject) = $0.source { subject } else { nil } }

  package static let all: [QueryField] = fields.enumerated().map { place, field in
    let name = TableColumns.shortName(field)
    return QueryField(name, also: [field.name] + field.synonyms, field.type, .column(place), field.summary)
  }

  /// The columns that a table for people shows.
  package static let shown: Set<String> = [
    "session", "number", "type", "state", "outcome", "host", "http", "errorName", "attempts", "received", "took",
  ]
}

/// The columns of `| findings`, named as in `xferlog replay -o json`.
package enum FindingColumns {
  private static let own: [(String, ValueType, String)] = [
    ("rule", .text, "The rule."), ("variant", .text, "The variant of the problem."),
    ("severity", FieldTable.field("finding.severity")?.type ?? .text, "The severity."),
    ("certainty", FieldTable.field("finding.certainty")?.type ?? .text, "The certainty."),
    ("counted", .flag, "Whether the finding affects the exit code of `xferlog replay`."),
    ("session", .text, "The session that the finding is about."),
    ("task", .text, "The uid of the task that the finding is about."),
    ("number", .count, "The number of that task in its session."),
    ("time", .time, "The time of the first evidence."), ("summary", .text, "What went wrong."),
    ("remedy", .text, "How to fix the problem."), ("fingerprint", .text, "The fingerprint of the problem."),
  ]

  package static let all: [QueryField] = own.enumerated().map { place, column in
    QueryField(column.0, also: ["finding.\(column.0)"], column.1, .column(place), column.2)
  }

  /// The columns that a table for people shows.
  package static let shown: Set<String> = ["time", "severity", "certainty", "rule", "session", "number", "summary"]
}
