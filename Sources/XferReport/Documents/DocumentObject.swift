/// The fields of a JSON object of a document: the single source of its JSON, its CSV columns, its schema and its documentation.
struct DocumentObject<Value>: Sendable {
  /// The name of the object's definition in schemas and of its section in the documentation.
  let name: String
  let summary: String
  let fields: [DocumentField<Value>]
  /// The closures of the fields, apart from their descriptions, which would be copied for each field of each object.
  private let writers: [@Sendable (Value, inout JSONText) -> Void]

  /// - Parameter declare: appends the fields in the order in which they are written.
  init(_ name: String, _ summary: String, _ declare: (inout DocumentFields<Value>) -> Void) {
    var fields = DocumentFields<Value>()
    declare(&fields)
    (self.name, self.summary, self.fields) = (name, summary, fields.all)
    writers = fields.all.compactMap(\.write)
  }

  var description: DocumentDescription {
    DocumentDescription(name: name, summary: summary, fields: fields.compactMap(\.description))
  }

  /// Writes the whole object.
  func write(_ value: Value, to json: inout JSONText) {
    json.beginObject()
    writeMembers(of: value, to: &json)
    json.endObject()
  }

  /// Writes the members whose values are not streamed.
  func writeMembers(of value: Value, to json: inout JSONText) {
    for write in writers { write(value, &json) }
  }
}

/// One field of a document's object.
struct DocumentField<Value>: Sendable {
  /// `nil` for a figure that only CSV has.
  let description: DocumentDescription.Field?
  /// Writes the key and the value, or nothing when the field is left out; `nil` for a list that is streamed.
  let write: (@Sendable (Value, inout JSONText) -> Void)?
  /// The value as a figure in CSV; `nil` when CSV does not have the field.
  var figure: DocumentFigure<Value>?
  /// The list that is written an element at a time; `nil` for a value that is written as a whole.
  var stream: DocumentStream<Value>?
}

/// A list that is written an element at a time, so that a long document never stands in memory as a whole.
struct DocumentStream<Value>: Sendable {
  /// The name of one element where each is a document of its own.
  let one: StaticString
  let many: StaticString
  let count: @Sendable (Value) -> Int
  let write: @Sendable (Value, Int, inout JSONText) -> Void
}

/// What CSV says of a field.
enum DocumentFigure<Value>: Sendable {
  /// A number in a column of this name.
  case number(column: String, @Sendable (Value) -> Int64?)
  /// The name of the row.
  case row(@Sendable (Value) -> String)
  /// One row of the table `totals`, with these columns.
  case total(row: String, @Sendable (Value) -> [(column: String, value: Int64?)])
  /// A table with a row for each element.
  case table(@Sendable (Value) -> [(row: String, columns: [(column: String, value: Int64?)])])
}
