import Testing
import XferDiagnosis
import XferLifecycle
import XferPredicate

/// The words of fields whose values other targets define.
@Suite struct FieldWordsTests {
  @Test func `The words of subjects' fields are those that the replay gives`() {
    let expected = [
      "task.outcome": TaskLifecycle.Result.allCases.map(\.rawValue), "task.state": TaskLifecycle.State.allCases.map(\.rawValue),
      "process.end": ProcessLifecycle.End.allCases.map(\.rawValue),
    ]
    for (name, words) in expected { #expect(FieldTable.field(name)?.type.words.map(Set.init) == Set(words), "\(name)") }
    // The order of these words is that of their ranks.
    #expect(FieldTable.field("finding.severity")?.type.words == Severity.allCases.map(\.rawValue))
    #expect(FieldTable.field("finding.certainty")?.type.words == Certainty.allCases.map(\.rawValue))
  }
}
