import XferEvents

/// The tables in which a diagnosis looks up its rules. Making them takes as long as replaying some hundred events, so many logs share them.
package struct RuleTables: Sendable {
  let rules: [any DiagnosisRule]
  let users: [UserRule]
  let taskRules: TaskRules
  let subjectRules: SubjectRules
  /// The descriptions of all rules, in the order of `tallies`.
  let descriptions: [RuleDescription]
  let tallies: [Diagnosis.Tally]
  /// The rules whose findings explain those of a rule, by the rule's identifier. Rules without any are not listed.
  let causes: [String: [String]]
  /// The rules whose findings explain those of other rules, each with a number, which is compared and hashed faster than the name.
  let roots: [String: Int]

  package init(_ rules: [any DiagnosisRule], _ users: [UserRule] = []) {
    (self.rules, self.users) = (rules, users)
    taskRules = TaskRules(rules)
    subjectRules = SubjectRules(rules)
    descriptions = rules.map { type(of: $0).description } + users.map(\.description)
    tallies = descriptions.map { Diagnosis.Tally(rule: $0.id) }
    causes = Dictionary(uniqueKeysWithValues: descriptions.filter { !$0.consequenceOf.isEmpty }.map { ($0.id, $0.consequenceOf) })
    roots = Dictionary(uniqueKeysWithValues: Set(causes.values.joined()).enumerated().map { ($1, $0) })
  }

  /// The tables of the catalogue with its default limits.
  package static let catalogue = RuleTables(RuleCatalogue.rules)
}

extension RuleSet {
  package var tables: RuleTables {
    changes.isEmpty && users.isEmpty ? .catalogue : RuleTables(builtIn, users)
  }
}
