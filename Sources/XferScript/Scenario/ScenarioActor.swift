import XferYAML

extension Scenario {
  /// A scripted app of a scenario, which becomes a program of its own.
  package struct Actor: Sendable {
    package var name: String
    /// The checked script as YAML, with the lines of the scenario file.
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
      actors.append(Self(name: name, yaml: FlowText(script.node).text))
    }
    return actors
  }
}

/// A writer of YAML in flow style that keeps the line of each value, and its column where there is room, so that places of the
/// written text are places of the original.
private struct FlowText {
  private(set) var text = ""
  private var (line, column) = (1, 1)

  init(_ node: YAMLNode) {
    write(node)
    append("\n")
  }

  private mutating func append(_ part: String) {
    text += part
    column += part.unicodeScalars.count
  }

  private mutating func move(to place: SourcePlace) {
    if place.line > line {
      text += String(repeating: "\n", count: place.line - line)
      (line, column) = (place.line, 1)
    }
    if place.line == line, place.column > column { append(String(repeating: " ", count: place.column - column)) }
  }

  private mutating func write(_ node: YAMLNode) {
    move(to: node.place)
    switch node.content {
    case .scalar(let text, let isPlain): append(isPlain && node.isNull ? "null" : Self.quoted(text))
    case .list(let members):
      append("[")
      for member in members {
        write(member)
        append(",")
      }
      append("]")
    case .mapping(let pairs):
      append("{")
      for (key, value) in pairs {
        write(key)
        append(":")
        write(value)
        append(",")
      }
      append("}")
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
      case let other
      where other.value < 32 || 0x7F..<0xA0 ~= other.value || [0x85, 0x2028, 0x2029, 0xFEFF].contains(other.value):
        let digits = String(other.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      case let other: quoted.unicodeScalars.append(other)
      }
    }
    return quoted + "\""
  }
}
