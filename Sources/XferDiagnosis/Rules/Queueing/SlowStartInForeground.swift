import XferEvents
import XferLifecycle
import XferReplay

/// A background session took seconds to begin a task while the app was in the foreground.
struct SlowStartInForeground: TaskRule {
  private static func story(
    _ kind: SessionKind = .background, origin: TaskOrigin = .foreground, begins seconds: Double = 10, held: HoldReason? = nil,
    leaves: Bool = false
  ) -> [RuleExample.Step] {
    var steps: [RuleExample.Step] = [
      .at(0, ProcessStateChanged(state: .foreground)),
      .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: kind)),
      .at(1, TaskCreated(type: .download, origin: origin)), .at(1, TaskResumed()),
    ]
    if leaves { steps.append(.at(3, ProcessStateChanged(state: .background))) }
    if let held {
      steps.append(.at(2, TaskHeld(hold: held, host: "example.com", slotsUsed: 6, slots: 6)))
      steps.append(.at(seconds, TaskHoldEnded(hold: held)))
    }
    return steps + [.at(seconds, AttemptStarted(attempt: 1))]
  }

  static let description = RuleDescription(
    id: "slow-start-in-foreground", severity: .warning,
    summary:
      "A background session took seconds to begin a task, although the app was in the foreground and nothing held the task back.",
    explanation: """
      A background session passes each task to a daemon, which stores it and starts it later, in a process that does not know \
      that a user is waiting. That takes seconds where a default session begins at once, and the delays add up over many small \
      requests. The delay is acceptable for transfers that must continue without the app, but not for those that a user waits \
      for.
      """,
    remedy: """
      Use a default session for transfers that the user waits for, and move unfinished ones to a background session when the \
      app goes to the background. Combine many small transfers into one.
      """,
    sources: [
      "https://forums.developer.apple.com/forums/thread/124450", "https://developer.apple.com/forums/thread/71207",
    ],
    needsWholeLog: true,
    consequenceOf: ["resume-rate-limited"],
    reports: [
      RuleExample(
        "the task began after nine seconds", .certain, cites: [.taskCreated, .taskResumed, .attemptStarted], steps: story())
    ],
    staysSilent: [
      RuleExample("the task began within five seconds", steps: story(begins: 5)),
      RuleExample("all connections to the host were in use", steps: story(held: .hostSlots)),
      RuleExample("no network was available", steps: story(held: .network)),
      RuleExample("the session is a default session", steps: story(.default)),
      RuleExample("the task was created in the background", steps: story(origin: .background)),
      RuleExample("the app had left the foreground before the task began", steps: story(leaves: true)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.slowStart)]
  static let watches: Set<EventKind> = [.attemptStarted]

  /// The maximum time from a task's resume to its start. A default session takes milliseconds.
  var patience: Duration = .seconds(5)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the maximum time from a task's resume to its start (at least 0.1 s)")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let started = task.firstAttempt, let resumed = task.resumed, let created = task.created else {
      return asked.isTaskOver ? .silent : nil
    }
    // The app's current state is its state at the task's start only while the first attempt runs.
    guard task.attemptCount == 1, task.attempt?.ended == nil, task.lastHold == nil, task.origin == .foreground,
      let delay = resumed.duration(to: started), delay > patience, world.sessionKind(of: task) == .background,
      task.owner.map({ world.processes[$0].state }) ?? .foreground == .foreground
    else { return .silent }
    return .finding(
      Draft(
        summary:
          "Task \(task.identity.label) of a background session took \(delay.inSeconds) to begin, with the app in the foreground.",
        claim: .presence, evidence: created, [resumed, started]))
  }
}
