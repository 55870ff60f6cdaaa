/// The options of a subcommand, indexed by name.
struct OptionTable {
  /// The sections of the help page, each with a heading and its options.
  static let sections: [(heading: String, options: [OptionSpec])] = [
    ("Request", asking), ("Identity", identity), ("Output", output), ("Failures, limits and retries", ending),
    ("Connection", connection), ("TLS and certificates", trust), ("Command", command),
  ]

  private let byName: [String: OptionSpec]
  private let byLetter: [Character: OptionSpec]

  init(_ verb: Verb) {
    let options = Self.sections.flatMap(\.options).filter { $0.verbs.contains(verb) }
    byName = Dictionary(uniqueKeysWithValues: options.map { ($0.long, $0) })
    byLetter = Dictionary(uniqueKeysWithValues: options.compactMap { option in option.short.map { ($0, option) } })
  }

  subscript(name: String) -> OptionSpec? { byName[name] }
  subscript(letter: Character) -> OptionSpec? { byLetter[letter] }

  /// Returns an error for an unknown option, with the most similar known option as a suggestion.
  func unknown(_ name: String) -> OptionProblem {
    let wanted = name.drop { $0 == "-" }
    let near = wanted.count < 3 ? nil : byName.keys.map { ($0.distance(to: wanted), $0) }.min { $0 < $1 }
    let hint = near.flatMap { $0.0 <= 2 || $0.1.hasPrefix(wanted) ? ". Did you mean '--\($0.1)'?" : nil }
    return OptionProblem("Unknown option '\(name)'\(hint ?? "")")
  }
}

extension String {
  /// Returns the edit distance to another text: the number of letters to change, insert or remove.
  fileprivate func distance(to other: Substring) -> Int {
    var row = Array(0...other.count)
    for (line, letter) in enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, wanted) in other.enumerated() {
        let cost = Swift.min(row[column] + 1, row[column + 1] + 1, diagonal + (letter == wanted ? 0 : 1))
        (diagonal, row[column + 1]) = (row[column + 1], cost)
      }
    }
    return row[other.count]
  }
}
