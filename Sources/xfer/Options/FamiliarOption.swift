/// Options of curl, wget and aria2 that this command names differently or does not need.
///
/// An option with only one possible meaning is accepted. An ambiguous option is rejected with a suggestion.
enum FamiliarOption {
  /// Returns the equivalent arguments of this command, and the number of following arguments that are values of the option.
  /// `nil` means that the word is not such an option.
  ///
  /// - Parameter next: The argument after the option.
  static func equivalent(
    of word: String, before next: String?, _ verb: Verb
  ) throws(OptionProblem) -> (words: [String], used: Int)? {
    let parts = word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) : [word[...]]
    let given = parts.count == 2 ? String(parts[1]) : nil
    // A number is not a URL, so it is the value of the option before it.
    let number = given ?? next.flatMap { isNumber($0) ? $0 : nil }
    let used = given == nil ? 1 : 0
    switch (String(parts[0]), verb) {
    case ("-Z", .get), ("-Z", .put), ("--parallel", .get), ("--parallel", .put):
      return number.map { (["--parallel-max", $0], used) } ?? ([], 0)
    case ("-Z", .request), ("--parallel", .request):
      // Without a number, the option is curl's own flag, which needs no translation.
      guard let number else { return nil }
      return (["--parallel", "--parallel-max", number], used)
    case ("-j", .get), ("-j", .put), ("--max-concurrent-downloads", .get):
      return number.map { (["--parallel-max", $0], used) }
    case ("--quiet", .get), ("--quiet", .put): return (["--silent"], 0)
    case ("--continue", .get): return (["--continue-at", "-"], 0)
    case ("--output-document", .get), ("--output-document", .request):
      return (given ?? next).map { (["--output", $0], used) }
    case ("--directory-prefix", .get), ("-P", .get): return (given ?? next).map { (["--output-dir", $0], used) }
    case ("-O", .get): return try output(next)
    default: break
    }
    if verb != .request, word.hasPrefix("-j"), isNumber(word.dropFirst(2)) {
      return (["--parallel-max", String(word.dropFirst(2))], 0)
    }
    if verb == .get, word.hasPrefix("-P"), word.count > 2 { return (["--output-dir", String(word.dropFirst(2))], 0) }
    return nil
  }

  /// Returns the arguments for a letter in a group of short options, such as `-fsSLO` or `-qO-`; `nil` for an unknown letter.
  ///
  /// - Parameter rest: The letters after this one in the group.
  static func equivalent(of letter: Character, before rest: Substring, _ verb: Verb) -> [String]? {
    switch (letter, verb) {
    case ("O", .get) where rest == "-": ["--output", "-"]
    case ("O", .get), ("Z", .get), ("Z", .put): []
    case ("q", .get), ("q", .put): ["--silent"]
    // In curl, the option skips a settings file. This command never reads that file, so the option has no effect.
    case ("q", .request): []
    default: nil
    }
  }

  /// Returns the meaning of `-O`, which takes no value in curl and a file's name in wget.
  private static func output(_ next: String?) throws(OptionProblem) -> (words: [String], used: Int)? {
    guard let next else { return ([], 0) }
    if next == "-" { return (["--output", "-"], 1) }
    if next.hasPrefix("-") || next.contains("://") { return ([], 0) }
    throw OptionProblem(
      "'-O \(next)' is ambiguous: a file is named after its URL without -O; to write to \(next) instead, use -o \(next)")
  }

  private static func isNumber(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
