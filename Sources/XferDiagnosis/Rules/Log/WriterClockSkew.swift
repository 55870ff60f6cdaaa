import XferEvents
import XferLifecycle
import XferReplay

/// An effect was written before its cause, by the clocks of their writers.
struct WriterClockSkew: ProcessRule {
  private static let delivery = DeliveryID(1)
  private static let begun: [RuleExample.Step] = [
    .at(0, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.001, TaskCreated(type: .data)),
    .at(0.001, TaskResumed()), .at(0.9, TaskTransferred(received: 10, status: 200), by: .daemon),
  ]
  private static let sent = DeliverySent(task: .example, delivery: delivery, callback: .didComplete)
  private static let received = DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)
  private static let handled: [RuleExample.Step] = [
    .at(2, DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete)),
    .at(2, DeliveryLeft(task: .example, delivery: delivery, callback: .didComplete)),
    .at(2, TaskCompleted(delivery: delivery, received: 10, status: 200)),
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
        "a callback arrived before it was sent", .possible, cites: [.deliverySent, .deliveryReceived],
        steps: begun + [.at(1, sent, by: .daemon), .at(0.95, received)] + handled),
      RuleExample(
        "a process began before it was launched", .possible, cites: [.wakeLaunched, .processStarted],
        .at(0, WakeWanted(session: "s", handler: HandlerID(3), wakeCause: .completion, pending: 1), by: .daemon),
        .at(
          2, WakeLaunched(session: "s", handler: HandlerID(3), launch: ExampleProcess.app.launch, executable: "app"), by: .daemon),
        .at(1, ProcessStarted(startReason: .transfer, executable: "app")),
        .at(3, WakeDelivered(session: "s", handler: HandlerID(3))),
        .at(3, SessionCreated(session: "s", sessionKind: .background)), .at(4, SessionEventsFinished(session: "s")),
        .at(5, WakeHandlerCalled(session: "s", handler: HandlerID(3), onMainThread: true))),
    ],
    staysSilent: [
      RuleExample(
        "sent and received in their order",
        steps: begun + [.at(1, sent, by: .daemon), .at(1.001, received)] + handled),
      RuleExample(
        "written a moment after it was sent",
        steps: begun + [.at(1.002, sent, by: .daemon), .at(1, received)] + handled),
      RuleExample(
        "one writer has one clock, however its threads are merged",
        steps: [.at(0, TaskCreated(type: .data)), .at(0, TaskResumed())] + [.at(1.5, sent), .at(1, received)] + handled),
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
