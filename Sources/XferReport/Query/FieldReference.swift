import XferPredicate

/// The reference of the fields that queries can name, as a table and as a documentation page.
package enum FieldReference {
  /// Writes the fields as a table.
  package static func write(to text: inout TextBuffer) {
    var table = TextTable([("field", .left), ("type", .left), ("meaning", .left)])
    for field in FieldTable.all {
      let synonyms = shown(field.synonyms)
      table.append([
        field.name, field.type.name, field.summary + (synonyms.isEmpty ? "" : " Also: \(synonyms.joined(separator: ", "))."),
      ])
    }
    table.flush(to: &text)
  }

  /// The synonyms that are worth showing: every field of the vocabulary can also be named with a prefix.
  private static func shown(_ synonyms: [String]) -> [String] { synonyms.filter { !$0.hasPrefix("fields.") } }

  package static func markdown() -> String {
    var text = """
      # Fields of queries

      The fields that queries, `--predicate` and `where` in rules can name.

      ## Overview

      `xferlog query --list-fields` prints this list. Upper and lower case do not matter. Every field of the vocabulary can also be
      named with the prefix `fields.`, which some need because a property of all events has the same name, such as `fields.pid`.
      <doc:Querying> explains how values of each type are written.

      Fields of tasks, sessions, processes and findings have the values that `xferlog replay` gives them at the end of the log. Rules and
      `--follow` cannot use them, except `task.name`, `task.uid`, `task.session`, `task.number` and those of the writer: `process.role`,
      `process.pid`, `process.executable` and `process.launch`.


      """
    let isProperty = { (field: QueryField) in if case .property = field.source { true } else { false } }
    text += section("Properties of all events", FieldTable.events.filter(isProperty))
    text += section("Fields of some events", FieldTable.events.filter { !isProperty($0) })
    for subject in QuerySubject.allCases {
      let fields = FieldTable.subjects.filter { if case .subject(let own) = $0.source { own.subject == subject } else { false } }
      text += section("Fields of \(subject.plural)", fields)
    }
    return String(text.dropLast())
  }

  private static func section(_ title: String, _ fields: [QueryField]) -> String {
    var text = "## \(title)\n\n| Field | Type | Meaning |\n|---|---|---|\n"
    for field in fields {
      let synonyms = shown(field.synonyms).map { "`\($0)`" }.joined(separator: ", ")
      let words = choices(field.type)
      text +=
        "| `\(field.name)` | \(field.type.name)\(words) | \(field.summary)\(synonyms.isEmpty ? "" : " Also: \(synonyms).") |\n"
    }
    return text + "\n"
  }

  private static func choices(_ type: ValueType) -> String {
    switch type {
    case .choice(let list): " `\(list)` of <doc:Vocabulary>"
    case .word(let words), .rank(let words): ": " + words.map { "`\($0)`" }.joined(separator: ", ")
    default: ""
    }
  }
}

extension QuerySubject {
  fileprivate var plural: String {
    switch self {
    case .task: "tasks"
    case .session: "sessions"
    case .process: "processes"
    case .finding: "findings"
    }
  }
}
