/// The options of a verb, by their names.
struct OptionTable {
  /// The headings of the help, each with its options.
  static let sections: [(heading: String, options: [OptionSpec])] = [
    ("What to ask for", asking), ("Who asks", identity), ("Where it goes", output), ("When it ends", ending),
    ("How it gets there", connection), ("Whom to trust", trust), ("The command", command),
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

  /// Says that there is no such option, and which one it may have been.
  func unknown(_ name: String) -> OptionProblem {
    let wanted = name.drop { $0 == "-" }
    let near = wanted.count < 3 ? nil : byName.keys.map { ($0.distance(to: wanted), $0) }.min { $0 < $1 }
    let hint = near.flatMap { $0.0 <= 2 || $0.1.hasPrefix(wanted) ? ". Did you mean '--\($0.1)'?" : nil }
    return OptionProblem("Unknown option '\(name)'\(hint ?? "")")
  }
}

extension String {
  /// Letters to change, add or remove.
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
