import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests of the reasons why a log is incomplete.
struct CompletenessTests {
  private static let started: RuleExample.Step = .at(0, ProcessStarted(executable: "app"))

  private static func incompleteness(_ steps: RuleExample.Step...) -> [String] {
    var diagnosis = Diagnosis(rules: [])
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.incompleteness
  }

  @Test func `A record torn by the kill of its writer makes a log incomplete`() {
    #expect(Self.incompleteness(Self.started, .gap(.torn, at: .seconds(1))) == ["1 torn record"])
  }

  @Test func `A record torn by the closing of the log does not make it incomplete`() {
    #expect(Self.incompleteness(Self.started, .at(1, LogClosed(dropped: 0)), .gap(.torn, at: .seconds(2))) == [])
  }
}
