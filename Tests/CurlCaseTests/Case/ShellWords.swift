/// Splitting of command lines into words as a shell does, with quotes and backslashes.
enum ShellWords {
  static func split(_ line: String) throws(CaseProblem) -> [String] {
    var words: [String] = []
    var word: String?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch character {
      case "'":
        guard let end = rest.firstIndex(of: "'") else { throw CaseProblem("a single quote is not closed") }
        word = (word ?? "") + rest[..<end]
        rest = rest[end...].dropFirst()
      case "\"": word = try (word ?? "") + quoted(&rest)
      case "\\":
        guard let next = rest.popFirst() else { throw CaseProblem("the command ends with a backslash") }
        word = (word ?? "") + String(next)
      case _ where character.isWhitespace:
        if let ended = word { words.append(ended) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// Removes the text up to and including the closing quote, and returns it without the quote.
  private static func quoted(_ rest: inout Substring) throws(CaseProblem) -> String {
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return text
      case "\\":
        guard let next = rest.popFirst() else { break }
        // Within double quotes, a backslash escapes only these characters.
        text += "\"\\$`".contains(next) ? String(next) : "\\\(next)"
      default: text.append(character)
      }
    }
    throw CaseProblem("a double quote is not closed")
  }
}
