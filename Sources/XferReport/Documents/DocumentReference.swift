/// The documentation page of all described documents.
package enum DocumentReference {
  package static func markdown() -> String {
    var text = """
      # Documents

      The fields of the JSON documents that `xferlog` writes.

      ## Overview

      A document names itself in its field `schema`. `xferlog schema --document NAME` prints a JSON Schema (draft 2020-12) for each of
      them. A schema rejects every field that is not listed here, so a document of a newer version needs the schema of that version.

      Identifiers, and times of the monotonic clock, are strings, because many readers of JSON keep 53 bits of a number. Wall-clock
      times are RFC 3339 in UTC with nine digits of the second. Durations are numbers of nanoseconds. *Or null* means that the log does
      not say, *may be absent* that the field is left out then.

      | Name | Written by |
      |---|---|

      """
    for document in DocumentCatalogue.allCases { text += "| `\(document.rawValue)` | \(document.origin) |\n" }
    for document in DocumentCatalogue.allCases { text += section(of: document) }
    return text
  }

  private static func section(of document: DocumentCatalogue) -> String {
    let description = document.description
    var text = "\n## \(document.rawValue)\n\n\(description.summary) Written by \(document.origin).\n"
    text += table(of: description)
    for object in description.objects {
      text += "\n### \(object.name) in \(document.rawValue)\n\n\(object.summary)\n" + table(of: object)
    }
    return text
  }

  private static func table(of object: DocumentDescription) -> String {
    let rows = object.fields.map { field in
      let absence =
        switch field.presence {
        case .always: ""
        case .nullable: ", or null"
        case .omitted: ", may be absent"
        }
      let unit = field.unit.map { " in \($0.rawValue)" } ?? ""
      return "| `\(field.name)` | \(field.shape.words)\(unit)\(absence) | \(field.summary) |\n"
    }
    return "\n| Field | Type | Meaning |\n|---|---|---|\n" + rows.joined()
  }
}

extension DocumentShape {
  /// The shape in words.
  fileprivate var words: String {
    switch self {
    case .text(.string): "text"
    case .text(.uuid): "UUID"
    case .text(.time): "time"
    case .text(.nanoseconds): "text of nanoseconds"
    case .text(.identifier): "text of digits"
    case .integer: "integer"
    case .boolean: "Boolean"
    case .constant(let text): "`\(text)`"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .vocabulary(let name): "`\(name)` of <doc:Vocabulary>"
    case .object(let object): object.name
    case .list(let element): "list of \(element.words)"
    case .either(let shapes): shapes.map(\.words).joined(separator: " or ")
    case .eventFields: "object with the fields of the event"
    case .eventValue(let type): "\(type.definition)"
    }
  }
}
