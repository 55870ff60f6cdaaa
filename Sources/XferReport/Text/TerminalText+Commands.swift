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
    let pairs = line.utf8.withContiguousStorageIfAvailable { bytes in
      // A loop without an exit checks many bytes at once.
      var pairs: UInt8 = 0
      for place in bytes.indices.dropFirst() {
        let byte = bytes[place]
        pairs |= byte == bytes[place - 1] && (byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":")) ? 1 : 0
      }
      return pairs
    }
    return pairs != 0
  }
}
