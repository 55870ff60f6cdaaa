import XferEvents
package import XferYAML

/// An error in a rule file, with its place, the problem and advice.
package struct RuleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A short, fixed code that is usable as the label of a metric.
  package enum Code: String, Sendable {
    case unreadable = "rules-unreadable"
    case syntax = "rules-syntax"
    case unknownKey = "rules-unknown-key"
    case missingKey = "rules-missing-key"
    case unknownEvent = "rules-unknown-event"
    case unknownField = "rules-unknown-field"
    case badValue = "rules-bad-value"
    case contradiction = "rules-contradiction"
    case unreachable = "rules-unreachable"
    case duplicateID = "rules-duplicate-id"
    case unknownLimit = "rules-unknown-limit"
  }

  package let code: Code
  /// The file, line and column of the error. `nil` for an error on the command line.
  package let place: SourcePlace?
  package let problem: String
  package let advice: String

  package init(code: Code, place: SourcePlace?, problem: String, advice: String) {
    self.code = code
    self.place = place
    self.problem = problem
    self.advice = advice
  }

  package var description: String {
    // A problem that shows a part of the file has several lines and its own full stop.
    "\(place.map { "\($0): " } ?? "")\(problem)\(problem.contains("\n") ? "" : ".")\n\(advice)"
  }
}

/// The errors in rule files, at most one for each rule.
package struct RuleErrors: Error, Equatable, Sendable, CustomStringConvertible {
  package let errors: [RuleError]
  package var description: String { errors.map(\.description).joined(separator: "\n") }
}

extension String {
  /// Returns advice with the names that are similar to `typed`. Without similar names, returns `all` or else a list of all names.
  static func near(_ typed: String, _ names: [String], all: String? = nil) -> String {
    let near = NearNames.of(typed, among: names)
    if !near.isEmpty { return "Did you mean \(near.joined(separator: " or "))?" }
    return all ?? "Use one of \(names.joined(separator: ", "))."
  }
}
