import XferEvents
import XferLifecycle
import XferReplay

/// A task that the app made in the background had to wait, because the app was woken too often.
struct ResumeRateLimited: TaskRule {
  private static func created(_ task: TaskIdentity = .example, origin: TaskOrigin = .background) -> TaskCreated {
    TaskCreated(task: task, type: .download, origin: origin)
  }
  /// Wakes an hour apart, in each of which one task is made, that begins so many seconds later.
  private static func wakes(delays: [Int], isSeen: Bool = false) -> [RuleExample.Step] {
    let made: RuleExample.Step = .at(
      0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .background))
    return [made]
      + delays.enumerated().flatMap { place, delay -> [RuleExample.Step] in
        let (start, task) = (Duration.seconds(3600 * (place + 1)), TaskIdentity.example(UInt32(place + 1)))
        let handler = HandlerID(UInt64(place + 1))
        let attempt = AttemptStarted(task: task, attempt: 1)
        let end = start + .seconds(delay)
        return [
          .at(start, WakeDelivered(session: "default-1", handler: handler)),
          .at(start, created(task)),
          .at(start, TaskResumed(task: task)),
          .at(start, SessionEventsFinished(session: "default-1", instance: CorrelationID(1), handler: handler)),
          .at(start + .seconds(1), WakeHandlerCalled(session: "default-1", handler: handler, onMainThread: true)),
          .at(end, attempt),
          .at(end, TaskTransferred(task: task, received: 10, status: 200)),
          .at(end, DeliveryEntered(task: task, delivery: DeliveryID(UInt64(place + 1)), callback: .didComplete)),
          .at(end, DeliveryLeft(task: task, delivery: DeliveryID(UInt64(place + 1)), callback: .didComplete)),
          .at(end, TaskCompleted(task: task, delivery: DeliveryID(UInt64(place + 1)), received: 10, status: 200)),
        ] + (isSeen && place == 0 ? [.at(end + .seconds(9), ProcessStateChanged(state: .foreground))] : [])
      }
  }
  private static func held(_ task: TaskIdentity = .example, _ hold: HoldReason = .wakeDelay) -> TaskHeld {
    TaskHeld(task: task, hold: hold, delay: .seconds(240))
  }

  static let description = RuleDescription(
    id: "resume-rate-limited", severity: .warning,
    summary: "A task that was made in the background had to wait for the app's wake limit.",
    explanation: """
      With each wake in which the app makes new background tasks, the system lets those wait longer: a minute, two, four, \
      eight. The delay ends when the user opens the app, or when it passes unused. It is meant for apps that chain their \
      transfers, one for each wake. Only the first task of a session that waits after a wake is reported; the others wait \
      with it.
      """,
    remedy: """
      Make all tasks at once, while the app is in front, in few sessions; the system carries them one after another by itself.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/14854", "https://forums.developer.apple.com/forums/thread/128813",
      "https://forums.developer.apple.com/forums/thread/124450",
    ],
    consequenceOf: ["relaunch-storm", "serial-chaining-in-background"],
    reports: [
      RuleExample(
        "held for four minutes", .certain, cites: [.taskCreated, .taskHeld],
        .at(0, created()), .at(0.001, TaskResumed()), .at(0.002, held()), .at(5, LogClosed())),
      RuleExample(
        "held with others, which are not told of", .certain, cites: [.first(.taskCreated), .first(.taskHeld)],
        .at(0, created()), .at(0, created(.example(2))), .at(0.001, TaskResumed()), .at(0.001, TaskResumed(task: .example(2))),
        .at(0.002, held()), .at(0.003, held(.example(2))), .at(5, LogClosed())),
      RuleExample(
        "nobody says why, but each wake's task takes twice as long to begin", .probable,
        cites: [.last(.taskCreated), .attemptStarted],
        steps: wakes(delays: [60, 121, 243])),
    ],
    staysSilent: [
      RuleExample("the delays of three wakes do not grow", steps: wakes(delays: [60, 62, 58])),
      RuleExample("the delays grow, but nobody waits for long", steps: wakes(delays: [1, 2, 4])),
      RuleExample("the user had the app in front between two wakes", steps: wakes(delays: [60, 121, 243], isSeen: true)),
      RuleExample(
        "made while the app was in front",
        .at(0, created(origin: .foreground)), .at(0.001, TaskResumed()), .at(0.002, held()), .at(5, LogClosed())),
      RuleExample(
        "it waits for a better time, as it may",
        .at(0, created()), .at(0.001, TaskResumed()), .at(0.002, held(.example, .discretionary)), .at(5, LogClosed())),
      RuleExample(
        "it waits for the network",
        .at(0, created()), .at(0.001, TaskResumed()), .at(0.002, held(.example, .network)), .at(5, LogClosed())),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.rateLimited)]
  static let watches: Set<EventKind> = [.taskHeld, .attemptStarted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let limit = task.rateLimit else { return asked.isTaskOver ? .silentSoFar : nil }
    let delay = limit.delay.map { " (\($0.inSeconds))" } ?? ""
    let summary = "Task \(task.identity.text), made in the background, had to wait for the app's wake limit\(delay)."
    if let held = limit.held {
      return .finding(Draft(summary: summary, claim: .presence, evidence: held, [task.created]))
    }
    guard let first = limit.starts.first?.started else { return .silent }
    return .finding(
      Draft(
        summary: summary, claim: .absence(since: first, shownBy: .coverage), evidence: first,
        limit.starts.dropFirst().map(\.started) + [task.created],
        missing: [.init(.taskHeld, dueBy: limit.starts.last?.started.moment)],
        unless: ["something else made the three tasks wait, each twice as long as the one before"]))
  }
}
