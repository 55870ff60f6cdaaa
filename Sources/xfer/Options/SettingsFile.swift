/// A file of options in the format of curl's `-K`: one option per line, with or without dashes, followed by its value after
/// whitespace, `=` or `:`. A quoted value may contain escapes. `#` starts a comment.
struct SettingsFile {
  private let text: String

  init(_ text: String) { self.text = text }

  /// - Parameter takesValue: Returns whether a long option takes a value.
  /// - Returns: The equivalent command-line arguments.
  func words(takesValue: (String) -> Bool) throws(OptionProblem) -> [String] {
    var words: [String] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = line.drop(while: \.isWhitespace)
      if line.isEmpty || line.first == "#" { continue }
      let isShort = line.hasPrefix("-") && !line.hasPrefix("--")
      let name = line.prefix { !$0.isWhitespace && !(!isShort && ($0 == "=" || $0 == ":")) }
      words.append(line.hasPrefix("-") ? String(name) : "--\(name)")
      var rest = line[name.endIndex...].drop(while: \.isWhitespace)
      if !isShort, rest.first == "=" || rest.first == ":" { rest = rest.dropFirst().drop(while: \.isWhitespace) }
      guard !rest.isEmpty else { continue }
      guard let value = Self.value(rest) else { throw OptionProblem("line \(number): a quoted value is not terminated") }
      if value.isEmpty, !takesValue(String(name.drop { $0 == "-" })) { continue }
      words.append(value)
    }
    return words
  }

  /// - Returns: The value, or `nil` when a quoted value is not terminated.
  private static func value(_ text: Substring) -> String? {
    guard text.first == "\"" else { return String(text.prefix { !$0.isWhitespace }) }
    var rest = text.dropFirst()
    var value = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return value
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        value.append(["n": "\n", "r": "\r", "t": "\t", "v": "\u{B}"][escaped] ?? escaped)
      default: value.append(character)
      }
    }
    return nil
  }
}
