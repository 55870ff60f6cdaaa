/// The fields of a JSON object of a document: the single source of its JSON, its CSV columns, its schema and its documentation.
struct DocumentObject<Value>: Sendable {
  /// The name of the object's definition in schemas and of its section in the documentation.
  let name: String
  let summary: String
  let fields: [DocumentField<Value>]
  /// The writers of the fields. Stored separately, because a loop over `fields` would copy each description for each object.
  private let writers: [DocumentField<Value>.Writer]

  /// - Parameter declare: appends the fields in the order in which they are written.
  init(_ name: String, _ summary: String, _ declare: (inout DocumentFields<Value>) -> Void) {
    var fields = DocumentFields<Value>()
    declare(&fields)
    (self.name, self.summary, self.fields) = (name, summary, fields.all)
    writers = fields.all.compactMap(\.writer)
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
    // By index, because a loop over the elements would retain each of them.
    for place in writers.indices { writers[place].write(value, to: &json) }
  }
}

/// One field of a document's object.
struct DocumentField<Value>: Sendable {
  /// The field's name, shape and meaning. `nil` for a figure that only CSV contains.
  let description: DocumentDescription.Field?
  /// The writer of the field's JSON member. `nil` for a streamed list, and for a member that is written together with the first one of
  /// its part.
  let writer: Writer?
  /// The value as a figure in CSV. `nil` when CSV omits the field.
  var figure: DocumentFigure<Value>?
  /// The list that is written one element at a time. `nil` for a value that is written as a whole.
  var stream: DocumentStream<Value>?

  /// Writes the field as a member of a JSON object.
  struct Writer: Sendable {
    /// The encoded key. `nil` means that `value` writes the key, because the field can be omitted.
    let key: [UInt8]?
    let value: @Sendable (Value, inout JSONText) -> Void

    @inline(__always)
    func write(_ value: Value, to json: inout JSONText) {
      if let key { json.key(prepared: key) }
      self.value(value, &json)
    }
  }
}

/// A list that is written one element at a time, so that a long document is never in memory as a whole.
struct DocumentStream<Value>: Sendable {
  /// The key of a single element in formats that write each element as its own line.
  let one: StaticString
  let many: StaticString
  let count: @Sendable (Value) -> Int
  let write: @Sendable (Value, Int, inout JSONText) -> Void
}

/// The CSV form of a field.
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
