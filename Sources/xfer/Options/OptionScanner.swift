/// Parses a command line as curl does: options and URLs in any order, grouped short options, values joined or separate.
struct OptionScanner {
  private let verb: Verb
  private let table: OptionTable
  /// Reads the text of a settings file named by `-K`.
  private let readFile: (String) throws(OptionProblem) -> String

  /// The maximum nesting of settings files, which stops files that include each other.
  private static let depthLimit = 8

  init(_ verb: Verb, readFile: @escaping (String) throws(OptionProblem) -> String) {
    self.verb = verb
    self.readFile = readFile
    table = OptionTable(verb)
  }

  func settings(_ words: [String]) throws(OptionProblem) -> CommandSettings {
    var settings = CommandSettings(verb)
    try scan(words, into: &settings, depth: 0)
    return settings
  }

  private func scan(_ words: [String], into settings: inout CommandSettings, depth: Int) throws(OptionProblem) {
    var words = words[...]
    while let word = words.popFirst() {
      if let familiar = try FamiliarOption.equivalent(of: word, before: words.first, verb) {
        words.removeFirst(familiar.used)
        try scan(familiar.words, into: &settings, depth: depth)
      } else if word == "--" {
        for word in words { addURL(word, to: &settings) }
        return
      } else if word.hasPrefix("--") {
        try long(word.dropFirst(2), &words, &settings, depth)
      } else if word.hasPrefix("-"), word.count > 1 {
        try short(word.dropFirst(), &words, &settings, depth)
      } else {
        addURL(word, to: &settings)
      }
    }
  }

  private func addURL(_ word: String, to settings: inout CommandSettings) {
    TypographicQuote.warn(about: word, place: "a URL")
    settings.current.urls.append(word)
  }

  private func long(
    _ text: Substring, _ words: inout ArraySlice<String>, _ settings: inout CommandSettings, _ depth: Int
  ) throws(OptionProblem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if let option = table[name] {
      if option.value == nil {
        guard parts.count == 1 else { throw OptionProblem("option '--\(name)' does not take a value") }
        return try take(option, .flag(true), &settings, depth)
      }
      guard let value = parts.count == 2 ? String(parts[1]) : words.popFirst() else { throw Self.noValue("--\(name)", option) }
      return try take(option, .value(value), &settings, depth)
    }
    if name.hasPrefix("no-"), let option = table[String(name.dropFirst(3))], option.value == nil {
      return try take(option, .flag(false), &settings, depth)
    }
    throw table.unknown("--\(name)")
  }

  private func short(
    _ letters: Substring, _ words: inout ArraySlice<String>, _ settings: inout CommandSettings, _ depth: Int
  ) throws(OptionProblem) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = table[letter] else {
        guard let words = FamiliarOption.equivalent(of: letter, before: letters, verb) else { throw table.unknown("-\(letter)") }
        try scan(words, into: &settings, depth: depth)
        // The remaining letters were used as the option's value.
        if words.count > 1 { return }
        continue
      }
      if option.value == nil {
        try take(option, .flag(true), &settings, depth)
        continue
      }
      guard let value = letters.isEmpty ? words.popFirst() : String(letters) else { throw Self.noValue("-\(letter)", option) }
      return try take(option, .value(value), &settings, depth)
    }
  }

  private static func noValue(_ name: String, _ option: OptionSpec) -> OptionProblem {
    OptionProblem("option '\(name)' needs a value: \(option.value ?? "")")
  }

  private func take(
    _ option: OptionSpec, _ argument: OptionSpec.Argument, _ settings: inout CommandSettings, _ depth: Int
  ) throws(OptionProblem) {
    if case .value(let text) = argument { TypographicQuote.warn(about: text, place: "the value of --\(option.long)") }
    guard option.long == "config" else { return try option.apply(&settings, argument) }
    guard depth < Self.depthLimit else { throw OptionProblem("\(argument.text): settings files include each other") }
    let file = SettingsFile(try readFile(argument.text))
    do throws(OptionProblem) {
      try scan(try file.words { table[$0]?.value != nil }, into: &settings, depth: depth + 1)
    } catch {
      throw OptionProblem("\(argument.text): \(error.text)", exitCode: error.exitCode)
    }
  }
}
