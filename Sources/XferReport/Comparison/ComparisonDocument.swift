import XferDiagnosis
import XferEvents
import XferLifecycle
package import XferQuery

/// A comparison of two runs, and their inputs.
package struct ComparisonDocument: Sendable {
  package struct Run: Sendable {
    /// The inputs as the user named them.
    package let name: String
    package let inputs: [ReplayDocument.Input]
    /// The reasons why the run's log is incomplete; empty for a complete log.
    package let incompleteness: [String]

    package init(name: String, inputs: [ReplayDocument.Input], incompleteness: [String]) {
      self.name = name
      self.inputs = inputs
      self.incompleteness = incompleteness
    }
  }

  package let comparison: RunComparison
  package let first: Run
  package let second: Run

  package init(_ comparison: RunComparison, first: Run, second: Run) {
    self.comparison = comparison
    self.first = first
    self.second = second
  }

  /// The number of differences and of tasks as a sentence.
  package var summary: String {
    let tasks = comparison.aligned.counted("task")
    if comparison.count == 0 { return "no difference: \(tasks) aligned" }
    return "\(comparison.count.counted("difference")); \(tasks) aligned"
  }

}

extension RunComparison.TaskChange {
  /// The task's labels in both runs.
  var labels: String { [first?.identity.label, second?.identity.label].compactMap { $0 }.joined(separator: " → ") }

  /// The request of the task, for people.
  var name: String { (second ?? first)?.name ?? "" }

  /// The kind of the difference as people read it.
  var kindText: String {
    switch kind {
    case .onlyInFirst: "only in A"
    case .onlyInSecond: "only in B"
    case .changed: "changed"
    }
  }

  /// The outcome, the states and the times that differ, each with a label. The findings are not among them.
  var details: [(label: String, text: String)] {
    var details: [(label: String, text: String)] = []
    if let outcomeText { details.append(("outcome", outcomeText)) }
    // The states that only one run has, with the sign of the run.
    let steps = lostSteps.map { "−\($0)" } + newSteps.map { "+\($0)" }
    if !steps.isEmpty { details.append(("states", steps.joined(separator: ", "))) }
    return details + times.map { ($0.stage.word, $0.text) }
  }

  /// The outcome of a task that only one run has, or the change `succeeded → lost`; `nil` if the outcomes are the same.
  private var outcomeText: String? {
    guard let first, let second else { return (first ?? second)?.outcomeText }
    return outcomeChanged ? "\(first.outcomeText) → \(second.outcomeText)" : nil
  }
}

extension TaskProfile {
  var outcomeText: String { reason.map { "\(outcome.rawValue) (\($0))" } ?? outcome.rawValue }
}

extension RunComparison.TimeChange {
  var text: String { "\(first.short) → \(second.short) (noise ±\(noise.short))" }
}

extension RunComparison.StageShift {
  var text: String { "median of \(tasks.counted("task")): \(first.short) → \(second.short)" }
}

extension RunComparison.FindingChange {
  var text: String {
    "\(run == .first ? "−" : "+")\(finding.severity.rawValue) \(finding.rule) (\(finding.certainty.rawValue)): \(finding.summary)"
  }
}

extension ComparedStage {
  /// The stage's name for people.
  var word: String { self == .firstByte ? "first byte" : rawValue }
}
