import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Tests of assertions, alarms, beats and hand-offs that concern more than one rule.
struct KeepaliveTests {
  private static func diagnose(_ steps: [RuleExample.Step]) -> Diagnosis {
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }

  private static let started: [RuleExample.Step] = [.at(0, ProcessStarted(startReason: .user, executable: "app"))]

  private static func exit(_ reason: ExitReason, signal: Int? = nil, code: Int? = nil, at time: Duration) -> RuleExample.Step {
    .at(time, ProcessExitObserved(launch: ExampleProcess.app.launch, code: code, signal: signal, exitReason: reason), by: .daemon)
  }

  private static let transfer: [RuleExample.Step] = [
    .at(0.001, SessionCreated(session: "default-1", sessionKind: .default)),
    .at(0.002, TaskCreated(task: .example, type: .download)),
    .at(0.003, TaskResumed(task: .example)),
    .at(0.004, AttemptStarted(task: .example, attempt: 1)),
  ]

  @Test func `An overwritten assertion ID explains the kill, and the kill explains its consequences`() throws {
    let (first, second) = (CorrelationID(1), CorrelationID(2))
    let diagnosis = Self.diagnose(
      Self.started + Self.transfer + [
        .at(0.9, AppBeatExpected(name: "position", interval: .seconds(10), enabled: true)),
        .at(0.95, DeadmanArmed(deadman: CorrelationID(9), name: "alarm", interval: .seconds(600))),
        .at(1, AssertionBegun(assertion: first, name: "a", slot: "task")),
        .at(2, AssertionBegun(assertion: second, name: "b", slot: "task")),
        .at(5, AssertionEnded(assertion: second, name: "b")),
        .at(10, AppBeatSent(name: "position")), .at(20, AppBeatSent(name: "position")),
        .at(30, AppBeatSent(name: "position")),
        .at(31, AssertionExpired(assertion: first, name: "a")),
        Self.exit(.signal, signal: 9, at: .seconds(36)),
        .at(601, DeadmanFired(deadman: CorrelationID(9), count: 1), by: .daemon),
        .at(700, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
      ])
    func place(_ rule: String) throws -> Int { try #require(diagnosis.findings.firstIndex { $0.rule == rule }, "\(rule)") }
    let root = try place("assertion-id-overwritten")
    let kill = try place("assertion-expired-kill")
    #expect(diagnosis.findings[kill].causedBy == root)
    #expect(diagnosis.findings[try place("crash-mid-transfer")].causedBy == kill)
    for rule in ["deadman-fired", "beat-missed"] {
      let cause = try #require(diagnosis.findings[try place(rule)].causedBy, "\(rule)")
      #expect(["assertion-expired-kill", "crash-mid-transfer", "deadman-fired"].contains(diagnosis.findings[cause].rule))
    }
    #expect(diagnosis.findings.filter(\.counts).map(\.rule) == ["assertion-id-overwritten"])
  }

  @Test(arguments: [CancelReason?.none, .userForceQuit, .backgroundUpdatesDisabled, .insufficientResources, .sizeLimit])
  func `A cancellation is reported once, by the rule for its reason`(_ reason: CancelReason?) {
    let diagnosis = Self.diagnose(
      Self.started + Self.transfer + [
        .at(5, AttemptEnded(task: .example, attempt: 1, end: .cancelled)),
        .at(5, TaskCompleted(task: .example, domain: .url, error: -999, cancelReason: reason)),
        .at(6, ProcessExited(code: 0, exitReason: .returned)),
      ])
    let told = diagnosis.findings.map(\.rule).filter { $0.hasSuffix("cancel") || $0.hasSuffix("cancelled") }
    let expected: [CancelReason: String] = [
      .userForceQuit: "force-quit-cancelled", .backgroundUpdatesDisabled: "background-updates-disabled-cancel",
      .insufficientResources: "insufficient-resources-cancel",
    ]
    #expect(told == (reason.map { expected[$0].map { [$0] } ?? [] } ?? ["unexplained-cancel"]))
  }

  @Test func `An alarm that fires again after it was re-armed is reported again`() {
    let armed = DeadmanArmed(deadman: CorrelationID(9), name: "alarm", interval: .seconds(600))
    func fired(_ count: Int64) -> DeadmanFired { DeadmanFired(deadman: CorrelationID(9), count: count) }
    let diagnosis = Self.diagnose(
      Self.started + [
        .at(1, armed), .at(601, fired(1), by: .daemon),
        .at(661, fired(2), by: .daemon), .at(700, armed),
        .at(1300, fired(1), by: .daemon), .at(1310, LogHeartbeatWritten()),
      ])
    #expect(diagnosis.findings.map(\.rule) == ["deadman-false-alarm", "deadman-false-alarm"])
    #expect(diagnosis.world.keepalives.count == 2)
  }

  @Test func `A reused assertion ID denotes a new assertion`() {
    let id = CorrelationID(4)
    let diagnosis = Self.diagnose(
      Self.started + [
        .at(1, AssertionBegun(assertion: id, name: "a")), .at(2, AssertionEnded(assertion: id)),
        .at(3, AssertionBegun(assertion: id, name: "b")),
        .at(4, ProcessExited(code: 0, exitReason: .exitCall)),
      ])
    #expect(diagnosis.findings.map(\.rule) == ["assertion-leaked"])
    #expect(diagnosis.findings.first?.summary.contains("“b”") == true)
  }

  @Test func `The same assertion ID in two processes denotes two assertions`() {
    let id = CorrelationID(4)
    let diagnosis = Self.diagnose(
      Self.started + [
        .at(0, ProcessStarted(executable: "other"), by: .nextLife),
        .at(1, AssertionBegun(assertion: id, name: "mine", slot: "task")),
        .at(1, AssertionBegun(assertion: id, name: "theirs", slot: "task"), by: .nextLife),
        .at(2, AssertionEnded(assertion: id), by: .nextLife),
        .at(4, ProcessExited(code: 0, exitReason: .exitCall), by: .nextLife),
        .at(5, ProcessExited(code: 0, exitReason: .exitCall)),
      ])
    #expect(diagnosis.findings.map(\.rule) == ["assertion-leaked"])
    #expect(diagnosis.findings.first?.launch == ExampleProcess.app.launch)
  }

  @Test func `A hand-off succeeds even if the new task is bound to its intent after its creation`() {
    let (foreground, background) = ("default-1", "com.example.photos")
    let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: foreground, number: 1)
    let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
    func diagnose(binding: Bool) -> [String] {
      var steps =
        Self.started + [
          .at(0.001, SessionCreated(session: foreground, sessionKind: .default)),
          .at(0.001, SessionCreated(session: background, sessionKind: .background)),
          .at(0.002, TaskCreated(task: first, type: .download)),
          .at(0.002, AppIntentBound(intent: "photo-1", task: first, key: "uid")),
          .at(0.003, TaskResumed(task: first)),
          .at(0.004, AttemptStarted(task: first, attempt: 1)),
          .at(1, AssertionBegun(assertion: CorrelationID(5), name: "a")),
          .at(31, AssertionExpired(assertion: CorrelationID(5), name: "a")),
          .at(31, TaskCancelRequested(task: first, by: .app)),
          .at(31, AttemptEnded(task: first, attempt: 1, end: .cancelled)),
          .at(31, TaskCreated(task: second, type: .download)),
        ]
      if binding { steps.append(.at(31, AppIntentBound(intent: "photo-1", task: second, key: "uid"))) }
      steps += [
        .at(31, TaskResumed(task: second)),
        .at(31, AssertionEnded(assertion: CorrelationID(5), name: "a")),
        .at(32, ProcessStateChanged(state: .suspended)),
      ]
      return Self.diagnose(steps).findings.filter(\.counts).map(\.rule)
    }
    #expect(diagnose(binding: true) == [])
    #expect(diagnose(binding: false) == ["handoff-lost"])
  }

  @Test func `An app that exits by itself is not reported as crashed, killed or quit by the user`() {
    let diagnosis = Self.diagnose(
      Self.started + [
        .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)),
        .at(0.002, TaskCreated(task: .example, type: .download)),
        .at(0.003, TaskResumed(task: .example)),
        .at(1, TriggerArmed(trigger: CorrelationID(2), triggerKind: .region, name: "wakeupinbg")),
        .at(2, ProcessStateChanged(state: .background)),
        .at(2, ProcessExited(code: 0, exitReason: .exitCall)),
        .at(2, ProcessExitObserved(launch: ExampleProcess.app.launch, code: 0, exitReason: .exitCall), by: .daemon),
        .at(5000, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
      ])
    #expect(diagnosis.findings.map(\.rule) == [])
  }

  @Test func `An unexplained cancellation after an exit with code 0 and a launch by the user is a force quit`() {
    func told(by next: StartReason) -> [String] {
      Self.diagnose(
        Self.started + [
          .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)),
          .at(0.002, TaskCreated(task: .example, type: .download)),
          .at(0.003, TaskResumed(task: .example)), Self.exit(.unknown, code: 0, at: .seconds(5)),
          .at(90, ProcessStarted(startReason: next, executable: "app"), by: .nextLife),
          .at(90, TaskAdopted(task: .example), by: .nextLife),
          .at(91, TaskCompleted(task: .example, domain: .url, error: -999), by: .nextLife),
        ]
      ).findings.map(\.rule)
    }
    #expect(told(by: .user) == ["force-quit-cancelled"])
    #expect(told(by: .transfer) == ["unexplained-cancel"])
  }
}
