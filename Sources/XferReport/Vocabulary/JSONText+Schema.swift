// The pieces that a JSON Schema is written from.

extension String {
  /// An object that refers to the definition of this name.
  func reference(_ json: inout JSONText) {
    json.beginObject()
    json.member("$ref", "#/$defs/\(self)")
    json.endObject()
  }
}

extension JSONText {
  mutating func property(_ name: StaticString, _ definition: String, _ description: String? = nil) {
    object(name) { json in
      json.member("$ref", "#/$defs/\(definition)")
      if let description { json.member("description", description) }
    }
  }

  mutating func nullable(_ name: StaticString, _ definition: String, _ description: String) {
    object(name) { json in
      json.member("description", description)
      json.array("anyOf", [definition, "null"]) { $0.reference(&$1) }
    }
  }

  mutating func list(_ name: StaticString, _ definition: String, _ description: String) {
    object(name) { json in
      json.member("description", description)
      json.member("type", "array")
      json.property("items", definition)
    }
  }

  mutating func pattern(_ name: StaticString, _ pattern: String) {
    object(name) { json in
      json.member("type", "string")
      json.member("pattern", pattern)
    }
  }

  mutating func member(_ name: StaticString, required: String) {
    object(name) { $0.array("required", [required]) { $1.string($0) } }
  }

  /// The members of an object that has exactly these.
  mutating func closed(_ properties: KeyValuePairs<String, String>) {
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
