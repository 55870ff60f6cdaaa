import XferEvents
import XferLifecycle
import XferReplay

/// Two writers whose clocks disagree.
struct WriterClockSkew: ProcessRule {
  private static let delivery = DeliveryID(1)
  private static let begun: [RuleExample.Step] = [
    .at(0, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.001, TaskCreated(type: .data)),
    .at(0.001, TaskResumed()), .at(0.9, TaskTransferred(received: 10, status: 200), by: .daemon),
  ]

  /// The steps in which one writer sends a completion and the app receives and handles it.
  private static func delivered(sent: Double, received: Double, by sender: ExampleProcess = .daemon) -> [RuleExample.Step] {
    [
      .at(sent, DeliverySent(task: .example, delivery: delivery, callback: .didComplete), by: sender),
      .at(received, DeliveryReceived(task: .example, delivery: delivery, callback: .didComplete)),
      .at(2, DeliveryEntered(task: .example, delivery: delivery, callback: .didComplete)),
      .at(2, DeliveryLeft(task: .example, delivery: delivery, callback: .didComplete)),
      .at(2, TaskCompleted(delivery: delivery, received: 10, status: 200)),
    ]
  }

  static let description = RuleDescription(
    id: "writer-clock-skew", severity: .notice,
    summary: "The clocks of two writers disagree: an effect was logged before its cause.",
    explanation: """
      Events of several writers are ordered by time, but a callback cannot arrive before it is sent, and a process cannot \
      start before it is launched. Such pairs carry the same id, which takes precedence over the time. If the times contradict \
      the ids, the writers do not share a clock, as in containers and virtual machines, or one of the times was made up. Every \
      duration between these two writers is wrong by the same amount.
      """,
    remedy: """
      Write both logs with the monotonic clock of the same boot. If one log was converted from another, check how its times \
      were computed.
      """,
    sources: [],
    isContractOnly: true,
    untriggerable: "All programs of a machine read the same clocks, and logs of several machines are never joined.",
    reports: [
      RuleExample(
        "a callback was received before it was sent", .possible, cites: [.deliverySent, .deliveryReceived],
        steps: begun + delivered(sent: 1, received: 0.95)),
      RuleExample(
        "a process started before it was launched", .possible, cites: [.wakeLaunched, .processStarted],
        .at(0, WakeWanted(session: "s", handler: HandlerID(3), wakeCause: .completion, pending: 1), by: .daemon),
        .at(
          2, WakeLaunched(session: "s", handler: HandlerID(3), launch: ExampleProcess.app.launch, executable: "app"),
          by: .daemon),
        .at(1, ProcessStarted(startReason: .transfer, executable: "app")),
        .at(3, WakeDelivered(session: "s", handler: HandlerID(3))),
        .at(3, SessionCreated(session: "s", sessionKind: .background)), .at(4, SessionEventsFinished(session: "s")),
        .at(5, WakeHandlerCalled(session: "s", handler: HandlerID(3), onMainThread: true))),
    ],
    staysSilent: [
      RuleExample("the callback was received after it was sent", steps: begun + delivered(sent: 1, received: 1.001)),
      RuleExample("the sender logged the callback two milliseconds late", steps: begun + delivered(sent: 1.002, received: 1)),
      RuleExample(
        "both events are from one writer, which has a single clock",
        steps: [.at(0, TaskCreated(type: .data)), .at(0, TaskResumed())] + delivered(sent: 1.5, received: 1, by: .app)),
    ])

  static let watches: Set<EventKind> = [.deliveryReceived, .processStarted]

  /// The largest skew that is not reported: a sender may log an event shortly after sending.
  var tolerance: Duration = .milliseconds(10)

  static let limits = [
    RuleLimit("tolerance", \Self.tolerance, "how much earlier than its cause an effect may be logged")
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let skew = process.log.skew, skew.size > tolerance else {
      return process.endFact == nil && !asked.isEndOfLog ? nil : .silent
    }
    return .finding(
      Draft(
        summary: """
          The event \(skew.effect.kind.name) of \(process.executable ?? "a process") was logged \
          \(skew.size.nanoseconds / 1_000_000) ms before its cause, \(skew.cause.kind.name).
          """,
        claim: .presence, evidence: skew.effect, [skew.cause]))
  }
}
