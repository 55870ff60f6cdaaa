package import XferReport
package import XferSQLite

/// Query results as JSON objects. The keys are the names of the columns.
///
/// The index stores identifiers as text, so every integer is a quantity and is written as a number with all digits.
package struct AnswerJSON: AnswerDocument {
  package enum Form: Sendable {
    /// One document, `{ "schema": "xferlog.sql/1", "columns": [...], "rows": [...] }`.
    case document
    /// One object per line, without `schema`.
    case lines
  }

  private let form: Form
  private var keys: [[UInt8]] = []
  private var isFirst = true

  package init(_ form: Form) { self.form = form }

  package mutating func begin(_ columns: [String], to text: inout TextBuffer) {
    let names = Self.distinct(columns)
    keys = names.map(JSONText.preparedKey)
    guard form == .document else { return }
    text.appendJSON { json in
      json.beginObject()
      json.member("schema", "xferlog.sql/1")
      json.array("columns", names) { $1.string($0) }
      json.key("rows")
      json.beginArray()
    }
  }

  package mutating func append(_ values: [SQLiteValue], to text: inout TextBuffer) {
    if form == .document {
      if isFirst { text.append("\n" as StaticString) } else { text.append(",\n" as StaticString) }
      isFirst = false
    }
    text.appendJSON { json in
      json.beginObject()
      for (key, value) in zip(keys, values) {
        json.key(prepared: key)
        switch value {
        case .null: json.null()
        case .integer(let number): json.integer(number)
        case .real(let number): json.number(number)
        case .text(let text): json.string(text)
        case .blob(let bytes): json.string(SQLiteValue.digits(bytes))
        }
      }
      json.endObject()
    }
    if form == .lines { text.append(UInt8(ascii: "\n")) }
  }

  package mutating func end(to text: inout TextBuffer) {
    if form == .document { text.append("\n]}\n" as StaticString) }
  }

  /// Returns distinct names for the columns. A repeated name gets a number.
  private static func distinct(_ names: [String]) -> [String] {
    var used: Set<String> = []
    return names.map { name in
      var candidate = name
      var number = 2
      while !used.insert(candidate).inserted {
        candidate = "\(name)_\(number)"
        number += 1
      }
      return candidate
    }
  }
}
