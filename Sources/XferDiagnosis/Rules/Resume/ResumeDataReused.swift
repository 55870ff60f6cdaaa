import XferEvents
import XferLifecycle
import XferReplay

/// Two tasks were created from the same resume data.
struct ResumeDataReused: TaskRule {
  private static let data = ValueDigest(0xDA7A)

  private static func created(_ task: TaskIdentity = .example, resumeData: ValueDigest? = data) -> TaskCreated {
    TaskCreated(task: task, type: .download, resumeData: resumeData, offset: 400)
  }
  /// The steps of the first task that is created from the resume data. `begins` states whether the task starts an attempt.
  private static func first(begins: Bool = true) -> [RuleExample.Step] {
    let task = TaskIdentity.example(2)
    let attempt: [RuleExample.Step] = begins ? [.at(1, AttemptStarted(task: task, attempt: 1, offset: 400))] : []
    return [.at(0, created(task)), .at(0, TaskResumed(task: task))] + attempt
  }
  private static let failed: [RuleExample.Step] = [
    .at(
      2,
      TaskCompleted(
        task: .example(2), delivery: DeliveryID(2), domain: .url, error: -1009, errorName: "notConnectedToInternet"))
  ]

  static let description = RuleDescription(
    id: "resume-data-reused", severity: .error,
    summary: "A task was created from resume data that another task had already used.",
    explanation: """
      Resume data can be used once: the temporary file that it describes belongs to the task that was created from it, and is \
      extended, moved or deleted with that task. A second task from the same data finds a different file, or none; \
      two simultaneous tasks write to one file. Apps that keep the data of the first failure and use it for every retry fail \
      at the second retry.
      """,
    remedy: """
      Delete resume data after you have created a task from it, and take new data from that task's own failure or cancellation. \
      If there is none, restart from the first byte.
      """,
    sources: ["https://jp.narouhz.com/forums/thread/766384"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the data was used again after the first task had failed", .certain, cites: [.taskCreated],
        steps: first() + failed + [.at(9, created())]),
      RuleExample(
        "the data was used again while the first task was running", .certain, cites: [.taskCreated],
        steps: first() + [.at(2, created())]),
    ],
    staysSilent: [
      RuleExample("the first task had failed before it began", steps: first(begins: false) + failed + [.at(9, created())]),
      RuleExample(
        "each task has its own data", steps: first() + failed + [.at(9, created(resumeData: ValueDigest(0xDA7B)))]),
      RuleExample("the second task has no resume data", steps: first() + failed + [.at(9, created(resumeData: nil))]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCreated]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = task.created else { return asked.isTaskOver ? .silent : nil }
    guard let use = task.incidents.earlierUse, use.hadBegun else { return .silent }
    return .finding(
      Draft(
        summary: "Task \(task.identity.label) was created from resume data that another task had already used.",
        claim: .presence, evidence: use.created, [created]))
  }
}
