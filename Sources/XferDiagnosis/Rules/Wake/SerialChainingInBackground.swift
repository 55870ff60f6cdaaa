import XferEvents
import XferLifecycle
import XferReplay

/// Each wake makes one task, whose end is the next wake.
struct SerialChainingInBackground: TaskRule {
  private static let session = "default-1"

  /// The task that each wake makes begins so many seconds later; it has ended when the next one comes.
  private static func wakes(
    delays: [Int], made count: Int = 1, isSeen: Bool = false
  ) -> [RuleExample.Step] {
    let first: [RuleExample.Step] = [
      .at(0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
      .at(1, TaskCreated(type: .download, origin: .foreground)),
      .at(1, TaskResumed()),
      .at(1, AttemptStarted(attempt: 1)),
    ]
    return delays.enumerated().reduce(first) { steps, wake in
      let (place, start) = (UInt32(wake.offset + 1), Duration.seconds(600 * (wake.offset + 1)))
      let (ended, handler) = (TaskIdentity.example(place), HandlerID(UInt64(place)))
      let next = (0..<count).map { TaskIdentity.example(place + 1 + UInt32($0 * 100)) }
      func cited(_ event: some TransferEvent, at time: Duration) -> RuleExample.Step {
        .at(time, event)
      }
      var all = steps
      if isSeen, wake.offset == 1 {
        all.append(.at(start - .seconds(9), ProcessStateChanged(state: .foreground)))
        all.append(.at(start - .seconds(8), ProcessStateChanged(state: .background)))
      }
      all += [
        cited(WakeDelivered(session: session, handler: handler), at: start),
        .at(start, TaskTransferred(task: ended, received: 10, status: 200)),
        .at(start, DeliveryEntered(task: ended, delivery: DeliveryID(UInt64(place)), callback: .didComplete)),
      ]
      all += next.map { cited(TaskCreated(task: $0, type: .download, origin: .background), at: start) }
      all += next.map { .at(start, TaskResumed(task: $0)) }
      all += [
        .at(start, DeliveryLeft(task: ended, delivery: DeliveryID(UInt64(place)), callback: .didComplete)),
        .at(start, TaskCompleted(task: ended, delivery: DeliveryID(UInt64(place)), received: 10, status: 200)),
        .at(start + .seconds(1), SessionEventsFinished(session: session, instance: CorrelationID(1), handler: handler)),
        .at(start + .seconds(1), WakeHandlerCalled(session: session, handler: handler, onMainThread: true)),
      ]
      all += next.map { cited(AttemptStarted(task: $0, attempt: 1), at: start + .seconds(wake.element)) }
      return all
    }
  }

  static let description = RuleDescription(
    id: "serial-chaining-in-background", severity: .warning,
    summary: "Wake after wake, one task ended, one was made, and each had to wait longer than the one before.",
    explanation: """
      An app that makes the next task in the completion of the last one works in front of its user; in the background each \
      link costs a launch of the app, and the system lets what such wakes make wait longer and longer, to keep apps from \
      running all the time. A list of fifty small files that takes a minute in front takes hours, or seems to have stopped.
      """,
    remedy: """
      Make all tasks at once while the app is in front; the daemon carries them one after another without it. Where the next \
      request depends on the last answer, put the chain on the server's side, or wait until the user is back.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/14854", "https://github.com/Danie1s/Tiercel/issues/128",
      "https://www.github.com/danie1s/tiercel/issues/24",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "three links", .certain,
        cites: [
          .number(2, .taskCreated), .number(3, .taskCreated), .last(.taskCreated), .number(2, .attemptStarted),
          .number(3, .attemptStarted), .last(.attemptStarted), .wakeDelivered,
        ],
        steps: wakes(delays: [3, 8, 20]))
    ],
    staysSilent: [
      RuleExample("one request depends on another", steps: wakes(delays: [3, 8])),
      RuleExample("several are made in each wake", steps: wakes(delays: [3, 8, 20], made: 2)),
      RuleExample("none waits longer than the one before", steps: wakes(delays: [3, 3, 3])),
      RuleExample("the user had the app in front in between", steps: wakes(delays: [3, 8, 20], isSeen: true)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.chained)]
  static let watches: Set<EventKind> = [.attemptStarted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let links = task.incidents.chain
    guard let first = links.first, let last = links.last else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          In \(links.count) wakes in a row one task ended and one was made; \(task.identity.text), the last of them, waited \
          \(last.delay.inSeconds), the first one \(first.delay.inSeconds).
          """,
        claim: .presence, evidence: first.delivered,
        [first.created, first.started] + links.dropFirst().flatMap { [$0.delivered, $0.created, $0.started] }))
  }
}
