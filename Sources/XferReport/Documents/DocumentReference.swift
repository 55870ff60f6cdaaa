/// The documentation page about all documents in the catalogue.
package enum DocumentReference {
  package static func markdown() -> String {
    var text = """
      # Documents

      The fields of the JSON documents that `xferlog` writes.

      ## Overview

      The field `schema` holds the name and version of a document. `xferlog schema --document NAME` prints a document's JSON Schema
      (draft 2020-12). A schema rejects every field that is not listed here, so a document of a newer version needs the schema of
      that version.

      Identifiers and monotonic times are strings, because many JSON parsers keep only 53 bits of a number. Wall-clock times are
      RFC 3339 in UTC with nine fractional digits. Durations are integers in nanoseconds. *Or null*: the value is `null` when the
      log does not contain it. *May be absent*: the field is omitted when the log does not contain its value.

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
    case .text(.nanoseconds): "nanoseconds as text"
    case .text(.identifier): "decimal digits as text"
    case .integer: "integer"
    case .boolean: "Boolean"
    case .constant(let text): "`\(text)`"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .vocabulary(let name): "`\(name)` of <doc:Vocabulary>"
    case .object(let object): object.name
    case .list(let element): "list of \(element.words)"
    case .either(let shapes): shapes.map(\.words).joined(separator: " or ")
    case .row: "object with a text, a number, a Boolean or null for each key"
    case .eventFields: "object with the fields of the event"
    case .eventValue(let type): "\(type.definition)"
    }
  }
}
