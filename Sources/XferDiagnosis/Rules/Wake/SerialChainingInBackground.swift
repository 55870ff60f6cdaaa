import XferEvents
import XferLifecycle
import XferReplay

/// Each wake creates one task, whose completion causes the next wake.
struct SerialChainingInBackground: TaskRule {
  /// Returns one wake for each delay. In each wake, the previous task ends, and `count` new tasks are created, which begin after the
  /// wake's delay.
  private static func wakes(delays: [Int], made count: Int = 1, isSeen: Bool = false) -> [RuleExample.Step] {
    let (session, instance) = ("default-1", CorrelationID(1))
    let first: [RuleExample.Step] = [
      .at(0, SessionCreated(session: session, instance: instance, sessionKind: .background)),
      .at(1, TaskCreated(type: .download, origin: .foreground)), .at(1, TaskResumed()), .at(1, AttemptStarted(attempt: 1)),
    ]
    return delays.enumerated().reduce(first) { steps, wake in
      let (place, start) = (UInt32(wake.offset + 1), Duration.seconds(600 * (wake.offset + 1)))
      let (ended, handler, delivery) = (TaskIdentity.example(place), HandlerID(UInt64(place)), DeliveryID(UInt64(place)))
      let next = (0..<count).map { TaskIdentity.example(place + 1 + UInt32($0 * 100)) }
      var all = steps
      if isSeen, wake.offset == 1 {
        all.append(.at(start - .seconds(9), ProcessStateChanged(state: .foreground)))
        all.append(.at(start - .seconds(8), ProcessStateChanged(state: .background)))
      }
      all += [
        .at(start, WakeDelivered(session: session, handler: handler)),
        .at(start, TaskTransferred(task: ended, received: 10, status: 200)),
        .at(start, DeliveryEntered(task: ended, delivery: delivery, callback: .didComplete)),
      ]
      all += next.map { .at(start, TaskCreated(task: $0, type: .download, origin: .background)) }
      all += next.map { .at(start, TaskResumed(task: $0)) }
      all += [
        .at(start, DeliveryLeft(task: ended, delivery: delivery, callback: .didComplete)),
        .at(start, TaskCompleted(task: ended, delivery: delivery, received: 10, status: 200)),
        .at(start + .seconds(1), SessionEventsFinished(session: session, instance: instance, handler: handler)),
        .at(start + .seconds(1), WakeHandlerCalled(session: session, handler: handler, onMainThread: true)),
      ]
      all += next.map { .at(start + .seconds(wake.element), AttemptStarted(task: $0, attempt: 1)) }
      return all
    }
  }

  static let description = RuleDescription(
    id: "serial-chaining-in-background", severity: .warning,
    summary: """
      In each of several consecutive wakes, one task ended and one was created, and each new task waited longer to start \
      than the previous one.
      """,
    explanation: """
      Creating the next task in the completion of the last one works in the foreground. In the background each link of the \
      chain costs a launch of the app, and the system delays the tasks of such wakes longer each time, to keep apps from \
      running permanently. A list of fifty small files that takes a minute in the foreground takes hours, or seems to have \
      stopped.
      """,
    remedy: """
      Create all tasks at once while the app is in the foreground; the daemon then performs them without launching the app for \
      each one. If a request depends on the previous response, move the chain to the server, or wait until the user opens the \
      app.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/14854", "https://github.com/Danie1s/Tiercel/issues/128",
      "https://www.github.com/danie1s/tiercel/issues/24",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "three wakes with growing delays", .certain,
        cites: [
          .number(2, .taskCreated), .number(3, .taskCreated), .last(.taskCreated), .number(2, .attemptStarted),
          .number(3, .attemptStarted), .last(.attemptStarted), .wakeDelivered,
        ],
        steps: wakes(delays: [3, 8, 20]))
    ],
    staysSilent: [
      RuleExample("only two wakes", steps: wakes(delays: [3, 8])),
      RuleExample("each wake created several tasks", steps: wakes(delays: [3, 8, 20], made: 2)),
      RuleExample("the delays do not grow", steps: wakes(delays: [3, 3, 3])),
      RuleExample("the app was in the foreground between two wakes", steps: wakes(delays: [3, 8, 20], isSeen: true)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.chained)]
  static let watches: Set<EventKind> = [.attemptStarted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let links = task.incidents.chain
    guard let first = links.first, let last = links.last else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          In each of \(links.count) consecutive wakes, one task ended and one was created. The first new task waited \
          \(first.delay.inSeconds) to start, the last one (\(task.identity.label)) \(last.delay.inSeconds).
          """,
        claim: .presence, evidence: first.delivered,
        [first.created, first.started] + links.dropFirst().flatMap { [$0.delivered, $0.created, $0.started] }))
  }
}
