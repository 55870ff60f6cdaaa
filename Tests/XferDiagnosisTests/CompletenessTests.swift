import Testing
import XferEvents

@testable import XferDiagnosis

/// What makes a log incomplete, and what only looks so.
struct CompletenessTests {
  private static let started: RuleExample.Step = .at(0, ProcessStarted(executable: "app"))

  private static func incompleteness(_ steps: RuleExample.Step...) -> [String] {
    var diagnosis = Diagnosis(rules: [])
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.incompleteness
  }

  @Test func `A record that was torn when its writer was killed is missing`() {
    #expect(Self.incompleteness(Self.started, .gap(.torn, at: .seconds(1))) == ["1 torn record"])
  }

  @Test func `A record that was torn when the log was closed is not`() {
    #expect(Self.incompleteness(Self.started, .at(1, LogClosed(dropped: 0)), .gap(.torn, at: .seconds(2))) == [])
  }
}
