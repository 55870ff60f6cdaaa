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

  private static let absent = LaunchID(high: 0xABCD, low: 1)

  @Test func `A log that lacks the log of a connected process is incomplete`() {
    #expect(
      Self.incompleteness(Self.started, .at(1, LinkConnected(peer: Self.absent, generation: 1)))
        == ["the log of the daemon (launch \(Self.absent)) is missing"])
    #expect(
      Self.incompleteness(
        .at(0, DaemonStarted(generation: 1), by: .daemon), .at(1, LinkConnected(peer: Self.absent), by: .daemon),
        .at(9, ProcessExitObserved(launch: Self.absent, pid: 77, exitReason: .signal, executable: "/bin/kettle"), by: .daemon))
        == ["the log of kettle (pid 77) is missing"])
  }

  @Test func `A process without a log is not missed`() {
    #expect(
      Self.incompleteness(
        .at(0, DaemonStarted(generation: 1), by: .daemon), .at(1, LinkConnected(), by: .daemon),
        .at(2, LinkConnected(peer: ExampleProcess.app.launch), by: .daemon), .at(3, AppNoted(message: "here"))) == [])
  }

  @Test func `A process whose log retention removed is not missed`() {
    #expect(
      Self.incompleteness(
        .at(0, DaemonStarted(generation: 1), by: .daemon), .at(1, LinkConnected(peer: Self.absent), by: .daemon),
        .at(5, LogSegmentsRemoved(count: 1, until: WallTime(nanoseconds: 1_780_000_002_000_000_000), segment: 1), by: .daemon))
        == [])
  }
}
