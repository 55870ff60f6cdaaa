import XferYAML

extension Scenario {
  /// A scripted app of a scenario, which becomes a program of its own.
  package struct Actor: Sendable {
    package var name: String
    /// The checked script as YAML.
    package var yaml: String
  }
}

extension Scenario.Actor {
  static func list(_ node: ScriptNode) throws(ScriptError) -> [Self] {
    var actors: [Self] = []
    for (name, script) in try node.entries() {
      guard !name.isEmpty, name.utf8.count <= 64, name.first != ".",
        name.utf8.allSatisfy({ UnicodeScalar($0).properties.isAlphabetic || (48...57).contains($0) || [45, 46, 95].contains($0) })
      else {
        throw script.failure("`\(name)` cannot be the name of a program", "Write letters, digits, hyphens and underscores.")
      }
      _ = try ActorScript(script)
      actors.append(Self(name: name, yaml: script.node.flowText + "\n"))
    }
    return actors
  }
}

extension YAMLNode {
  /// The value in YAML's flow style, on one line.
  var flowText: String {
    switch content {
    case .scalar(let text, let isPlain): isPlain && isNull ? "null" : Self.quoted(text)
    case .list(let members): "[" + members.map(\.flowText).joined(separator: ", ") + "]"
    case .mapping(let pairs): "{" + pairs.map { "\($0.key.flowText): \($0.value.flowText)" }.joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case let other where other.value < 32 || 0x7F..<0xA0 ~= other.value || [0x85, 0x2028, 0x2029, 0xFEFF].contains(other.value):
        let digits = String(other.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      case let other: quoted.unicodeScalars.append(other)
      }
    }
    return quoted + "\""
  }
}
