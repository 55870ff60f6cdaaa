internal import Yams

/// A YAML node of a script, together with its position for error messages.
struct ScriptNode {
  let node: Node
  let file: String
  /// The path of keys to the node, such as `routes[0].respond.cut`. Empty for the root.
  let key: String

  /// The file and line of the node, such as `script.yaml:12`.
  var place: String { file + (node.mark.map { ":\($0.line)" } ?? "") }

  func failure(_ problem: String, _ advice: String, _ code: ScriptError.Code = .badValue) -> ScriptError {
    ScriptError(code: code, place: place + (key.isEmpty ? "" : ": \(key)"), problem: problem, advice: advice)
  }

  /// Returns the entries of a mapping with arbitrary keys, in order.
  func entries() throws(ScriptError) -> [(key: String, value: ScriptNode)] {
    guard case .mapping(let mapping) = node else {
      throw failure("names with values are expected", "Write them as `name: value`.")
    }
    return mapping.compactMap { name, value in
      name.scalar.map { ($0.string, ScriptNode(node: value, file: file, key: "\(key).\($0.string)")) }
    }
  }

  /// Returns the values of a mapping by key, and throws for a key that is not in `known`.
  func fields(_ known: [String]) throws(ScriptError) -> ScriptFields {
    guard case .mapping(let mapping) = node else {
      throw failure("keys with values are expected", "Write some of: \(known.joined(separator: ", ")).")
    }
    var values: [String: ScriptNode] = [:]
    for (name, value) in mapping {
      guard case .scalar(let scalar) = name, known.contains(scalar.string) else {
        let word = name.scalar?.string ?? "…"
        let guess = ScriptError.suggestion(for: word, among: known).map { "Did you mean `\($0)`? " } ?? ""
        throw ScriptNode(node: name, file: file, key: key).failure(
          "unknown key `\(word)`", guess + "Known keys: \(known.joined(separator: ", ")).", .unknownKey)
      }
      values[scalar.string] = ScriptNode(node: value, file: file, key: key.isEmpty ? scalar.string : "\(key).\(scalar.string)")
    }
    return ScriptFields(parent: self, values: values)
  }

  /// Returns the members of a sequence, or a single value as a list of one.
  func list() -> [ScriptNode] {
    guard case .sequence(let sequence) = node else { return [self] }
    return sequence.enumerated().map { ScriptNode(node: $1, file: file, key: "\(key)[\($0)]") }
  }

  /// Returns header fields in order. A field with a list of values is repeated.
  func headers() throws(ScriptError) -> ScriptHeaders {
    guard case .mapping(let mapping) = node else {
      throw failure("header fields are expected", "Write them as `Name: value`.")
    }
    var headers = ScriptHeaders()
    for (name, value) in mapping {
      guard case .scalar(let name) = name else { continue }
      for value in ScriptNode(node: value, file: file, key: "\(key).\(name.string)").list() {
        headers.append(name.string, try value.text())
      }
    }
    return headers
  }
}

/// The values of a mapping whose keys were all checked.
struct ScriptFields {
  let parent: ScriptNode
  fileprivate let values: [String: ScriptNode]

  fileprivate init(parent: ScriptNode, values: [String: ScriptNode]) {
    self.parent = parent
    self.values = values
  }

  subscript(key: String) -> ScriptNode? { values[key] }

  var isEmpty: Bool { values.isEmpty }

  func required(_ key: String, _ advice: String) throws(ScriptError) -> ScriptNode {
    guard let value = values[key] else { throw parent.failure("`\(key)` is missing", advice) }
    return value
  }

  /// Returns which of several mutually exclusive keys is present, with its value, or `nil` when none is present.
  func only(_ keys: [String], _ advice: String) throws(ScriptError) -> (key: String, node: ScriptNode)? {
    let present = keys.filter { values[$0] != nil }
    guard present.count < 2 else {
      throw values[present[1]]!.failure("`\(present[0])` and `\(present[1])` cannot be combined", advice)
    }
    return present.first.map { ($0, values[$0]!) }
  }
}
