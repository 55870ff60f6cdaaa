import XferEvents
import XferLifecycle
import XferReplay

/// Two tasks were made from the same resume data.
struct ResumeDataReused: TaskRule {
  private static let data = ValueDigest(0xDA7A)

  private static func created(_ task: TaskIdentity, resumeData: ValueDigest? = data) -> TaskCreated {
    TaskCreated(task: task, type: .download, resumeData: resumeData, offset: 400)
  }
  /// The first task, and how it ended.
  private static func first(hasBegun: Bool = true) -> [RuleExample.Step] {
    let task = TaskIdentity.example(2)
    var steps: [RuleExample.Step] = [
      .at(0, created(task)),
      .at(0, TaskResumed(task: task)),
    ]
    if hasBegun { steps.append(.at(1, AttemptStarted(task: task, attempt: 1, offset: 400))) }
    return steps + [
      .at(2, TaskCompleted(task: task, delivery: DeliveryID(2), domain: .url, error: -1009, errorName: "notConnectedToInternet"))
    ]
  }

  static let description = RuleDescription(
    id: "resume-data-reused", severity: .error,
    summary: "A task was made from resume data that another task had used already.",
    explanation: """
      Resume data is spent the moment a task is made from it: the temporary file that it describes is that task's from then \
      on, and grows, moves or goes with it. A second task from the same data finds another file than it expects, or none; two \
      at a time write into one. Apps that keep the data of the first failure and use it for every retry meet this at the \
      second one.
      """,
    remedy: """
      Delete resume data when you have made a task from it, and take the new one from that task's own failure or \
      cancellation. Where there is none, begin anew.
      """,
    sources: ["https://jp.narouhz.com/forums/thread/766384"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "used again when the first try had failed", .certain, cites: [.taskCreated],
        steps: first() + [.at(9, created(.example))]),
      RuleExample(
        "used again while the first one runs", .certain, cites: [.taskCreated],
        .at(0, created(.example(2))), .at(0, TaskResumed(task: .example(2))),
        .at(1, AttemptStarted(task: .example(2), attempt: 1, offset: 400)), .at(2, created(.example))),
    ],
    staysSilent: [
      RuleExample("the first one had failed before it began", steps: first(hasBegun: false) + [.at(9, created(.example))]),
      RuleExample("each has its own", steps: first() + [.at(9, created(.example, resumeData: ValueDigest(0xDA7B)))]),
      RuleExample("without resume data", steps: first() + [.at(9, created(.example, resumeData: nil))]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCreated]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = task.created else { return asked.isTaskOver ? .silent : nil }
    guard let use = task.incidents.earlierUse, use.hadBegun else { return .silent }
    return .finding(
      Draft(
        summary: "Task \(task.identity.text) was made from resume data that another task had used.",
        claim: .presence, evidence: use.created, [created]))
  }
}
