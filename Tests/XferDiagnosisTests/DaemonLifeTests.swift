import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Tests of daemon failures that more than one rule could report.
struct DaemonLifeTests {
  private static func diagnose(_ steps: [RuleExample.Step]) -> [Finding] {
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.findings
  }

  /// An app with two downloads, carried by the daemon's first generation.
  private static let story: [RuleExample.Step] =
    [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(0, ProcessStarted(role: .daemon, startReason: .command, executable: "xferd"), by: .daemon),
      .at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon),
      .at(0.001, LinkConnected(peer: ExampleProcess.daemon.launch, generation: 1)),
      .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)),
    ]
    + ([1, 2] as [UInt32]).flatMap { number -> [RuleExample.Step] in
      [
        .at(0.002, TaskCreated(task: .example(number), type: .download)),
        .at(0.003, TaskResumed(task: .example(number))),
        .at(0.004, AttemptStarted(task: .example(number), attempt: 1), by: .daemon),
      ]
    }

  private static func again(with tasks: [TaskIdentity]) -> [RuleExample.Step] {
    [
      .at(60, ProcessStarted(role: .daemon, startReason: .restart, executable: "xferd"), by: .nextLife),
      .at(60, DaemonStarted(generation: 2, version: "1.0"), by: .nextLife),
      .at(60, DaemonRecovered(generation: 2, count: Int64(tasks.count), dropped: 0, tasks: tasks), by: .nextLife),
    ]
  }

  private static let killed: [RuleExample.Step] = [
    .at(50, ProcessExitObserved(launch: ExampleProcess.daemon.launch, signal: 9, exitReason: .signal)),
    .at(50, LinkDisconnected(peer: ExampleProcess.daemon.launch, generation: 1, reason: "closed")),
  ]
  private static let linked: [RuleExample.Step] = [
    .at(80, LinkConnected(peer: ExampleProcess.nextLife.launch, generation: 2))
  ]

  @Test func `A daemon crash is reported once, and the lost link is not reported in addition`() {
    let findings = Self.diagnose(Self.story + Self.killed + Self.again(with: [.example(1), .example(2)]) + Self.linked)
    #expect(findings.map(\.rule) == ["daemon-crash"])
  }

  @Test func `A task missing from the new generation's list is lost, whichever process wrote its last event`() {
    let spoken: [RuleExample.Step] = [.at(1, TaskResumed(task: .example(1)))]
    let findings = Self.diagnose(Self.story + spoken + Self.killed + Self.again(with: [.example(2)]) + Self.linked)
    #expect(findings.map(\.rule).sorted() == ["daemon-crash", "daemon-restart-lost-tasks"])
    #expect(findings.first { $0.rule == "daemon-restart-lost-tasks" }?.tasks == [.example(1)])
  }

  @Test func `A task list shorter than its stated count leaves lost tasks undecidable`() {
    var steps = Self.story + Self.killed
    steps += Self.again(with: [.example(2)]).dropLast()
    steps.append(
      .at(60, DaemonRecovered(generation: 2, count: 2, dropped: 0, tasks: [.example(2)]), by: .nextLife))
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    #expect(diagnosis.findings.allSatisfy { $0.rule != "daemon-restart-lost-tasks" })
    #expect(diagnosis.undecided.keys.contains { $0.rule == "daemon-restart-lost-tasks" })
  }

  @Test func `A short link loss that both ends record is not reported`() {
    let both: [RuleExample.Step] = [
      .at(50, LinkDisconnected(peer: ExampleProcess.app.launch, generation: 1, reason: "closed"), by: .daemon),
      .at(50, LinkDisconnected(peer: ExampleProcess.daemon.launch, generation: 1, reason: "reset")),
      .at(50.9, LinkConnected(peer: ExampleProcess.app.launch, generation: 1), by: .daemon),
      .at(51, LinkConnected(peer: ExampleProcess.daemon.launch, generation: 1)),
      .at(120, LogHeartbeatWritten()),
    ]
    #expect(Self.diagnose(Self.story + both).isEmpty)
  }

  @Test func `An exit observed by process ID ends that process and not the observer`() {
    var diagnosis = Diagnosis()
    let steps =
      Self.story + [
        .at(5, ProcessExitObserved(pid: 4001, signal: 11, exitReason: .signal, by: .daemon), by: .daemon)
      ]
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    let processes = diagnosis.world.processes
    #expect(processes.first { $0.launch == ExampleProcess.app.launch }?.exitSignal == 11)
    #expect(processes.first { $0.launch == ExampleProcess.daemon.launch }?.endFact == nil)
  }
}
