import XferEvents

/// A builder for the fields of a document's object. Each field has a name, a shape, a summary, and a closure that writes its
/// value.
struct DocumentFields<Value> {
  private(set) var all: [DocumentField<Value>] = []

  init() {}

  /// Appends a field that the document always has.
  ///
  /// - Parameter write: writes the value after its key.
  mutating func add(
    _ name: String, _ shape: DocumentShape, unit: DocumentUnit? = nil, presence: DocumentPresence = .always, _ summary: String,
    figure: DocumentFigure<Value>? = nil, write: @escaping @Sendable (Value, inout JSONText) -> Void
  ) {
    all.append(
      DocumentField(
        description: .init(name: name, shape: shape, unit: unit, summary: summary, presence: presence),
        writer: .init(key: JSONText.preparedKey(name), value: write), figure: figure))
  }

  // MARK: Texts

  /// Appends the field that names the document's schema.
  mutating func schema(_ name: String) {
    add("schema", .constant(name), "Name and version of the document.") { $1.string(name) }
  }

  mutating func text(
    _ name: String, as form: DocumentText = .string, _ summary: String, _ value: @escaping @Sendable (Value) -> String
  ) {
    add(name, .text(form), summary) { $1.string(value($0)) }
  }

  mutating func optionalText(
    _ name: String, as form: DocumentText = .string, presence: DocumentPresence = .nullable, _ summary: String,
    _ value: @escaping @Sendable (Value) -> String?
  ) {
    optional(name, .text(form), presence: presence, summary, value) { $1.string($0) }
  }

  mutating func optionalUID(_ name: String, _ summary: String, _ value: @escaping @Sendable (Value) -> TaskUID?) {
    optional(name, .text(.uuid), presence: .nullable, summary, value) { $1.uuid($0.high, $0.low) }
  }

  /// Appends a text field that is also the name of the object's row in CSV.
  mutating func rowName(
    _ name: String, shape: DocumentShape = .text(.string), _ summary: String, _ value: @escaping @Sendable (Value) -> String
  ) {
    add(name, shape, summary, figure: .row(value)) { $1.string(value($0)) }
  }

  /// Appends an optional text field that is also the name of the object's row in CSV. In CSV, `nil` becomes an empty name.
  mutating func optionalRowName(_ name: String, _ summary: String, _ value: @escaping @Sendable (Value) -> String?) {
    optional(name, .text(.string), presence: .nullable, summary, figure: .row { value($0) ?? "" }, value) { $1.string($0) }
  }

  mutating func texts(
    _ name: String, as form: DocumentText = .string, _ summary: String, _ value: @escaping @Sendable (Value) -> [String]
  ) {
    add(name, .list(.text(form)), summary) { $1.array(of: value($0)) { $1.string($0) } }
  }

  /// Appends the wall-clock time of a fact; `null` when the fact is missing or has no wall-clock time.
  mutating func time(_ name: String, _ summary: String, _ fact: @escaping @Sendable (Value) -> Fact?) {
    optional(name, .text(.time), presence: .nullable, summary, { fact($0)?.wall }) { $1.time($0) }
  }

  mutating func choice(
    _ name: String, _ words: [String], _ summary: String, _ value: @escaping @Sendable (Value) -> String
  ) {
    add(name, .choice(words), summary) { $1.string(value($0)) }
  }

  mutating func optionalChoice(
    _ name: String, _ words: [String], presence: DocumentPresence = .nullable, _ summary: String,
    _ value: @escaping @Sendable (Value) -> String?
  ) {
    optional(name, .choice(words), presence: presence, summary, value) { $1.string($0) }
  }

  /// Appends a field whose value is a case name of the vocabulary choice with the name `choice`.
  mutating func vocabulary(
    _ name: String, _ choice: String, presence: DocumentPresence = .nullable, _ summary: String,
    _ value: @escaping @Sendable (Value) -> String?
  ) {
    optional(name, .vocabulary(choice), presence: presence, summary, value) { $1.string($0) }
  }

  // MARK: Numbers

  mutating func integer<Number: BinaryInteger & SendableMetatype>(
    _ name: String, unit: DocumentUnit? = nil, _ summary: String, _ value: @escaping @Sendable (Value) -> Number
  ) {
    let figure = DocumentFigure<Value>.number(column: Self.column(name, unit)) { Int64(clamping: value($0)) }
    add(name, .integer, unit: unit, summary, figure: figure) { $1.integer(value($0)) }
  }

  mutating func optionalInteger<Number: BinaryInteger & SendableMetatype>(
    _ name: String, unit: DocumentUnit? = nil, presence: DocumentPresence = .nullable, _ summary: String,
    _ value: @escaping @Sendable (Value) -> Number?
  ) {
    let figure = DocumentFigure<Value>.number(column: Self.column(name, unit)) { value($0).map { Int64(clamping: $0) } }
    optional(name, .integer, unit: unit, presence: presence, summary, figure: figure, value) { $1.integer($0) }
  }

  /// Appends a duration in nanoseconds.
  mutating func optionalDuration(_ name: String, _ summary: String, _ value: @escaping @Sendable (Value) -> Duration?) {
    optionalInteger(name, unit: .nanoseconds, summary) { value($0)?.nanoseconds }
  }

  mutating func flag(_ name: String, _ summary: String, _ value: @escaping @Sendable (Value) -> Bool) {
    add(name, .boolean, summary) { $1.boolean(value($0)) }
  }

  /// Appends a number that CSV contains and JSON omits.
  mutating func csvNumber(_ column: String, _ value: @escaping @Sendable (Value) -> Int) {
    all.append(DocumentField(description: nil, writer: nil, figure: .number(column: column) { Int64(value($0)) }))
  }

  // MARK: Objects

  mutating func object<Member>(
    _ name: String, _ object: DocumentObject<Member>, isTotal: Bool = false, _ summary: String,
    _ value: @escaping @Sendable (Value) -> Member
  ) {
    let figure: DocumentFigure<Value>? = isTotal ? .total(row: name) { object.columns(of: value($0)) } : nil
    add(name, .object(object.description), summary, figure: figure) { object.write(value($0), to: &$1) }
  }

  mutating func optionalObject<Member>(
    _ name: String, _ object: DocumentObject<Member>, presence: DocumentPresence = .nullable, _ summary: String,
    _ value: @escaping @Sendable (Value) -> Member?
  ) {
    optional(name, .object(object.description), presence: presence, summary, value) { object.write($0, to: &$1) }
  }

  mutating func list<Members: Sequence & SendableMetatype>(
    _ name: String, _ object: DocumentObject<Members.Element>, isTable: Bool = false, _ summary: String,
    _ value: @escaping @Sendable (Value) -> Members
  ) {
    let figure: DocumentFigure<Value>? =
      isTable ? .table { value($0).map { (object.row(of: $0), object.columns(of: $0)) } } : nil
    add(name, .list(.object(object.description)), summary, figure: figure) {
      $1.array(of: value($0)) { object.write($0, to: &$1) }
    }
  }

  /// Appends a list that is written one element at a time.
  ///
  /// - Parameter one: the key of a single element in formats that write each element as its own line.
  mutating func stream<Member>(
    _ many: StaticString, of one: StaticString, _ object: DocumentObject<Member>, _ summary: String,
    count: @escaping @Sendable (Value) -> Int, member: @escaping @Sendable (Value, Int) -> Member
  ) {
    let stream = DocumentStream<Value>(one: one, many: many, count: count) { object.write(member($0, $1), to: &$2) }
    all.append(DocumentField(description: Self.description(of: many, object, summary), writer: nil, stream: stream))
  }

  /// Appends the description of a list that the caller writes, because its elements are not part of the document's value.
  mutating func feed<Member>(_ many: StaticString, _ object: DocumentObject<Member>, _ summary: String) {
    all.append(DocumentField(description: Self.description(of: many, object, summary), writer: nil))
  }

  private static func description<Member>(
    of many: StaticString, _ object: DocumentObject<Member>, _ summary: String
  ) -> DocumentDescription.Field {
    .init(name: "\(many)", shape: .list(.object(object.description)), unit: nil, summary: summary, presence: .always)
  }

  /// Appends the members of a part of the value. If the part is missing, each of them is `null`.
  ///
  /// The nulls are prepared as one text, because most parts of a row are missing.
  mutating func part<Part>(
    _ part: @escaping @Sendable (Value) -> Part?, _ declare: (inout DocumentFields<Part>) -> Void
  ) {
    var members = DocumentFields<Part>()
    declare(&members)
    let (descriptions, writers) = (members.all.compactMap(\.description), members.all.compactMap(\.writer))
    let nulls = Array(descriptions.map { JSONText.preparedKey($0.name) + "null".utf8 }.joined(separator: ",".utf8))
    let writer = DocumentField<Value>.Writer(key: nil) { owner, json in
      guard let part = part(owner) else { return json.prepared(nulls) }
      for place in writers.indices { writers[place].write(part, to: &json) }
    }
    for (place, member) in descriptions.enumerated() {
      all.append(
        DocumentField(
          description: .init(
            name: member.name, shape: member.shape, unit: member.unit, summary: member.summary, presence: .nullable),
          writer: place == 0 ? writer : nil))
    }
  }

  // MARK: Values that are usually left out

  mutating func optionalTexts(
    _ name: String, presence: DocumentPresence = .omitted, _ summary: String, _ value: @escaping @Sendable (Value) -> [String]?
  ) {
    optional(name, .list(.text(.string)), presence: presence, summary, value) { $1.array(of: $0) { $1.string($0) } }
  }

  mutating func optionalFlag(
    _ name: String, presence: DocumentPresence = .omitted, _ summary: String, _ value: @escaping @Sendable (Value) -> Bool?
  ) {
    optional(name, .boolean, presence: presence, summary, value) { $1.boolean($0) }
  }

  mutating func optionalList<Member>(
    _ name: String, _ object: DocumentObject<Member>, _ summary: String, _ value: @escaping @Sendable (Value) -> [Member]?
  ) {
    optional(name, .list(.object(object.description)), presence: .omitted, summary, value) {
      $1.array(of: $0) { object.write($0, to: &$1) }
    }
  }

  /// Appends a field whose value may be missing.
  ///
  /// This function is inlined into its callers so that the compiler can inline `write`, which runs for each field of each task.
  ///
  /// - Parameter write: writes the value if it is not `nil`.
  @inline(__always)
  private mutating func optional<Present>(
    _ name: String, _ shape: DocumentShape, unit: DocumentUnit? = nil, presence: DocumentPresence, _ summary: String,
    figure: DocumentFigure<Value>? = nil, _ value: @escaping @Sendable (Value) -> Present?,
    write: @escaping @Sendable (Present, inout JSONText) -> Void
  ) {
    guard presence == .omitted else {
      return add(name, shape, unit: unit, presence: presence, summary, figure: figure) { owner, json in
        if let present = value(owner) { write(present, &json) } else { json.null() }
      }
    }
    let key = JSONText.preparedKey(name)
    all.append(
      DocumentField(
        description: .init(name: name, shape: shape, unit: unit, summary: summary, presence: presence),
        writer: .init(key: nil) { owner, json in
          guard let present = value(owner) else { return }
          json.key(prepared: key)
          write(present, &json)
        }, figure: figure))
  }

  // MARK: CSV

  /// Returns the CSV column of a field: `inFlight` becomes `in_flight`, or `in_flight_ns` if the unit is nanoseconds.
  private static func column(_ name: String, _ unit: DocumentUnit?) -> String {
    var column = ""
    for character in name {
      if character.isUppercase { column.append("_") }
      column += character.lowercased()
    }
    return column + (unit?.columnSuffix ?? "")
  }
}
