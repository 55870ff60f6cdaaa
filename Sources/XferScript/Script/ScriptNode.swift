import XferYAML

/// A YAML node of a script, together with its position for error messages.
struct ScriptNode {
  let node: YAMLNode
  /// The path of keys to the node, such as `routes[0].respond.cut`. Empty for the root.
  let key: String

  /// The file, line and column of the node, such as `script.yaml:12:7`.
  var place: String { node.place.line > 0 ? "\(node.place)" : node.place.file }

  func failure(_ problem: String, _ advice: String, _ code: ScriptError.Code = .badValue) -> ScriptError {
    ScriptError(code: code, place: place + (key.isEmpty ? "" : ": \(key)"), problem: problem, advice: advice)
  }

  /// Returns the entries of a mapping with arbitrary keys, in order.
  func entries() throws(ScriptError) -> [(key: String, value: ScriptNode)] {
    guard case .mapping(let mapping) = node.content else {
      throw failure("names with values are expected", "Write them as `name: value`.")
    }
    return mapping.compactMap { name, value in
      name.scalar.map { ($0, ScriptNode(node: value, key: "\(key).\($0)")) }
    }
  }

  /// Returns the values of a mapping by key, and throws for a key that is not in `known`.
  ///
  /// - Parameter listing: The known keys, for messages. `nil` lists them all.
  func fields(_ known: [String], listing: String? = nil) throws(ScriptError) -> ScriptFields {
    let list = listing ?? known.joined(separator: ", ")
    guard case .mapping(let mapping) = node.content else {
      throw failure("keys with values are expected", "Write some of: \(list).")
    }
    var values: [String: ScriptNode] = [:]
    for (name, value) in mapping {
      guard let word = name.scalar, known.contains(word) else {
        let word = name.scalar ?? "…"
        let guess = ScriptError.suggestion(for: word, among: known).map { "Did you mean `\($0)`? " } ?? ""
        throw ScriptNode(node: name, key: key).failure(
          "unknown key `\(word)`", guess + "Known keys: \(list).", .unknownKey)
      }
      values[word] = ScriptNode(node: value, key: key.isEmpty ? word : "\(key).\(word)")
    }
    return ScriptFields(parent: self, values: values)
  }

  /// Returns the members of a sequence, or a single value as a list of one.
  func list() -> [ScriptNode] {
    guard case .list(let members) = node.content else { return [self] }
    return members.enumerated().map { ScriptNode(node: $1, key: "\(key)[\($0)]") }
  }

  /// Returns header fields in order. A field with a list of values is repeated.
  func headers() throws(ScriptError) -> ScriptHeaders {
    guard case .mapping(let mapping) = node.content else {
      throw failure("header fields are expected", "Write them as `Name: value`.")
    }
    var headers = ScriptHeaders()
    for (name, value) in mapping {
      guard let name = name.scalar else { continue }
      for value in ScriptNode(node: value, key: "\(key).\(name)").list() {
        headers.append(name, try value.text())
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
