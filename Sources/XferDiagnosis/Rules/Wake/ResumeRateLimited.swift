import XferEvents
import XferLifecycle
import XferReplay

/// A task that was created in the background was delayed because the app was woken too often.
struct ResumeRateLimited: TaskRule {
  private static func story(origin: TaskOrigin = .background, _ hold: HoldReason = .wakeDelay) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, origin: origin)), .at(0.001, TaskResumed()),
      .at(0.002, TaskHeld(hold: hold, delay: .seconds(240))), .at(5, LogClosed()),
    ]
  }

  /// Returns wakes that are an hour apart. Each wake creates one task, which begins after the delay with the wake's index.
  ///
  /// - Parameter delays: in seconds.
  private static func wakes(delays: [Int], isSeen: Bool = false) -> [RuleExample.Step] {
    let instance = CorrelationID(1)
    let created: RuleExample.Step = .at(
      0, SessionCreated(session: "default-1", instance: instance, sessionKind: .background))
    return [created]
      + delays.enumerated().flatMap { place, delay -> [RuleExample.Step] in
        let (start, number) = (Duration.seconds(3600 * (place + 1)), UInt64(place + 1))
        let (task, handler, delivery) = (TaskIdentity.example(UInt32(number)), HandlerID(number), DeliveryID(number))
        let end = start + .seconds(delay)
        return [
          .at(start, WakeDelivered(session: "default-1", handler: handler)),
          .at(start, TaskCreated(task: task, type: .download, origin: .background)), .at(start, TaskResumed(task: task)),
          .at(start, SessionEventsFinished(session: "default-1", instance: instance, handler: handler)),
          .at(start + .seconds(1), WakeHandlerCalled(session: "default-1", handler: handler, onMainThread: true)),
          .at(end, AttemptStarted(task: task, attempt: 1)), .at(end, TaskTransferred(task: task, received: 10, status: 200)),
          .at(end, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
          .at(end, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
          .at(end, TaskCompleted(task: task, delivery: delivery, received: 10, status: 200)),
        ] + (isSeen && place == 0 ? [.at(end + .seconds(9), ProcessStateChanged(state: .foreground))] : [])
      }
  }

  static let description = RuleDescription(
    id: "resume-rate-limited", severity: .warning,
    summary: "The system delayed a task that was created in the background, because the app had been woken too often.",
    explanation: """
      With each wake in which the app creates new background tasks, the system doubles the delay of such tasks: one minute, \
      two, four, eight. The delay is reset when the user opens the app, or when the delay passes without another such wake. It \
      limits apps that chain their transfers, one per wake. Only the first delayed task of a session after a wake is reported; \
      the other tasks wait with it.
      """,
    remedy: """
      Create all tasks at once, while the app is in the foreground, in few sessions; the system carries them one after another \
      without the app.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/14854", "https://forums.developer.apple.com/forums/thread/128813",
      "https://forums.developer.apple.com/forums/thread/124450",
    ],
    consequenceOf: ["relaunch-storm", "serial-chaining-in-background"],
    reports: [
      RuleExample("the task was held for four minutes", .certain, cites: [.taskCreated, .taskHeld], steps: story()),
      RuleExample(
        "two tasks were held, and only the first is reported", .certain, cites: [.first(.taskCreated), .first(.taskHeld)],
        .at(0, TaskCreated(type: .download, origin: .background)),
        .at(0, TaskCreated(task: .example(2), type: .download, origin: .background)), .at(0.001, TaskResumed()),
        .at(0.001, TaskResumed(task: .example(2))), .at(0.002, TaskHeld(hold: .wakeDelay, delay: .seconds(240))),
        .at(0.003, TaskHeld(task: .example(2), hold: .wakeDelay, delay: .seconds(240))), .at(5, LogClosed())),
      RuleExample(
        "the log records no hold, but the delay doubles with each wake", .probable,
        cites: [.last(.taskCreated), .attemptStarted], steps: wakes(delays: [60, 121, 243])),
    ],
    staysSilent: [
      RuleExample("the delays of three wakes do not grow", steps: wakes(delays: [60, 62, 58])),
      RuleExample("the delays grow but are short", steps: wakes(delays: [1, 2, 4])),
      RuleExample("the app was in the foreground between two wakes", steps: wakes(delays: [60, 121, 243], isSeen: true)),
      RuleExample("the task was created in the foreground", steps: story(origin: .foreground)),
      RuleExample("the task is held as discretionary", steps: story(.discretionary)),
      RuleExample("the task waits for the network", steps: story(.network)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.rateLimited)]
  static let watches: Set<EventKind> = [.taskHeld, .attemptStarted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let limit = task.rateLimit else { return asked.isTaskOver ? .silentSoFar : nil }
    let delay = limit.delay.map { " (\($0.inSeconds))" } ?? ""
    let summary = """
      Task \(task.identity.label), created in the background, was delayed\(delay) because the app had been woken too often.
      """
    if let held = limit.held {
      return .finding(Draft(summary: summary, claim: .presence, evidence: held, [task.created]))
    }
    guard let first = limit.starts.first?.started else { return .silent }
    return .finding(
      Draft(
        summary: summary, claim: .absence(since: first, shownBy: .coverage), evidence: first,
        limit.starts.dropFirst().map(\.started) + [task.created],
        missing: [.init(.taskHeld, dueBy: limit.starts.last?.started.moment)],
        unless: ["something else delayed the tasks, each twice as long as the one before"]))
  }
}
