extension TerminalText {
  /// Returns a line of output in which no text is a command for a CI service. Services read commands from the output of programs: GitHub
  /// takes a line that begins with `::`, and several services take `##[`, `##vso[` or `##teamcity[` anywhere in a line.
  package static func withoutCommands(_ line: String) -> String {
    guard mayHaveCommand(line) else { return line }
    var scalars = Array(line.unicodeScalars)
    var isChanged = false
    for place in scalars.indices.dropFirst().reversed() where scalars[place] == "#" && scalars[place - 1] == "#" {
      let rest = scalars[(place + 1)...].drop { $0.isASCII && $0.properties.isAlphabetic }
      guard rest.first == "[" else { continue }
      scalars.replaceSubrange(place...place, with: "\\x23".unicodeScalars)
      isChanged = true
    }
    if let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }), scalars[first...].starts(with: "::".unicodeScalars)
    {
      scalars.replaceSubrange(first...first, with: "\\x3a".unicodeScalars)
      isChanged = true
    }
    return isChanged ? String(String.UnicodeScalarView(scalars)) : line
  }

  /// Whether a line has the same sign twice in a row with which commands begin.
  private static func mayHaveCommand(_ line: String) -> Bool {
    var previous: UInt8 = 0
    for byte in line.utf8 {
      if byte == previous, byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":") { return true }
      previous = byte
    }
    return false
  }
}
