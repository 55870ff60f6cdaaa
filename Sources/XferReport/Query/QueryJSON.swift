package import XferPredicate
package import XferQuery

/// The rows of a query as JSON: one document, or one object per line.
package struct QueryJSON: QueryDocument {
  package enum Form: Sendable {
    /// The document `xferlog.query/1`.
    case document
    /// One object per line, each with `"schema": "xferlog.queryRow/1"`.
    case lines
  }

  private let form: Form
  private let query: String
  private let columns: [QueryField]
  private let keys: [[UInt8]]
  private var isFirst = true

  /// - Parameter query: the normalised query.
  package init(_ form: Form, query: String, _ columns: [QueryField]) {
    (self.form, self.query, self.columns) = (form, query, columns)
    keys = ResultKey.all(columns).map(JSONText.preparedKey)
  }

  package mutating func begin(in text: inout TextBuffer) {
    isFirst = true
    guard form == .document else { return }
    let columns = zip(columns, ResultKey.all(columns)).map(QueryColumn.init)
    text.appendJSON { json in
      json.beginObject()
      json.member("schema", "xferlog.query/1")
      json.member("query", query)
      json.array("columns", columns) { QueryColumn.object.write($0, to: &$1) }
      json.key("rows")
      json.beginArray()
    }
  }

  package mutating func append(_ row: [ResultValue], to text: inout TextBuffer) {
    if form == .document {
      if isFirst { text.append("\n" as StaticString) } else { text.append(",\n" as StaticString) }
      isFirst = false
    }
    text.appendJSON { json in
      json.beginObject()
      if form == .lines { json.member("schema", "xferlog.queryRow/1") }
      for (place, value) in row.enumerated() where place < keys.count {
        json.key(prepared: keys[place])
        value.write(columns[place].type, to: &json)
      }
      json.endObject()
    }
    if form == .lines { text.append(UInt8(ascii: "\n")) }
  }

  package mutating func end(in text: inout TextBuffer) {
    if form == .document { text.append("\n]}\n" as StaticString) }
  }

  /// The fields of the document `xferlog.query/1`.
  package static let description = DocumentDescription(
    name: "query", summary: "The rows of a query's result. A query whose result is events gives the document events instead.",
    fields: [
      .init(
        name: "schema", shape: .constant("xferlog.query/1"), unit: nil, summary: "Name and version of the document.",
        presence: .always),
      .init(name: "query", shape: .text(.string), unit: nil, summary: "The normalised query.", presence: .always),
      .init(
        name: "columns", shape: .list(.object(QueryColumn.object.description)), unit: nil, summary: "The columns.",
        presence: .always),
      .init(
        name: "rows", shape: .list(.row), unit: nil, summary: "The rows, with a member for the key of each column.",
        presence: .always),
    ])
}

/// The description of a column.
struct QueryColumn {
  let field: QueryField
  let key: String

  static let object = DocumentObject<QueryColumn>("queryColumn", "A column of a query's result.") { fields in
    fields.text("key", "Key of the column's values in rows.") { $0.key }
    fields.text("name", "Name of the column in queries.") { $0.field.name }
    fields.choice("type", types, "Type of the values.") { $0.field.type.name }
    fields.optionalChoice("unit", ["bytes", "nanoseconds"], "Unit of numbers.") { $0.field.type.unit }
  }

  private static let types = ["text", "choice", "event", "level", "bytes", "number", "duration", "time", "flag", "task"]
}

/// The keys of columns in JSON and CSV.
enum ResultKey {
  /// Returns distinct keys: `p50(took)` becomes `p50Took`.
  static func all(_ columns: [QueryField]) -> [String] {
    var known: Set<String> = ["schema"]
    return columns.map { column in
      let key = key(column.name)
      var (candidate, number) = (key, 2)
      while !known.insert(candidate).inserted {
        candidate = "\(key)\(number)"
        number += 1
      }
      return candidate
    }
  }

  private static func key(_ name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard let first = words.first else { return "column" }
    return words.dropFirst().reduce(String(first)) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }
}
