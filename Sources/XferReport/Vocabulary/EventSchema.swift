import XferEvents

/// The JSON Schemas (draft 2020-12) of the output of `EventJSON`.
package enum EventSchema {
  /// The schema of one line of `-o ndjson`.
  ///
  /// The schema accepts events, fields and cases that it does not list, because vocabularies grow.
  package static func document() -> String {
    let schema = DocumentSchema(isClosed: false)
    let (rows, objects) = (EventObjects.lines.descriptions, EventObjects.lines.allDescriptions)
    let summary =
      "A line of `xferlog show -o ndjson` or `xferlog tail -o ndjson`: an event, a gap, a finding, or a foreign writer."
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
  /// The schema rejects unknown fields of events in the vocabulary. It accepts events outside the vocabulary with any fields.
  static func events() -> String {
    let schema = DocumentSchema(isClosed: true)
    return schema.text(EventJSON.description, id: "urn:xferlog:events:1", title: "xferlog.events/1") { json in
      writeDefinitions(schema, choices: EventJSON.description.vocabulary, to: &json)
    }
  }

  // MARK: Events

  /// Writes the definitions that the values of events' fields refer to.
  ///
  /// - Parameter choices: the names of the choices (enumerations) whose definitions have been written already.
  private static func writeDefinitions(_ schema: DocumentSchema, choices: [String] = [], to json: inout JSONText) {
    writeTypes(to: &json)
    for choice in Vocabulary.choices where !choices.contains(choice.name) { schema.writeChoice(choice.name, to: &json) }
    for event in Vocabulary.events { write(event, isClosed: schema.isClosed, to: &json) }
  }

  /// Writes the condition that requires an event of this name to have the fields of its definition.
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
      json.member("description", "The record is intact, but a definition that it refers to is missing.")
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
      json.member("description", "The value of a placeholder in the format, or a named value that follows the message.")
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
        "description", "message: the full text. format: the literal parts, which all messages from one line of code share.")
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
  /// Writes the members of an object schema that requires exactly these properties. The values name their definitions.
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
