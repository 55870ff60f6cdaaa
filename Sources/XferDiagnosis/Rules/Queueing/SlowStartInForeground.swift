import XferEvents
import XferLifecycle
import XferReplay

/// A background task took its time to begin while its user was looking.
struct SlowStartInForeground: TaskRule {
  private static func story(
    _ kind: SessionKind = .background, origin: TaskOrigin = .foreground, begins second: Int = 10, held: HoldReason? = nil,
    leaves: Bool = false
  ) -> [RuleExample.Step] {
    let created = TaskCreated(type: .download, origin: origin)
    let resumed = TaskResumed()
    let started = AttemptStarted(attempt: 1)
    func step(_ event: some TransferEvent, at time: Duration) -> RuleExample.Step {
      .at(time, event)
    }
    let hold: [RuleExample.Step] =
      held.map {
        [
          .at(2, TaskHeld(hold: $0, host: "example.com", slotsUsed: 6, slots: 6)),
          .at(.seconds(second), TaskHoldEnded(hold: $0)),
        ]
      } ?? []
    return [
      .at(0, ProcessStateChanged(state: .foreground)),
      .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: kind)),
      step(created, at: .seconds(1)), step(resumed, at: .seconds(1)),
    ] + (leaves ? [.at(3, ProcessStateChanged(state: .background))] : []) + hold + [
      step(started, at: .seconds(second))
    ]
  }

  static let description = RuleDescription(
    id: "slow-start-in-foreground", severity: .warning,
    summary: "A background session took seconds to begin a task, with the app in front and nothing that held the task.",
    explanation: """
      Each task of a background session goes to a daemon, is written down there, and begins when the daemon finds time, in a \
      process that knows nothing of the user in front of the screen. That costs seconds where a default session begins at \
      once, and it adds up over many small requests. It is the right price for what has to go on without the app, and the \
      wrong one for what somebody waits for.
      """,
    remedy: """
      Use a default session for what the user waits for, and move what is not done to the background when the app goes there. \
      Put many small transfers into one.
      """,
    sources: [
      "https://forums.developer.apple.com/forums/thread/124450", "https://developer.apple.com/forums/thread/71207",
    ],
    needsWholeLog: true,
    consequenceOf: ["resume-rate-limited"],
    reports: [
      RuleExample(
        "nine seconds", .certain, cites: [.taskCreated, .taskResumed, .attemptStarted],
        steps: story())
    ],
    staysSilent: [
      RuleExample("it began within five", steps: story(begins: 5)),
      RuleExample("all connections were taken", steps: story(held: .hostSlots)),
      RuleExample("the network was away", steps: story(held: .network)),
      RuleExample("a default session", steps: story(.default)),
      RuleExample("made in the background", steps: story(origin: .background)),
      RuleExample("the app had left the front meanwhile", steps: story(leaves: true)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.slowStart)]
  static let watches: Set<EventKind> = [.attemptStarted]

  /// A default session takes milliseconds.
  var patience: Duration = .seconds(5)

  static let limits = [RuleLimit("patience", \Self.patience, "how long a task may take to begin; tenths of a second at least")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let started = task.firstAttempt, let resumed = task.resumed, let created = task.created else {
      return asked.isTaskOver ? .silent : nil
    }
    // What has happened to the app since is no longer how it was.
    guard task.attemptCount == 1, task.attempt?.ended == nil, task.lastHold == nil, task.origin == .foreground,
      let delay = resumed.duration(to: started), delay > patience, world.sessionKind(of: task) == .background,
      task.owner.map({ world.processes[$0].state }) ?? .foreground == .foreground
    else { return .silent }
    return .finding(
      Draft(
        summary: "Task \(task.identity.text) of a background session took \(delay.inSeconds) to begin, with the app in front.",
        claim: .presence, evidence: created, [resumed, started]))
  }
}
