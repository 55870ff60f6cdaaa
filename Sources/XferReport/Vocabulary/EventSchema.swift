import XferEvents

/// The JSON Schemas (draft 2020-12) of what `EventJSON` writes.
package enum EventSchema {
  /// The schema of one line of `-o ndjson`.
  ///
  /// It is open where vocabularies grow: an event, a field or a case that is not listed is not an error.
  package static func document() -> String {
    let schema = DocumentSchema(isClosed: false)
    let (rows, objects) = (EventObjects.lines.descriptions, EventObjects.lines.allDescriptions)
    let summary = "A line of `xferlog show -o ndjson` or `tail`: an event, a gap where something is missing, or a finding."
    return schema.text(id: "urn:xferlog:event:1", title: "xferlog.event/1", summary: summary) { json in
      json.member("type", "object")
      json.array("required", ["schema"]) { $1.string($0) }
      json.array("oneOf", rows) { $0.name.reference(&$1) }
      json.object("$defs") { json in
        for object in objects { schema.write(object, to: &json) }
        schema.writeTypes(to: &json)
        writeDefinitions(schema, to: &json)
      }
    }
  }

  /// The schema of the document `xferlog.events/1`.
  ///
  /// It is closed: a field that the vocabulary does not have is an error. An event that the vocabulary does not have may have any fields.
  static func events() -> String {
    let schema = DocumentSchema(isClosed: true)
    return schema.text(EventJSON.description, id: "urn:xferlog:events:1", title: "xferlog.events/1") { json in
      writeDefinitions(schema, choices: EventJSON.description.vocabulary, to: &json)
    }
  }

  // MARK: Events

  /// Writes the definitions that the values of events' fields refer to.
  ///
  /// - Parameter choices: the choices that have been written already.
  private static func writeDefinitions(_ schema: DocumentSchema, choices: [String] = [], to json: inout JSONText) {
    writeTypes(to: &json)
    for choice in Vocabulary.choices where !choices.contains(choice.name) { schema.writeChoice(choice.name, to: &json) }
    for event in Vocabulary.events { write(event, isClosed: schema.isClosed, to: &json) }
  }

  /// Writes what the fields of an event of this name have to be.
  static func writeCondition(on event: EventDefinition, to json: inout JSONText) {
    json.beginObject()
    json.object("if") { json in
      json.object("properties") { $0.object("event") { $0.member("const", event.name) } }
      json.array("required", ["event"]) { $1.string($0) }
    }
    json.object("then") { json in
      json.object("properties") { $0.object("fields") { $0.member("$ref", "#/$defs/event.\(event.name)") } }
    }
    json.endObject()
  }

  private static func write(_ event: EventDefinition, isClosed: Bool, to json: inout JSONText) {
    json.key("event.\(event.name)")
    json.beginObject()
    json.member("description", event.message)
    json.member("type", "object")
    json.object("properties") { json in
      for name in event.fields where name != "task" {
        guard let field = FieldID(name: name)?.definition else { continue }
        json.key(field.name)
        json.beginObject()
        json.member("$ref", "#/$defs/\(field.type.definition)")
        json.member("description", field.summary + field.type.unit)
        json.endObject()
      }
    }
    if isClosed { json.member("additionalProperties", false) }
    json.endObject()
  }

  // MARK: Types

  private static func writeTypes(to json: inout JSONText) {
    writePattern("digest", "^[0-9a-f]{16}$", to: &json)
    for type in ["string", "integer", "number", "boolean"] {
      json.key(type)
      json.beginObject()
      json.member("type", type)
      json.endObject()
    }
    json.object("unreadable") { json in
      json.member("description", "The record is whole, but the definition that it refers to is lost.")
      json.closed(["unreadable": "boolean"])
    }
    json.object("symbol") { $0.array("oneOf", ["string", "unreadable"]) { $0.reference(&$1) } }
    json.object("text") { json in
      json.key("oneOf")
      json.beginArray()
      "string".reference(&json)
      "unreadable".reference(&json)
      let forms: [KeyValuePairs] = [["hash": "digest"], ["redacted": "boolean"], ["cut": "string", "bytes": "integer"]]
      for form in forms {
        json.beginObject()
        json.closed(form)
        json.endObject()
      }
      json.endArray()
    }
    writeMessage(to: &json)
    json.object("task") { json in
      json.key("oneOf")
      json.beginArray()
      json.beginObject()
      json.closed(["uid": "uuid", "session": "string", "number": "integer"])
      json.endObject()
      "unreadable".reference(&json)
      json.endArray()
    }
    json.object("tasks") { json in
      json.member("type", "array")
      json.key("items")
      "task".reference(&json)
    }
  }

  private static func writePattern(_ name: StaticString, _ pattern: String, to json: inout JSONText) {
    json.object(name) { json in
      json.member("type", "string")
      json.member("pattern", pattern)
    }
  }

  private static func writeMessage(to json: inout JSONText) {
    json.object("argument") { json in
      json.member("description", "The value of a placeholder of the format, in their order, or a named value behind the message.")
      json.member("type", "object")
      json.array("required", ["type", "value"]) { $1.string($0) }
      json.object("properties") { json in
        json.object("name") { $0.member("$ref", "#/$defs/string") }
        json.object("type") { json in
          json.array("enum", ["text", "signed", "unsigned", "double", "flag"]) { $1.string($0) }
        }
        json.object("value") { $0.array("anyOf", ["text", "number", "boolean"]) { $0.reference(&$1) } }
      }
      json.member("additionalProperties", false)
    }
    json.object("arguments") { json in
      json.member("type", "array")
      json.key("items")
      "argument".reference(&json)
    }
    json.object("message") { json in
      json.key("oneOf")
      json.beginArray()
      json.beginObject()
      json.member(
        "description", "message: the whole text; format: its literal parts, which are equal for all messages from one place.")
      json.closed(["message": "string", "format": "symbol", "arguments": "arguments"])
      json.endObject()
      "unreadable".reference(&json)
      json.endArray()
    }
  }
}

extension FieldType {
  /// The name of the type's definition in schemas.
  var definition: String {
    switch self {
    case .task: "task"
    case .tasks: "tasks"
    case .launch, .boot: "uuid"
    case .delivery, .handler, .correlation: "identifier"
    case .digest: "digest"
    case .bytes, .count, .duration, .number: "integer"
    case .wallTime: "time"
    case .flag: "boolean"
    case .choice(let name): "choice.\(name)"
    case .symbol: "symbol"
    case .text: "text"
    case .message: "message"
    }
  }

  fileprivate var unit: String {
    switch self {
    case .bytes: " Bytes."
    case .duration: " Nanoseconds."
    case .text(.private): " Private."
    default: ""
    }
  }
}

extension String {
  /// Writes an object that refers to the definition of this name.
  fileprivate func reference(_ json: inout JSONText) {
    json.beginObject()
    json.member("$ref", "#/$defs/\(self)")
    json.endObject()
  }
}

extension JSONText {
  /// Writes the members of an object schema that has exactly these properties, each with the name of its definition.
  fileprivate mutating func closed(_ properties: KeyValuePairs<String, String>) {
    member("type", "object")
    array("required", properties) { $1.string($0.key) }
    object("properties") { json in
      for (name, definition) in properties {
        json.key(name)
        definition.reference(&json)
      }
    }
    member("additionalProperties", false)
  }
}
