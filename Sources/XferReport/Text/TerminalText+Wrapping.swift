extension TerminalText {
  /// Breaks a text into lines of at most `columns` columns, between words where possible. Runs of spaces within a line are kept.
  ///
  /// - Parameters:
  ///   - text: an escaped text.
  ///   - hang: the indentation of all lines but the first, at most half of `columns`.
  package static func wrapped(_ text: String, to columns: Int, hang: Int = 0) -> [String] {
    guard columns > 0, width(text) > columns else { return [text] }
    let hang = min(max(0, hang), columns / 2)
    var lines: [String] = []
    var (line, used, hasWord) = ("", 0, false)
    func breakLine() {
      lines.append(line)
      (line, used, hasWord) = (String(repeating: " ", count: hang), hang, false)
    }
    var rest = text[...]
    while !rest.isEmpty {
      let spaces = rest.prefix { $0 == " " }.count
      let word = rest.dropFirst(spaces).prefix { $0 != " " }
      rest = rest[word.endIndex...]
      let wordWidth = width(word)
      if hasWord, used + spaces + wordWidth > columns, hang + wordWidth <= columns || used + spaces >= columns {
        breakLine()
      } else if used > 0 || lines.isEmpty {
        let kept = hasWord || lines.isEmpty ? min(spaces, columns - 1 - used) : 0
        line += String(repeating: " ", count: max(0, kept))
        used += max(0, kept)
      }
      // A word that is wider than a line is broken anywhere.
      for scalar in word.unicodeScalars {
        let next = width(String(scalar))
        if used + next > columns, used > hang { breakLine() }
        line.unicodeScalars.append(scalar)
        used += next
      }
      hasWord = hasWord || !word.isEmpty
    }
    if hasWord || !line.allSatisfy({ $0 == " " }) { lines.append(line) }
    return lines
  }
}
