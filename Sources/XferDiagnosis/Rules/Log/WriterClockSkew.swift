import XferEvents
import XferLifecycle
import XferReplay

/// An effect was written before its cause, by the clocks of their writers.
struct WriterClockSkew: ProcessRule {
  private static let delivery = DeliveryID(1)
  private static let begun: [RuleExample.Step] = [
    .event(SessionCreated(session: "default-1", sessionKind: .background), at: .zero),
    .event(TaskCreated(task: .example, type: .data), at: .milliseconds(1)),
    .event(TaskResumed(task: .example), at: .milliseconds(1)),
    .event(TaskTransferred(task: .example, received: 10, status: 200), at: .milliseconds(900), by: .daemon),
  ]
  private static let sent = DeliverySent(task: .example, delivery: delivery, callback: .didComplete)
  private static let received = DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)
  private static let handled: [RuleExample.Step] = [
    .event(DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete), at: .seconds(2)),
    .event(DeliveryLeft(task: .example, delivery: delivery, callback: .didComplete), at: .seconds(2)),
    .event(TaskCompleted(task: .example, delivery: delivery, received: 10, status: 200), at: .seconds(2)),
  ]

  static let description = RuleDescription(
    id: "writer-clock-skew", severity: .notice,
    summary: "Two writers’ clocks disagree: something was received before it was sent.",
    explanation: """
      Events of several writers are put in order by time, but a callback cannot arrive before it is sent, and a process cannot \
      start before it is launched: such pairs carry the same id, and the id counts for more than the clock. Where the clocks \
      say the opposite they are not one clock, as in containers and virtual machines, or one of the times was made up. Every \
      duration between these two writers is wrong by as much.
      """,
    remedy: """
      Write both logs with the monotonic clock of the same boot. Where a log was made from another one, look at how its times \
      were made.
      """,
    sources: [],
    isContractOnly: true,
    reports: [
      RuleExample(
        "a callback arrived before it was sent", certainty: .possible,
        steps: begun + [
          .evidence(sent, at: .seconds(1), by: .daemon), .evidence(received, at: .milliseconds(950)),
        ] + handled),
      RuleExample(
        "a process began before it was launched", certainty: .possible,
        .event(WakeWanted(session: "s", handler: HandlerID(3), wakeCause: .completion, pending: 1), at: .zero, by: .daemon),
        .evidence(
          WakeLaunched(session: "s", handler: HandlerID(3), launch: ExampleProcess.app.launch, executable: "app"),
          at: .seconds(2), by: .daemon),
        .evidence(ProcessStarted(startReason: .transfer, executable: "app"), at: .seconds(1)),
        .event(WakeDelivered(session: "s", handler: HandlerID(3)), at: .seconds(3)),
        .event(SessionCreated(session: "s", sessionKind: .background), at: .seconds(3)),
        .event(SessionEventsFinished(session: "s"), at: .seconds(4)),
        .event(WakeHandlerCalled(session: "s", handler: HandlerID(3), onMainThread: true), at: .seconds(5))),
    ],
    staysSilent: [
      RuleExample(
        "sent and received in their order",
        steps: begun + [.event(sent, at: .seconds(1), by: .daemon), .event(received, at: .milliseconds(1001))] + handled),
      RuleExample(
        "written a moment after it was sent",
        steps: begun + [.event(sent, at: .milliseconds(1002), by: .daemon), .event(received, at: .seconds(1))] + handled),
      RuleExample(
        "one writer has one clock, however its threads are merged",
        steps: [.event(TaskCreated(task: .example, type: .data), at: .zero), .event(TaskResumed(task: .example), at: .zero)] + [
          .event(sent, at: .milliseconds(1500)), .event(received, at: .seconds(1)),
        ] + handled),
    ])

  static let watches: Set<EventKind> = [.deliveryReceived, .processStarted]

  /// Who sends may write of it a moment later.
  var tolerance: Duration = .milliseconds(10)

  static let limits = [
    RuleLimit("tolerance", \Self.tolerance, "how much earlier than its cause an effect may be written")
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let skew = process.log.skew, skew.size > tolerance else {
      return process.endFact == nil && !asked.isEndOfLog ? nil : .silent
    }
    return .finding(
      Draft(
        summary: """
          \(skew.effect.kind.name) of \(process.executable ?? "a process") is \(skew.size.nanoseconds / 1_000_000) ms earlier than \
          the \(skew.cause.kind.name) that caused it.
          """,
        claim: .presence, evidence: skew.effect, [skew.cause]))
  }
}
