import XferEvents

/// Writes JSON Schema (draft 2020-12) from the fields of documents.
///
/// Each object becomes a definition under its name. A closed schema rejects members that it does not describe. An open schema
/// accepts them, because a newer version may add members.
struct DocumentSchema {
  let isClosed: Bool

  /// Returns the schema of a document.
  ///
  /// - Parameters:
  ///   - document: the root object.
  ///   - id: the URN of the schema.
  ///   - title: the name and version of the document.
  ///   - definitions: writes further definitions.
  func text(_ document: DocumentDescription, id: String, title: String, definitions: (inout JSONText) -> Void = { _ in })
    -> String
  {
    text(id: id, title: title, summary: document.summary) { json in
      writeMembers(of: document, to: &json)
      json.object("$defs") { json in
        for object in document.objects { write(object, to: &json) }
        writeTypes(to: &json)
        for choice in document.vocabulary { writeChoice(choice, to: &json) }
        definitions(&json)
      }
    }
  }

  /// Returns an indented schema that begins with `$schema`, `$id`, `title` and `description`.
  func text(id: String, title: String, summary: String, _ body: (inout JSONText) -> Void) -> String {
    var json = JSONText(capacity: 1 << 16)
    json.beginObject()
    json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
    json.member("$id", id)
    json.member("title", title)
    json.member("description", summary)
    body(&json)
    json.endObject()
    let compact = json.finished()
    var text = TextBuffer(capacity: 1 << 17)
    text.append(indenting: compact)
    return text.string
  }

  // MARK: Objects

  /// Writes the definition of an object.
  func write(_ object: DocumentDescription, to json: inout JSONText) {
    json.key(object.name)
    json.beginObject()
    json.member("description", object.summary)
    writeMembers(of: object, to: &json)
    json.endObject()
  }

  /// Writes the keywords that describe an object's members.
  func writeMembers(of object: DocumentDescription, to json: inout JSONText) {
    json.member("type", "object")
    json.array("required", object.fields.filter { $0.presence != .omitted }) { $1.string($0.name) }
    json.object("properties") { json in
      for field in object.fields {
        json.key(field.name)
        json.beginObject()
        if field.presence == .nullable {
          json.key("anyOf")
          json.array(of: [field.shape, nil]) { write($0, to: &$1) }
        } else {
          writeKeywords(of: field.shape, to: &json)
        }
        json.member("description", field.summary + (field.unit.map { " In \($0.rawValue)." } ?? ""))
        json.endObject()
      }
    }
    if isClosed { json.member("additionalProperties", false) }
    guard object.fields.contains(where: { if case .eventFields = $0.shape { true } else { false } }) else { return }
    json.array("allOf", Vocabulary.events) { EventSchema.writeCondition(on: $0, to: &$1) }
  }

  // MARK: Values

  /// - Parameter shape: the shape to write. `nil` writes the schema of the JSON value `null`.
  private func write(_ shape: DocumentShape?, to json: inout JSONText) {
    json.beginObject()
    if let shape { writeKeywords(of: shape, to: &json) } else { json.member("type", "null") }
    json.endObject()
  }

  private func writeKeywords(of shape: DocumentShape, to json: inout JSONText) {
    switch shape {
    case .text(.string): json.member("type", "string")
    case .text(let form): json.member("$ref", "#/$defs/\(form.rawValue)")
    case .integer: json.member("type", "integer")
    case .boolean: json.member("type", "boolean")
    case .constant(let text): json.member("const", text)
    case .choice(let words): json.array("enum", words) { $1.string($0) }
    case .vocabulary(let name): json.member("$ref", "#/$defs/choice.\(name)")
    case .object(let object): json.member("$ref", "#/$defs/\(object.name)")
    case .eventFields: json.member("type", "object")
    case .row:
      json.member("type", "object")
      json.object("additionalProperties") { json in
        json.array("type", ["string", "number", "boolean", "null"]) { $1.string($0) }
      }
    case .eventValue(let type): json.member("$ref", "#/$defs/\(type.definition)")
    case .list(let element):
      json.member("type", "array")
      json.key("items")
      write(element, to: &json)
    case .either(let shapes):
      json.key("oneOf")
      json.array(of: shapes) { write($0, to: &$1) }
    }
  }

  /// Writes a definition for each text form that has a pattern.
  func writeTypes(to json: inout JSONText) {
    for form in DocumentText.allCases {
      guard let pattern = form.pattern else { continue }
      json.key(form.rawValue)
      json.beginObject()
      json.member("type", "string")
      json.member("pattern", pattern)
      json.endObject()
    }
  }

  /// Writes the definition of a choice of the vocabulary.
  func writeChoice(_ name: String, to json: inout JSONText) {
    guard let choice = Vocabulary.choices.first(where: { $0.name == name }) else { return }
    json.key("choice.\(choice.name)")
    json.beginObject()
    json.member("description", choice.summary)
    json.key("anyOf")
    json.beginArray()
    json.beginObject()
    json.array("enum", choice.cases) { $1.string($0.name) }
    json.endObject()
    json.beginObject()
    json.member("type", "string")
    json.member("pattern", "^unknown\\([0-9]+\\)$")
    json.endObject()
    json.endArray()
    json.endObject()
  }
}

extension DocumentDescription {
  /// The distinct objects nested in this one, in order of first occurrence.
  package var objects: [DocumentDescription] {
    var found: [DocumentDescription] = []
    collect(into: &found)
    return found
  }

  private func collect(into found: inout [DocumentDescription]) {
    for field in fields {
      for object in field.shape.objects where !found.contains(where: { $0.name == object.name }) {
        found.append(object)
        object.collect(into: &found)
      }
    }
  }

  /// The distinct names of the vocabulary choices in this object and in nested objects, in order of first occurrence.
  var vocabulary: [String] {
    var found: [String] = []
    for field in ([self] + objects).flatMap(\.fields) {
      for name in field.shape.vocabulary where !found.contains(name) { found.append(name) }
    }
    return found
  }
}

extension DocumentShape {
  /// The objects that this shape refers to directly, without the objects nested in them.
  fileprivate var objects: [DocumentDescription] {
    switch self {
    case .object(let object): [object]
    case .list(let element): element.objects
    case .either(let shapes): shapes.flatMap(\.objects)
    case .text, .integer, .boolean, .constant, .choice, .vocabulary, .eventFields, .row, .eventValue: []
    }
  }

  fileprivate var vocabulary: [String] {
    switch self {
    case .vocabulary(let name): [name]
    case .list(let element): element.vocabulary
    case .either(let shapes): shapes.flatMap(\.vocabulary)
    case .text, .integer, .boolean, .constant, .choice, .object, .eventFields, .row, .eventValue: []
    }
  }
}
