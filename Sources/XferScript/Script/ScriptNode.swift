internal import Yams

/// A place in a script's YAML, with what it takes to name it.
struct ScriptNode {
  let node: Node
  let file: String
  /// `routes[0].respond.cut`; empty at the top.
  let key: String

  /// `script.yaml:12`.
  var place: String { file + (node.mark.map { ":\($0.line)" } ?? "") }

  func failure(_ problem: String, _ advice: String, _ code: ScriptError.Code = .badValue) -> ScriptError {
    ScriptError(code: code, place: place + (key.isEmpty ? "" : ": \(key)"), problem: problem, advice: advice)
  }

  /// The values of a mapping whose keys may be anything, in their order.
  func entries() throws(ScriptError) -> [(key: String, value: ScriptNode)] {
    guard case .mapping(let mapping) = node else {
      throw failure("names with values are expected", "Write them as `name: value`.")
    }
    return mapping.compactMap { name, value in
      name.scalar.map { ($0.string, ScriptNode(node: value, file: file, key: "\(key).\($0.string)")) }
    }
  }

  /// The values of a mapping by key, all of them among `known`.
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
          "there is no key `\(word)`", guess + "Known here: \(known.joined(separator: ", ")).", .unknownKey)
      }
      values[scalar.string] = ScriptNode(node: value, file: file, key: key.isEmpty ? scalar.string : "\(key).\(scalar.string)")
    }
    return ScriptFields(parent: self, values: values)
  }

  /// The members of a sequence, or the value alone.
  func list() -> [ScriptNode] {
    guard case .sequence(let sequence) = node else { return [self] }
    return sequence.enumerated().map { ScriptNode(node: $1, file: file, key: "\(key)[\($0)]") }
  }

  /// Header fields in their order; a list repeats a field.
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

/// A mapping whose keys are all known.
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

  /// The one that is there of keys that exclude each other.
  func only(_ keys: [String], _ advice: String) throws(ScriptError) -> (key: String, node: ScriptNode)? {
    let present = keys.filter { values[$0] != nil }
    guard present.count < 2 else {
      throw values[present[1]]!.failure("`\(present[0])` and `\(present[1])` exclude each other", advice)
    }
    return present.first.map { ($0, values[$0]!) }
  }
}
