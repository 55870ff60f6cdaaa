import XferYAML

/// The keys that the value of an action may have, and their types.
struct ActorShape: Sendable {
  /// The key that a single value stands for. `nil` if the value must be a mapping.
  var single: String?
  var keys: [String: Kind]
  var required: [String] = []
  /// Groups of keys of which exactly one must be present.
  var oneOf: [String] = []
  /// Whether the action needs no value.
  var isOptional = false
  /// The key of a mapping whose own keys are arbitrary. `nil` if the keys are those of `keys`.
  var free: String?
  /// An example for error messages.
  var example: String

  indirect enum Kind: Sendable {
    case text
    /// A text, or null for none.
    case optionalText
    case flag
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case size
    case duration
    /// A duration, or `none`.
    case limit
    case choice([String])
    case steps
    case pairs
    case shape(ActorShape)
  }
}

extension ActorShape {
  /// The largest body or file that a script may create.
  static let largest = 1 << 30

  func arguments(_ node: ScriptNode, budget: Int) throws(ScriptError) -> ActorArguments {
    if node.isNull, isOptional { return ActorArguments() }
    if let free { return ActorArguments([free: try Kind.pairs.value(node, budget: budget)]) }
    if node.node.scalar != nil {
      guard let single, let kind = keys[single] else {
        throw node.failure("keys with values are expected", "Write for example `\(example)`.")
      }
      return ActorArguments([single: try kind.value(node, budget: budget)])
    }
    if case .list = node.node.content, let single, case .steps? = keys[single] {
      return ActorArguments([single: try Kind.steps.value(node, budget: budget)])
    }
    let fields = try node.fields(keys.keys.sorted())
    var values: [String: ActorArguments.Value] = [:]
    for (key, kind) in keys { if let value = fields[key] { values[key] = try kind.value(value, budget: budget) } }
    for key in required { _ = try fields.required(key, "Write for example `\(example)`.") }
    if !oneOf.isEmpty {
      guard try fields.only(oneOf, "Keep one of them.") != nil else {
        throw node.failure(
          "one of \(oneOf.map { "`\($0)`" }.joined(separator: ", ")) is missing", "Write for example `\(example)`.")
      }
    }
    return ActorArguments(values)
  }
}

extension ActorShape.Kind {
  func value(_ node: ScriptNode, budget: Int) throws(ScriptError) -> ActorArguments.Value {
    switch self {
    case .text: return .text(try node.text())
    case .optionalText: return node.isNull ? .none : .text(try node.text())
    case .flag: return .flag(try node.flag())
    case .integer(let range):
      let number = try node.integer()
      guard range.contains(number) else {
        throw node.failure("\(number) is out of range", "Write a number from \(range.lowerBound) to \(range.upperBound).")
      }
      return .integer(number)
    case .number(let range):
      let text = try node.text()
      guard let number = Double(text), range.contains(number) else {
        throw node.failure("`\(text)` is out of range", "Write a number from \(range.lowerBound) to \(range.upperBound).")
      }
      return .number(number)
    case .size:
      let size = try node.size()
      guard size <= ActorShape.largest else { throw node.failure("\(size) bytes are too many", "Write at most 1GiB.") }
      return .integer(size)
    case .duration: return .duration(try node.duration())
    case .limit: return node.isNull ? .none : try node.text() == "none" ? .none : .duration(try node.duration())
    case .choice(let words): return .text(try node.word(among: words))
    case .steps: return .steps(try ActorStep.list(node, budget: budget))
    case .pairs:
      var pairs: [(name: String, value: String)] = []
      for (name, value) in try node.entries() { for member in value.list() { pairs.append((name, try member.text())) } }
      return .pairs(pairs)
    case .shape(let shape): return .mapping(try shape.arguments(node, budget: budget))
    }
  }
}

extension ScriptNode {
  /// Returns the node's text, which must be one of the given words.
  func word(among known: [String]) throws(ScriptError) -> String {
    let text = try text()
    guard known.contains(text) else {
      let guess = ScriptError.suggestion(for: text, among: known).map { "Did you mean `\($0)`? " } ?? ""
      throw failure("unknown value `\(text)`", guess + "Write one of: \(known.joined(separator: ", ")).")
    }
    return text
  }
}
