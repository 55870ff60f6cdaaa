package import XferDiagnosis
import XferEvents

/// The results of running the examples of user-defined rules, as text or as JSON.
package struct RuleTrials {
  private let trials: [RuleTrial]
  private let rules: Int

  package init(_ rules: [UserRule]) {
    self.rules = rules.count
    trials = rules.flatMap(RuleTrial.all)
  }

  package static let schema: StaticString = "xferlog.rule-trials/1"

  package var failed: Int { trials.count { $0.problem != nil } }

  package var totals: String {
    "\(rules.counted("rule")), \(trials.count - failed) of \(trials.count) examples passed"
  }

  package var text: String {
    let width = trials.map { TerminalText.width($0.rule) }.max() ?? 0
    let lines = trials.map { trial in
      let kind = trial.isReported ? "reports     " : "stays silent"
      let name = [trial.example, trial.problem].compactMap { $0 }.joined(separator: ": ")
      return "\(trial.problem == nil ? "pass" : "fail")  \(trial.rule.padded(to: width))  \(kind)  \(name)"
    }
    return (lines + [totals]).map { TerminalText.escaped($0) + "\n" }.joined()
  }

  /// Writes the document `{ "schema": "xferlog.rule-trials/1", "rules": 2, "passed": 5, "failed": 1, "trials": [...] }`.
  package func writeJSON(to json: inout JSONText) {
    json.beginObject()
    json.key("schema")
    json.string(Self.schema)
    json.member("rules", rules)
    json.member("passed", trials.count - failed)
    json.member("failed", failed)
    json.array("trials", trials) { trial, json in
      json.beginObject()
      json.member("rule", trial.rule)
      json.member("expected", trial.isReported ? "report" : "silence")
      json.member("example", trial.example)
      json.member("passed", trial.problem == nil)
      json.member("problem", trial.problem)
      json.endObject()
    }
    json.endObject()
  }
}
