import XferEvents

/// Why a file of rules cannot be used: where, what, and what to do.
package struct RuleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Short and fixed, fit for a metric's label.
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
  /// `nil` for what was given on the command line.
  package let place: SourcePlace?
  package let problem: String
  package let advice: String

  package init(code: Code, place: SourcePlace?, problem: String, advice: String) {
    self.code = code
    self.place = place
    self.problem = problem
    self.advice = advice
  }

  package var description: String { "\(place.map { "\($0): " } ?? "")\(problem).\n\(advice)" }
}

/// All that is wrong with some files: of each rule the first.
package struct RuleErrors: Error, Equatable, Sendable, CustomStringConvertible {
  package let errors: [RuleError]
  package var description: String { errors.map(\.description).joined(separator: "\n") }
}

extension String {
  /// What somebody may have meant, or all there is where that is short.
  static func near(_ typed: String, _ names: [String], all: String? = nil) -> String {
    let near = NearNames.of(typed, among: names)
    if !near.isEmpty { return "Did you mean \(near.joined(separator: " or "))?" }
    return all ?? "There are \(names.joined(separator: ", "))."
  }
}
