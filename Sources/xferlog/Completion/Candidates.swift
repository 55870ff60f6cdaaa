import XferDiagnosis
import XferEvents
import XferPredicate
import XferQuery
import XferReading
import XferReport

/// The words that can stand at the cursor of a command line.
enum Candidates {
  /// The maximum number of words that a shell is offered.
  private static let most = 1000

  /// Returns the words that continue the word at the cursor.
  static func matching(_ words: [String], _ line: CompletionLine) -> [String] {
    Array(words.lazy.filter { $0.hasPrefix(line.prefix) }.prefix(most))
  }

  static func tasks(_ line: CompletionLine, _ surroundings: Surroundings) -> [String] {
    KnownSubjects(line.logs(surroundings.environment), surroundings).tasks
  }

  static func sessions(_ line: CompletionLine, _ surroundings: Surroundings) -> [String] {
    KnownSubjects(line.logs(surroundings.environment), surroundings).sessions
  }

  /// Returns the ids of all rules in force, with those of `--rules` on the line.
  static func rules(_ line: CompletionLine, _ surroundings: Surroundings) -> [String] {
    ruleSet(line, surroundings).descriptions.map(\.id)
  }

  /// Returns the limits of all rules in force, as `rule.limit=`.
  static func limits(_ line: CompletionLine, _ surroundings: Surroundings) -> [String] {
    let rules = ruleSet(line, surroundings)
    return rules.descriptions.flatMap { rule in rules.limitSettings(of: rule.id).map { "\(rule.id).\($0.name)=" } }
  }

  /// Rules that cannot be read are left out, because a completion cannot report them.
  private static func ruleSet(_ line: CompletionLine, _ surroundings: Surroundings) -> RuleSet {
    let environment = surroundings.environment
    let files = try? RuleSources.files(
      rules: line.values(of: "--rules").map { CompletionLine.expanded($0, environment) },
      config: line.values(of: "--config").last.map { CompletionLine.expanded($0, environment) }, environment: environment)
    return (try? RuleSources(files ?? [], limits: [], optionsText: []).rules) ?? .catalogue
  }

  static func events() -> [String] { EventKind.allCases.map(\.name) }

  // MARK: Queries

  /// Returns continuations of a query: fields, stages after `|`, and saved queries after `@`. A query is one word for the shell, so
  /// each candidate repeats its beginning.
  static func queries(_ line: CompletionLine, _ surroundings: Surroundings) -> [String] {
    let text = line.prefix
    if text.isEmpty || text.hasPrefix("@") {
      let config = line.values(of: "--config").last.map { CompletionLine.expanded($0, surroundings.environment) }
      let saved = (try? SavedQueries(config: config, environment: surroundings.environment).names) ?? []
      return saved.map { "@" + $0 } + (text.isEmpty ? fieldNames : [])
    }
    return conditions(line)
  }

  /// Returns continuations of a condition.
  static func conditions(_ line: CompletionLine) -> [String] {
    let text = line.prefix
    let start = text.lastIndex { !isPartOfName($0) }.map(text.index(after:)) ?? text.startIndex
    let before = text[..<start]
    // Quotation marks that are still open hold text and no names.
    if before.count(where: { $0 == "\"" }) % 2 == 1 { return [] }
    let isStage = before.last { !$0.isWhitespace } == "|"
    return (isStage ? QueryParser.stages : fieldNames).map { String(before) + $0 }
  }

  private static let fieldNames = FieldTable.all.map(\.name)

  private static func isPartOfName(_ letter: Character) -> Bool {
    letter.isLetter || letter.isNumber || "._-".contains(letter)
  }
}
