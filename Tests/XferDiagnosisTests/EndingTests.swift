import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis
@testable import XferQuery

/// Tests that the observation of a process's end is not taken for the time of its end.
struct EndingTests {
  private static let launch = ExampleProcess.app.launch
  private static let wake = HandlerID(3)
  private static let session = "com.example.maps"

  private static func diagnosed(_ steps: [RuleExample.Step]) -> Diagnosis {
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }

  private static func noticed(at seconds: Double, _ reason: ExitReason = .signal, signal: Int? = 9) -> RuleExample.Step {
    .at(seconds, ProcessExitObserved(launch: launch, signal: signal, exitReason: reason, by: .daemon), by: .daemon)
  }

  @Test func `The end lies between the last sign of life and its observation`() throws {
    let started: RuleExample.Step = .at(0, ProcessStarted(executable: "app"))
    let noted: RuleExample.Step = .at(3, AppNoted(message: "still here"))
    func life(_ steps: RuleExample.Step...) throws -> ProcessLifecycle {
      try #require(Self.diagnosed(steps).world.processes.first { $0.launch == Self.launch })
    }
    let killed = try life(started, noted, Self.noticed(at: 60))
    #expect(killed.endWasNoticed)
    let begun = try #require(killed.started)
    #expect(killed.livedAtLeast(after: begun) == .seconds(3))
    #expect(killed.livedAtMost(after: begun) == .seconds(60))
    #expect(killed.endedAfter?.wall.map { $0.nanoseconds - begun.wall!.nanoseconds } == 3_000_000_000)

    let linked = try life(
      started, noted, .at(5, LinkDisconnected(peer: Self.launch, reason: "closed"), by: .daemon), Self.noticed(at: 60))
    #expect(linked.livedAtLeast(after: try #require(linked.started)) == .seconds(5), "the link was still there")

    let exited = try life(
      started, .at(7, ProcessExited(code: 0, exitReason: .returned)), Self.noticed(at: 60, .returned, signal: nil))
    #expect(!exited.endWasNoticed && exited.endedAfter == nil)
    #expect(exited.livedAtLeast(after: try #require(exited.started)) == .seconds(7))

    let unseen = try life(.at(0, DaemonStarted(generation: 1), by: .daemon), Self.noticed(at: 60))
    #expect(unseen.endedAfter == nil && unseen.endWasNoticed)
  }

  @Test func `The time of an end in words is an interval`() {
    let (early, late) = (WallTime(nanoseconds: 1_780_000_000_000_000_000), WallTime(nanoseconds: 1_780_000_002_500_000_000))
    #expect(EndTime(after: early, noticed: late).text == "between 20:26:40.000Z and 20:26:42.500Z")
    #expect(EndTime(after: nil, noticed: late).text == "at or before 20:26:42.500Z")
    #expect(EndTime(after: late, noticed: late).text == "at 20:26:42.500Z")
  }

  // MARK: Rules

  private static let woken: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .transfer, background: true, executable: "app")),
    .at(0.01, WakeDelivered(session: session, handler: wake)),
    .at(0.02, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
    .at(
      1,
      DeliveryEntered(
        task: TaskIdentity(uid: TaskUID(high: 1, low: 1), session: session, number: 1), delivery: DeliveryID(1),
        callback: .didComplete)),
  ]

  /// The next life of the app, woken again for the same session.
  private static func nextLife(calls: Bool) -> [RuleExample.Step] {
    [
      .at(200, ProcessStarted(startReason: .transfer, background: true, executable: "app"), by: .nextLife),
      .at(200.01, WakeDelivered(session: session, handler: HandlerID(4)), by: .nextLife),
      .at(200.02, SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .background), by: .nextLife),
    ]
      + (calls
        ? [
          .at(201, SessionEventsFinished(session: session, instance: CorrelationID(2), handler: HandlerID(4)), by: .nextLife),
          .at(201.1, WakeHandlerCalled(session: session, handler: HandlerID(4), onMainThread: true), by: .nextLife),
        ] : [])
      + [.at(300, ProcessExited(code: 0, exitReason: .exitCall), by: .nextLife)]
  }

  private static func missed(_ steps: [RuleExample.Step]) -> [Finding] {
    diagnosed(steps).findings.filter {
      $0.rule == "missed-completion-handler" && $0.wake == wake && $0.certainty >= .probable
    }
  }

  @Test(arguments: [ExitReason.memoryPressure, .signal, .missing, .rebooted, .watchdog])
  func `A wake that the end of its process cut short is no missed handler if a later life handled the events`(
    _ reason: ExitReason
  ) {
    // The end is noticed long after the wake's time, which proves nothing about the time of the end.
    let cut = Self.woken + [Self.noticed(at: 199, reason)]
    #expect(Self.missed(cut + Self.nextLife(calls: true)).isEmpty)
    #expect(Self.missed(cut + Self.nextLife(calls: false)).map(\.variant) == ["process ended first"])
  }

  @Test func `A process that outlived the wake's time missed the handler, whatever a later life did`() {
    let steps = Self.woken + [.at(60, AppNoted(message: "busy")), Self.noticed(at: 199)] + Self.nextLife(calls: true)
    #expect(Self.missed(steps).count == 1)
  }

  @Test func `A correction is shown when a later life handles the events`() {
    var diagnosis = Diagnosis()
    var shown: [Finding] = []
    for member in RuleExample("", steps: Self.woken + [Self.noticed(at: 5)] + Self.nextLife(calls: true)).members() {
      shown += diagnosis.apply(member).map { diagnosis.findings[$0] }.filter { $0.rule == "missed-completion-handler" }
    }
    #expect(shown.map(\.isWithdrawn) == [false, true])
    #expect(shown.last?.lowered == ["a later launch of the app handled the events"])
  }

  @Test func `A wake's time has not run out because the kill was noticed late`() {
    let steps = Self.woken + [Self.noticed(at: 199)]
    #expect(!Self.diagnosed(steps).findings.contains { $0.rule == "wake-window-expired" })
    let late = Self.woken + [.at(60, AppNoted(message: "busy")), Self.noticed(at: 199)]
    #expect(Self.diagnosed(late).findings.contains { $0.rule == "wake-window-expired" })
  }
}
