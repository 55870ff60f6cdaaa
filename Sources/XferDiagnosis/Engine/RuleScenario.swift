/// A scenario in which real processes trigger a rule, and its twin, which differs in one line and does not.
package struct RuleScenario: Sendable, Equatable {
  package let title: String
  package let twin: String
  /// The certainty of the finding in the scenario.
  package let certainty: Certainty

  /// The path of the scenario in the repository.
  package static func path(of rule: String) -> String { "\(directory)/\(rule).yaml" }

  /// The folder of the scenarios, named after their rules, in the repository.
  package static let directory = "Samples/Scenarios"
}
