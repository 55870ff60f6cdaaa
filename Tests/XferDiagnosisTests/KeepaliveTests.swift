import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// What an app does to be heard of, or to go on, in stories of more than one rule.
struct KeepaliveTests {
  private static func diagnose(_ steps: [RuleExample.Step]) -> Diagnosis {
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }

  private static let started: [RuleExample.Step] = [.event(ProcessStarted(startReason: .user, executable: "app"), at: .zero)]

  private static func exit(_ reason: ExitReason, signal: Int? = nil, code: Int? = nil, at time: Duration) -> RuleExample.Step {
    .event(
      ProcessExitObserved(launch: ExampleProcess.app.launch, code: code, signal: signal, exitReason: reason), at: time,
      by: .daemon)
  }

  private static let transfer: [RuleExample.Step] = [
    .event(SessionCreated(session: "default-1", sessionKind: .default), at: .milliseconds(1)),
    .event(TaskCreated(task: .example, type: .download), at: .milliseconds(2)),
    .event(TaskResumed(task: .example), at: .milliseconds(3)),
    .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(4)),
  ]

  @Test func `An overwritten number explains the kill, and the kill what died with it`() throws {
    let (first, second) = (CorrelationID(1), CorrelationID(2))
    let diagnosis = Self.diagnose(
      Self.started + Self.transfer + [
        .event(AppBeatExpected(name: "position", interval: .seconds(10), enabled: true), at: .milliseconds(900)),
        .event(DeadmanArmed(deadman: CorrelationID(9), name: "alarm", interval: .seconds(600)), at: .milliseconds(950)),
        .event(AssertionBegun(assertion: first, name: "a", slot: "task"), at: .seconds(1)),
        .event(AssertionBegun(assertion: second, name: "b", slot: "task"), at: .seconds(2)),
        .event(AssertionEnded(assertion: second, name: "b"), at: .seconds(5)),
        .event(AppBeatSent(name: "position"), at: .seconds(10)), .event(AppBeatSent(name: "position"), at: .seconds(20)),
        .event(AppBeatSent(name: "position"), at: .seconds(30)),
        .event(AssertionExpired(assertion: first, name: "a"), at: .seconds(31)),
        Self.exit(.signal, signal: 9, at: .seconds(36)),
        .event(DeadmanFired(deadman: CorrelationID(9), count: 1), at: .seconds(601), by: .daemon),
        .event(ProcessStarted(startReason: .user, executable: "app"), at: .seconds(700), by: .nextLife),
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
  func `A cancellation is told once, by the rule of its cause`(_ reason: CancelReason?) {
    let diagnosis = Self.diagnose(
      Self.started + Self.transfer + [
        .event(AttemptEnded(task: .example, attempt: 1, end: .cancelled), at: .seconds(5)),
        .event(TaskCompleted(task: .example, domain: .url, error: -999, cancelReason: reason), at: .seconds(5)),
        .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(6)),
      ])
    let told = diagnosis.findings.map(\.rule).filter { $0.hasSuffix("cancel") || $0.hasSuffix("cancelled") }
    let expected: [CancelReason: String] = [
      .userForceQuit: "force-quit-cancelled", .backgroundUpdatesDisabled: "background-updates-disabled-cancel",
      .insufficientResources: "insufficient-resources-cancel",
    ]
    #expect(told == (reason.map { expected[$0].map { [$0] } ?? [] } ?? ["unexplained-cancel"]))
  }

  @Test func `An alarm that rings again after it was armed anew is told again`() {
    let armed = DeadmanArmed(deadman: CorrelationID(9), name: "alarm", interval: .seconds(600))
    func fired(_ count: Int64) -> DeadmanFired { DeadmanFired(deadman: CorrelationID(9), count: count) }
    let diagnosis = Self.diagnose(
      Self.started + [
        .event(armed, at: .seconds(1)), .event(fired(1), at: .seconds(601), by: .daemon),
        .event(fired(2), at: .seconds(661), by: .daemon), .event(armed, at: .seconds(700)),
        .event(fired(1), at: .seconds(1300), by: .daemon), .event(LogHeartbeatWritten(), at: .seconds(1310)),
      ])
    #expect(diagnosis.findings.map(\.rule) == ["deadman-false-alarm", "deadman-false-alarm"])
    #expect(diagnosis.world.keepalives.count == 2)
  }

  @Test func `A number of background time that is given again is another one's`() {
    let id = CorrelationID(4)
    let diagnosis = Self.diagnose(
      Self.started + [
        .event(AssertionBegun(assertion: id, name: "a"), at: .seconds(1)), .event(AssertionEnded(assertion: id), at: .seconds(2)),
        .event(AssertionBegun(assertion: id, name: "b"), at: .seconds(3)),
        .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(4)),
      ])
    #expect(diagnosis.findings.map(\.rule) == ["assertion-leaked"])
    #expect(diagnosis.findings.first?.summary.contains("“b”") == true)
  }

  @Test func `Two programs may use one number`() {
    let id = CorrelationID(4)
    let diagnosis = Self.diagnose(
      Self.started + [
        .event(ProcessStarted(executable: "other"), at: .zero, by: .nextLife),
        .event(AssertionBegun(assertion: id, name: "mine", slot: "task"), at: .seconds(1)),
        .event(AssertionBegun(assertion: id, name: "theirs", slot: "task"), at: .seconds(1), by: .nextLife),
        .event(AssertionEnded(assertion: id), at: .seconds(2), by: .nextLife),
        .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(4), by: .nextLife),
        .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(5)),
      ])
    #expect(diagnosis.findings.map(\.rule) == ["assertion-leaked"])
    #expect(diagnosis.findings.first?.launch == ExampleProcess.app.launch)
  }

  @Test func `A task that is bound to its intent after it was made takes over all the same`() {
    let (foreground, background) = ("default-1", "com.example.photos")
    let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: foreground, number: 1)
    let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
    func diagnose(binding: Bool) -> [String] {
      var steps =
        Self.started + [
          .event(SessionCreated(session: foreground, sessionKind: .default), at: .milliseconds(1)),
          .event(SessionCreated(session: background, sessionKind: .background), at: .milliseconds(1)),
          .event(TaskCreated(task: first, type: .download), at: .milliseconds(2)),
          .event(AppIntentBound(intent: "photo-1", task: first, key: "uid"), at: .milliseconds(2)),
          .event(TaskResumed(task: first), at: .milliseconds(3)),
          .event(AttemptStarted(task: first, attempt: 1), at: .milliseconds(4)),
          .event(AssertionBegun(assertion: CorrelationID(5), name: "a"), at: .seconds(1)),
          .event(AssertionExpired(assertion: CorrelationID(5), name: "a"), at: .seconds(31)),
          .event(TaskCancelRequested(task: first, by: .app), at: .seconds(31)),
          .event(AttemptEnded(task: first, attempt: 1, end: .cancelled), at: .seconds(31)),
          .event(TaskCreated(task: second, type: .download), at: .seconds(31)),
        ]
      if binding { steps.append(.event(AppIntentBound(intent: "photo-1", task: second, key: "uid"), at: .seconds(31))) }
      steps += [
        .event(TaskResumed(task: second), at: .seconds(31)),
        .event(AssertionEnded(assertion: CorrelationID(5), name: "a"), at: .seconds(31)),
        .event(ProcessStateChanged(state: .suspended), at: .seconds(32)),
      ]
      return Self.diagnose(steps).findings.filter(\.counts).map(\.rule)
    }
    #expect(diagnose(binding: true) == [])
    #expect(diagnose(binding: false) == ["handoff-lost"])
  }

  @Test func `The app's own exit is no crash, no kill and no user's quit`() {
    let diagnosis = Self.diagnose(
      Self.started + [
        .event(SessionCreated(session: "default-1", sessionKind: .background), at: .milliseconds(1)),
        .event(TaskCreated(task: .example, type: .download), at: .milliseconds(2)),
        .event(TaskResumed(task: .example), at: .milliseconds(3)),
        .event(TriggerArmed(trigger: CorrelationID(2), triggerKind: .region, name: "wakeupinbg"), at: .seconds(1)),
        .event(ProcessStateChanged(state: .background), at: .seconds(2)),
        .event(ProcessExited(code: 0, exitReason: .exitCall), at: .seconds(2)),
        .event(
          ProcessExitObserved(launch: ExampleProcess.app.launch, code: 0, exitReason: .exitCall), at: .seconds(2), by: .daemon),
        .event(ProcessStarted(startReason: .user, executable: "app"), at: .seconds(5000), by: .nextLife),
      ])
    #expect(diagnosis.findings.map(\.rule) == [])
  }

  @Test func `A cancellation without a reason, after an exit with code 0 that a user's launch follows, is a user's quit`() {
    func told(by next: StartReason) -> [String] {
      Self.diagnose(
        Self.started + [
          .event(SessionCreated(session: "default-1", sessionKind: .background), at: .milliseconds(1)),
          .event(TaskCreated(task: .example, type: .download), at: .milliseconds(2)),
          .event(TaskResumed(task: .example), at: .milliseconds(3)), Self.exit(.unknown, code: 0, at: .seconds(5)),
          .event(ProcessStarted(startReason: next, executable: "app"), at: .seconds(90), by: .nextLife),
          .event(TaskAdopted(task: .example), at: .seconds(90), by: .nextLife),
          .event(TaskCompleted(task: .example, domain: .url, error: -999), at: .seconds(91), by: .nextLife),
        ]
      ).findings.map(\.rule)
    }
    #expect(told(by: .user) == ["force-quit-cancelled"])
    #expect(told(by: .transfer) == ["unexplained-cancel"])
  }
}
