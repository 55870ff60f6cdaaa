import XferEvents
import XferLifecycle
import XferReplay

/// A task that the app made in the background had to wait, because the app was woken too often.
struct ResumeRateLimited: TaskRule {
  private static func created(_ task: TaskIdentity = .example, origin: TaskOrigin = .background) -> TaskCreated {
    TaskCreated(task: task, type: .download, origin: origin)
  }
  private static func held(_ task: TaskIdentity = .example, _ hold: HoldReason = .wakeDelay) -> TaskHeld {
    TaskHeld(task: task, hold: hold, delay: .seconds(240))
  }

  static let description = RuleDescription(
    id: "resume-rate-limited", severity: .warning,
    summary: "A task that was made in the background had to wait for the app's wake limit.",
    explanation: """
      With each wake in which the app makes new background tasks, the system lets those wait longer: a minute, two, four, eight. The \
      delay ends when the user opens the app, or when it passes unused. It is meant for apps that chain their transfers, one for \
      each wake. Only the first task of a session that waits after a wake is reported; the others wait with it.
      """,
    remedy: """
      Make all tasks at once, while the app is in front, in few sessions; the system carries them one after another by itself.
      """,
    sources: [
      "https://developer.apple.com/forums/thread/14854", "https://forums.developer.apple.com/forums/thread/128813",
      "https://forums.developer.apple.com/forums/thread/124450",
    ],
    consequenceOf: ["relaunch-storm"],
    reports: [
      RuleExample(
        "held for four minutes", certainty: .certain,
        .evidence(created(), at: .zero), .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .evidence(held(), at: .milliseconds(2)), .event(LogClosed(), at: .seconds(5))),
      RuleExample(
        "held with others, which are not told of", certainty: .certain,
        .evidence(created(), at: .zero), .event(created(.example(2)), at: .zero),
        .event(TaskResumed(task: .example), at: .milliseconds(1)), .event(TaskResumed(task: .example(2)), at: .milliseconds(1)),
        .evidence(held(), at: .milliseconds(2)), .event(held(.example(2)), at: .milliseconds(3)), .event(LogClosed(), at: .seconds(5))),
    ],
    staysSilent: [
      RuleExample(
        "made while the app was in front",
        .event(created(origin: .foreground), at: .zero), .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .event(held(), at: .milliseconds(2)), .event(LogClosed(), at: .seconds(5))),
      RuleExample(
        "it waits for a better time, as it may",
        .event(created(), at: .zero), .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .event(held(.example, .discretionary), at: .milliseconds(2)), .event(LogClosed(), at: .seconds(5))),
      RuleExample(
        "it waits for the network",
        .event(created(), at: .zero), .event(TaskResumed(task: .example), at: .milliseconds(1)),
        .event(held(.example, .network), at: .milliseconds(2)), .event(LogClosed(), at: .seconds(5))),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.taskHeld)]
  static let watches: Set<EventKind> = [.taskHeld]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let limit = task.rateLimit else { return asked.isTaskOver ? .silentSoFar : nil }
    let delay = limit.delay.map { " (\($0.inSeconds))" } ?? ""
    return .finding(
      Draft(
        summary: "Task \(task.identity.text), made in the background, waits for the app's wake limit\(delay).",
        claim: .presence, evidence: limit.held, [task.created]))
  }
}
