import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Stories of the daemon that more than one rule could tell.
struct DaemonLifeTests {
  private static func diagnose(_ steps: [RuleExample.Step]) -> [Finding] {
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.findings
  }

  /// An app with two downloads that the first generation carries.
  private static let story: [RuleExample.Step] =
    [
      .event(ProcessStarted(startReason: .user, executable: "app"), at: .zero),
      .event(ProcessStarted(role: .daemon, startReason: .command, executable: "xferd"), at: .zero, by: .daemon),
      .event(DaemonStarted(generation: 1, version: "1.0"), at: .zero, by: .daemon),
      .event(LinkConnected(peer: ExampleProcess.daemon.launch, generation: 1), at: .milliseconds(1)),
      .event(SessionCreated(session: "default-1", sessionKind: .background), at: .milliseconds(1)),
    ]
    + ([1, 2] as [UInt32]).flatMap { number -> [RuleExample.Step] in
      [
        .event(TaskCreated(task: .example(number), type: .download), at: .milliseconds(2)),
        .event(TaskResumed(task: .example(number)), at: .milliseconds(3)),
        .event(AttemptStarted(task: .example(number), attempt: 1), at: .milliseconds(4), by: .daemon),
      ]
    }

  private static func again(with tasks: [TaskIdentity]) -> [RuleExample.Step] {
    [
      .event(ProcessStarted(role: .daemon, startReason: .restart, executable: "xferd"), at: .seconds(60), by: .nextLife),
      .event(DaemonStarted(generation: 2, version: "1.0"), at: .seconds(60), by: .nextLife),
      .event(
        DaemonRecovered(generation: 2, count: Int64(tasks.count), dropped: 0, tasks: tasks), at: .seconds(60), by: .nextLife),
    ]
  }

  private static let killed: [RuleExample.Step] = [
    .event(
      ProcessExitObserved(launch: ExampleProcess.daemon.launch, signal: 9, exitReason: .signal), at: .seconds(50)),
    .event(LinkDisconnected(peer: ExampleProcess.daemon.launch, generation: 1, reason: "closed"), at: .seconds(50)),
  ]
  private static let linked: [RuleExample.Step] = [
    .event(LinkConnected(peer: ExampleProcess.nextLife.launch, generation: 2), at: .seconds(80))
  ]

  @Test func `A crash of the daemon is told once, and the lost connection is no story of its own`() {
    let findings = Self.diagnose(Self.story + Self.killed + Self.again(with: [.example(1), .example(2)]) + Self.linked)
    #expect(findings.map(\.rule) == ["daemon-crash"])
  }

  @Test func `What the new generation does not list is lost, whichever process had spoken of it last`() {
    let spoken: [RuleExample.Step] = [.event(TaskResumed(task: .example(1)), at: .seconds(1))]
    let findings = Self.diagnose(Self.story + spoken + Self.killed + Self.again(with: [.example(2)]) + Self.linked)
    #expect(findings.map(\.rule).sorted() == ["daemon-crash", "daemon-restart-lost-tasks"])
    #expect(findings.first { $0.rule == "daemon-restart-lost-tasks" }?.tasks == [.example(1)])
  }

  @Test func `An inventory that is shorter than it says proves nothing`() {
    var steps = Self.story + Self.killed
    steps += Self.again(with: [.example(2)]).dropLast()
    steps.append(
      .event(DaemonRecovered(generation: 2, count: 2, dropped: 0, tasks: [.example(2)]), at: .seconds(60), by: .nextLife))
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    #expect(diagnosis.findings.allSatisfy { $0.rule != "daemon-restart-lost-tasks" })
    #expect(diagnosis.undecided.keys.contains { $0.rule == "daemon-restart-lost-tasks" })
  }

  @Test func `A loss of the link that both ends tell of is one`() {
    let both: [RuleExample.Step] = [
      .event(LinkDisconnected(peer: ExampleProcess.app.launch, generation: 1, reason: "closed"), at: .seconds(50), by: .daemon),
      .event(LinkDisconnected(peer: ExampleProcess.daemon.launch, generation: 1, reason: "reset"), at: .seconds(50)),
      .event(LinkConnected(peer: ExampleProcess.app.launch, generation: 1), at: .milliseconds(50_900), by: .daemon),
      .event(LinkConnected(peer: ExampleProcess.daemon.launch, generation: 1), at: .milliseconds(51_000)),
      .event(LogHeartbeatWritten(), at: .seconds(120)),
    ]
    #expect(Self.diagnose(Self.story + both).isEmpty)
  }

  @Test func `Who started a process and knows its number alone speaks of that process, and not of itself`() {
    var diagnosis = Diagnosis()
    let steps =
      Self.story + [
        .event(ProcessExitObserved(pid: 4001, signal: 11, exitReason: .signal, by: .daemon), at: .seconds(5), by: .daemon)
      ]
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    let processes = diagnosis.world.processes
    #expect(processes.first { $0.launch == ExampleProcess.app.launch }?.exitSignal == 11)
    #expect(processes.first { $0.launch == ExampleProcess.daemon.launch }?.endFact == nil)
  }
}
