import XferDiagnosis
import XferEvents
import XferRules

/// Rule files as text, for tests to modify.
enum WrittenRules {
  /// Returns a file with one rule. `body` begins in line 8.
  static func rule(_ body: String, id: String = "mine", scope: String = "task") -> String {
    """
    rules:
      - id: \(id)
        severity: error
        summary: "what {task} says"
        explanation: why it is bad
        remedy: what to do
        per: \(scope)
    \(body.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n"))

    """
  }

  static func compile(_ yaml: String) throws(RuleErrors) -> RuleSet {
    try RuleSet([RuleFile(name: "rules.yaml", bytes: Array(yaml.utf8))])
  }

  /// Returns the failed trials of the rules' own examples as `name: problem`.
  static func problems(_ yaml: String) throws(RuleErrors) -> [String] {
    try compile(yaml).users.flatMap(RuleTrial.all).compactMap { trial in
      trial.problem.map { "\(trial.example ?? "-"): \($0)" }
    }
  }

  static func diagnose(_ rules: RuleSet, _ members: [LogMember]) -> Diagnosis {
    var diagnosis = Diagnosis(rules: rules.builtIn, userRules: rules.users)
    for member in members { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }
}
