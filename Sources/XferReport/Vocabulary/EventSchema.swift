import XferEvents

/// The JSON Schema (draft 2020-12) of what `EventJSON` writes, an object a line.
///
/// It is open where vocabularies grow: an event, a field or a case that is not listed is not an error.
package enum EventSchema {
  package static func document() -> String {
    var json = JSONText(capacity: 1 << 16)
    write(to: &json)
    let compact = json.finished()
    var text = TextBuffer(capacity: 1 << 17)
    text.append(indenting: compact)
    return text.string
  }

  private static func write(to json: inout JSONText) {
    json.beginObject()
    json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
    json.member("$id", "urn:xferlog:event:1")
    json.member("title", "xferlog.event/1")
    json.member(
      "description", "A line of `xferlog show -o ndjson` or `tail`: an event, a gap where something is missing, or a finding.")
    json.member("type", "object")
    json.array("required", ["schema"]) { $1.string($0) }
    json.array("oneOf", ["event", "gap", "finding"]) { $0.reference(&$1) }
    json.object("$defs") { json in
      writeEvent(to: &json)
      writeGap(to: &json)
      writeFinding(to: &json)
      writeTypes(to: &json)
      for choice in Vocabulary.choices { write(choice, to: &json) }
      for event in Vocabulary.events { write(event, to: &json) }
    }
    json.endObject()
  }

  // MARK: Events and gaps

  private static func writeEvent(to json: inout JSONText) {
    json.object("event") { json in
      json.array("required", ["schema", "level", "event", "source", "fields"]) { $1.string($0) }
      json.object("properties") { json in
        writeCommon(to: &json)
        json.object("level") { $0.array("enum", Level.allCases) { $1.string($0.name) } }
        json.object("event") { json in
          json.member("type", "string")
          json.member("description", "family.name")
        }
        json.property("pid", "integer", "Process id of the writer.")
        json.property("role", "choice.WriterRole")
        json.property("thread", "integer", "The kernel's thread number.")
        json.property("source", "source")
        json.property("task", "task")
        json.object("fields") { $0.member("type", "object") }
      }
      json.member("not", required: "gap")
      json.array("allOf", Vocabulary.events) { event, json in
        json.beginObject()
        json.object("if") { json in
          json.object("properties") { $0.object("event") { $0.member("const", event.name) } }
          json.array("required", ["event"]) { $1.string($0) }
        }
        json.object("then") { json in
          json.object("properties") { $0.property("fields", "event.\(event.name)") }
        }
        json.endObject()
      }
    }
  }

  static func writeCommon(to json: inout JSONText) {
    json.object("schema") { $0.member("const", "\(EventJSON.lineSchema)") }
    json.property("time", "time", "Wall clock.")
    json.property("mono", "nanoseconds", "The clock that stops while the machine sleeps, to compare within one boot.")
    json.property("launch", "uuid", "The process life that wrote it.")
  }

  private static func writeGap(to json: inout JSONText) {
    json.object("gap") { json in
      json.array("required", ["schema", "gap"]) { $1.string($0) }
      json.object("properties") { json in
        writeCommon(to: &json)
        json.object("gap") { json in
          json.member("type", "object")
          json.array("required", ["cause", "segment", "name"]) { $1.string($0) }
          json.object("properties") { json in
            json.object("cause") { json in
              json.array("enum", LogGap.Cause.names) { $1.string($0) }
            }
            json.property("problem", "string", "What is wrong with damaged bytes.")
            json.property("segment", "integer", "The segment's number.")
            json.property("name", "string", "Its file name.")
            json.property("lane", "integer", "The thread of the writer; absent when damage leaves open which.")
            json.property("sequences", "range")
            json.property("bytes", "range")
            json.property("afterMono", "nanoseconds", "The last event before it.")
          }
        }
      }
      json.member("not", required: "event")
    }
  }

  private static func write(_ event: EventDefinition, to json: inout JSONText) {
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
    json.endObject()
  }

  // MARK: Types

  private static func writeTypes(to json: inout JSONText) {
    json.pattern("uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
    json.pattern("time", "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{9}Z$")
    json.pattern("nanoseconds", "^-?[0-9]{1,19}$")
    json.pattern("identifier", "^[0-9]{1,20}$")
    json.pattern("digest", "^[0-9a-f]{16}$")
    for type in ["string", "integer", "number", "boolean", "null"] {
      json.key(type)
      json.beginObject()
      json.member("type", type)
      json.endObject()
    }
    json.object("unreadable") { json in
      json.member("description", "The record is whole, but the definition that it points to is lost.")
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
      json.property("items", "task")
    }
    json.object("range") { json in
      json.member("description", "From the first to before the last.")
      json.closed(["from": "integer", "to": "integer"])
    }
    json.object("source") { json in
      json.key("oneOf")
      json.beginArray()
      let forms: [KeyValuePairs] = [
        ["segment": "integer", "lane": "integer", "seq": "integer"], ["file": "integer", "line": "integer"],
      ]
      for form in forms {
        json.beginObject()
        json.closed(form)
        json.endObject()
      }
      json.endArray()
    }
  }

  private static func writeMessage(to json: inout JSONText) {
    json.object("argument") { json in
      json.member("description", "What stands for a {} of the format, in their order, or has a name and stands behind it.")
      json.member("type", "object")
      json.array("required", ["type", "value"]) { $1.string($0) }
      json.object("properties") { json in
        json.property("name", "string")
        json.object("type") { json in
          json.array("enum", ["text", "signed", "unsigned", "double", "flag"]) { $1.string($0) }
        }
        json.object("value") { $0.array("anyOf", ["text", "number", "boolean"]) { $0.reference(&$1) } }
      }
      json.member("additionalProperties", false)
    }
    json.object("arguments") { json in
      json.member("type", "array")
      json.property("items", "argument")
    }
    json.object("message") { json in
      json.key("oneOf")
      json.beginArray()
      json.beginObject()
      json.member("description", "message: as people read it; format: its literal text, the same for all from one place.")
      json.closed(["message": "string", "format": "symbol", "arguments": "arguments"])
      json.endObject()
      "unreadable".reference(&json)
      json.endArray()
    }
  }

  private static func write(_ choice: ChoiceDefinition, to json: inout JSONText) {
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

extension FieldType {
  /// The name of its definition.
  fileprivate var definition: String {
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

extension LogGap.Cause {
  fileprivate static let names = [LogGap.Cause.missingSequence, .damaged(problem: ""), .torn, .dropped, .missingHead, .truncated]
    .map(\.name)
}
