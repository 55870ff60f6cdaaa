import Foundation

/// A validator for the part of JSON Schema (draft 2020-12) that xferlog's schemas use. An unknown keyword is an error.
struct JSONSchema {
  private let root: [String: Any]

  struct Unsupported: Error { let keyword: String }

  init(text: String) throws {
    root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// Returns the first problem of a document; `nil` for a valid one.
  func problem(with document: String) throws -> String? {
    try problem(JSONSerialization.jsonObject(with: Data(document.utf8)), root, at: "#")
  }

  /// Returns the declared fields of an event.
  func fieldNames(of event: String) throws -> Set<String> {
    let definition = (root["$defs"] as? [String: Any])?["event.\(event)"] as? [String: Any]
    return Set((definition?["properties"] as? [String: Any])?.keys.map { $0 } ?? [])
  }

  private func problem(_ value: Any, _ schema: [String: Any], at place: String) throws -> String? {
    for (keyword, rule) in schema.sorted(by: { $0.key < $1.key }) {
      if let problem = try problem(value, keyword, rule, schema, at: place) { return problem }
    }
    return nil
  }

  private func problem(
    _ value: Any, _ keyword: String, _ rule: Any, _ schema: [String: Any], at place: String
  ) throws -> String? {
    let object = value as? [String: Any]
    switch keyword {
    case "$schema", "$id", "$defs", "title", "description", "then": return nil
    case "$ref":
      let name = (rule as! String).replacing("#/$defs/", with: "")
      guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
        return "\(place): no definition \(name)"
      }
      return try problem(value, target, at: place)
    case "type": return Self.isOf(value, rule as! String) ? nil : "\(place): \(value) is no \(rule)"
    case "const": return (value as? String) == rule as? String ? nil : "\(place): \(value) is not \(rule)"
    case "enum": return (rule as! [String]).contains { $0 == value as? String } ? nil : "\(place): \(value) is not listed"
    case "pattern":
      guard let text = value as? String else { return nil }
      return try text.firstMatch(of: Regex(rule as! String)) == nil ? "\(place): \(text) does not match \(rule)" : nil
    case "required":
      guard let object else { return nil }
      return (rule as! [String]).first { object[$0] == nil }.map { "\(place): \($0) is missing" }
    case "properties":
      for (name, sub) in rule as! [String: [String: Any]] {
        if let member = object?[name], let problem = try problem(member, sub, at: "\(place)/\(name)") { return problem }
      }
      return nil
    case "additionalProperties":
      let known = (schema["properties"] as? [String: Any])?.keys.map { $0 } ?? []
      return object?.keys.first { !known.contains($0) }.map { "\(place): \($0) is not expected" }
    case "items":
      for element in value as? [Any] ?? [] {
        if let problem = try problem(element, rule as! [String: Any], at: "\(place)[]") { return problem }
      }
      return nil
    case "not": return try problem(value, rule as! [String: Any], at: place) == nil ? "\(place): must not be so" : nil
    case "allOf":
      for sub in rule as! [[String: Any]] { if let problem = try problem(value, sub, at: place) { return problem } }
      return nil
    case "anyOf", "oneOf":
      let problems = try (rule as! [[String: Any]]).map { try problem(value, $0, at: place) }
      let valid = problems.count { $0 == nil }
      return valid == 1 || valid > 1 && keyword == "anyOf" ? nil : "\(place): \(valid) forms fit: \(problems)"
    case "if":
      guard try problem(value, rule as! [String: Any], at: place) == nil, let then = schema["then"] as? [String: Any] else {
        return nil
      }
      return try problem(value, then, at: place)
    default: throw Unsupported(keyword: keyword)
    }
  }

  private static func isOf(_ value: Any, _ type: String) -> Bool {
    let isBoolean = (value as? NSNumber).map { CFGetTypeIDIsBoolean($0) } ?? false
    switch type {
    case "object": return value is [String: Any]
    case "array": return value is [Any]
    case "string": return value is String
    case "boolean": return isBoolean
    case "null": return value is NSNull
    case "integer": return !isBoolean && (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } ?? false
    case "number": return !isBoolean && value is NSNumber
    default: return false
    }
  }

  /// Whether a value has a JSON type. `JSONSerialization` returns `true` and `1` as the same class, but with different types.
  private static func CFGetTypeIDIsBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
