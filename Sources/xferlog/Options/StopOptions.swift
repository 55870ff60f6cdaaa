import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLogStore
import XferPredicate
import XferReading
import XferReport

/// Options that end the following of a log.
struct StopOptions: ParsableArguments {
  @Option(help: "Stop following after this time (for example 30s) and exit with 5.")
  var timeout: TimeSpan?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Follow until an event meets this condition of the query language, print the event, and exit with 0 (repeatable: any of them).",
      valueName: "condition"), completion: .condition)
  var untilEvent: [String] = []

  @Option(
    help: ArgumentHelp(
      "Follow until there is a certain or probable finding, with =RULE or =SEVERITY one of these, and exit with 1.",
      valueName: "limit"), completion: .rule)
  var exitOnFinding: String?

  /// Returns a command line in which `--exit-on-finding` without a value has one. ArgumentParser would take the next argument for the
  /// value, which is the log.
  static func completed(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let option = "--exit-on-finding"
    return arguments[..<end].map { $0 == option ? "\(option)=\(Severity.notice.rawValue)" : $0 } + arguments[end...]
  }

  /// Whether an option asks to wait, so that the log is followed.
  var isGiven: Bool { timeout != nil || !untilEvent.isEmpty || exitOnFinding != nil }

  /// Throws if a word that is meant as the limit of `--exit-on-finding` would be taken for a log that does not exist yet.
  func checkLimit(isNotAmong logs: [String]) throws {
    guard exitOnFinding != nil else { return }
    for word in logs where Severity(rawValue: word) != nil || RuleSet.catalogue.description(word) != nil {
      guard case .nothing = LogRecognition(path: word) else { continue }
      throw CommandExit(.wrongUsage, "write --exit-on-finding=\(word), without a space, or ./\(word) if it is a log")
    }
  }

  /// - Parameter rules: the rules in force; `nil` if there are no findings.
  func condition(_ surroundings: Surroundings, rules: RuleSet?) throws -> StopCondition {
    StopCondition(event: try event(surroundings), finding: try exitOnFinding.map { try limit($0, rules) })
  }

  private func event(_ surroundings: Surroundings) throws -> EventTest? {
    guard !untilEvent.isEmpty else { return nil }
    let context = QueryContext(surroundings, isFollowing: true)
    do throws(QueryError) {
      var conditions: [Predicate] = []
      for text in untilEvent {
        let condition = try PredicateParser.predicate(text, context)
        if condition == .everything {
          throw QueryError(.syntax, text, 0..<0, "the condition is empty", "Write one, for example event=task.completed.")
        }
        conditions.append(condition)
      }
      return EventTest(.any(conditions))
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
  }

  private func limit(_ text: String, _ rules: RuleSet?) throws -> FindingLimit {
    guard let rules else {
      throw CommandExit(.wrongUsage, "--exit-on-finding and --no-findings cannot be combined; leave out one of the two options")
    }
    if let severity = Severity(rawValue: text) { return .severity(severity) }
    if rules.description(text) != nil { return .rule(text) }
    let severities = Severity.allCases.map(\.rawValue)
    let near = NearNames.of(text, among: severities + rules.descriptions.map(\.id))
    let advice =
      near.isEmpty
      ? "The severities are \(severities.joined(separator: ", ")); `xferlog rules list` lists all rules."
      : "Did you mean \(near.joined(separator: " or "))?"
    throw CommandExit(.wrongUsage, "'\(text)' is neither a severity nor a rule. \(advice)")
  }
}
