import XferEvents
import XferLifecycle
import XferReplay

/// There was resume data, and the next task for the same began at the beginning.
struct ResumeDataDiscarded: TaskRule {
  private static let resource = ValueDigest(0xF11E)
  private static let data = ValueDigest(0xDA7A)

  /// A download that got halfway.
  private static func halfway(acceptsRanges: Bool? = true) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, resource: resource)),
      .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1)),
      .at(0.005, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000, acceptsRanges: acceptsRanges)),
      .at(0.009, AttemptBytesReceived(attempt: 1, received: 500)),
    ]
  }

  private static let failed = TaskCompleted(
    task: .example, delivery: DeliveryID(1), received: 500, domain: .url, error: -1005, resumeData: data)
  private static let again: [RuleExample.Step] = [
    .at(9, TaskResumed(task: .example(2))),
    .at(10, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200)),
  ]

  static let description = RuleDescription(
    id: "resume-data-discarded", severity: .warning,
    summary: "The task began at the beginning, although an earlier one had left resume data for the same resource.",
    explanation: """
      A download that fails or is cancelled may hand over resume data: in the error, or in the answer to a cancellation that \
      asks for it; after the user has quit the app it comes with the error at the next launch. With it a new task goes on \
      where the old one had got to. Code that does not look for it, or does not keep it until the next launch, loads \
      everything again, on the user's time and money.
      """,
    remedy: """
      Look for resume data in every error of a download, store it beside your record of the transfer, and make the next \
      task from it; begin anew only when that fails.
      """,
    sources: [
      "https://codedump.io/share/NhwsDJbsqXCS/1/how-to-resume-nsurlsession-download-process-after-app-force-quit-and-app-relaunch"
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the error had resume data, and the retry did not use it", .certain,
        cites: [.last(.taskCreated), .first(.taskCompleted)],
        steps: halfway() + [
          .at(1, failed), .at(9, TaskCreated(task: .example(2), type: .download, resource: resource)),
        ] + again),
      RuleExample(
        "cancelled for later, and begun anew in the next life", .certain, cites: [.last(.taskCreated), .taskCancelRequested],
        steps: halfway() + [
          .at(1, TaskCancelRequested(by: .app, resumeData: data)),
          .at(1, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -999)),
          .at(2, ProcessExited(code: 0, exitReason: .returned)),
          .at(9, TaskCreated(task: .example(2), type: .download, resource: resource), by: .nextLife),
          .at(9, TaskResumed(task: .example(2)), by: .nextLife),
        ]),
      RuleExample(
        "the new task was made before the data was there", .certain, cites: [.last(.taskCreated), .first(.taskCompleted)],
        steps: halfway() + [
          .at(1, TaskCancelRequested(by: .app, cancelReason: CancelReason.none)),
          .at(1.001, TaskCreated(task: .example(2), type: .download, resource: resource)),
          .at(1.001, TaskResumed(task: .example(2))),
          .at(1.002, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -999, resumeData: data)),
          .at(3, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "cancelled, and nothing was there to go on with",
        steps: halfway() + [
          .at(1, TaskCancelRequested(by: .app, cancelReason: CancelReason.none)),
          .at(1.001, TaskCreated(task: .example(2), type: .download, resource: resource)),
          .at(1.001, TaskResumed(task: .example(2))),
          .at(1.002, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -999)),
          .at(3, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200)),
        ]),
      RuleExample(
        "used",
        steps: halfway() + [
          .at(1, failed),
          .at(9, TaskCreated(task: .example(2), type: .download, resource: resource, resumeData: data, offset: 500)),
        ] + again),
      RuleExample(
        "the server takes no ranges",
        steps: halfway(acceptsRanges: false) + [
          .at(1, failed), .at(9, TaskCreated(task: .example(2), type: .download, resource: resource)),
        ] + again),
      RuleExample(
        "there was no resume data",
        steps: halfway() + [
          .at(1, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1005)),
          .at(9, TaskCreated(task: .example(2), type: .download, resource: resource)),
        ] + again),
      RuleExample(
        "the next task is for something else",
        steps: halfway() + [
          .at(1, failed), .at(9, TaskCreated(task: .example(2), type: .download, resource: ValueDigest(0xE15E))),
        ] + again),
      RuleExample(
        "the app goes on from a place of its own",
        steps: halfway() + [
          .at(1, failed), .at(9, TaskCreated(task: .example(2), type: .download, resource: resource, offset: 500)),
        ] + again),
      RuleExample(
        "the app had given the first one up",
        steps: halfway() + [
          .at(1, failed), .at(2, AppOutcomeRecorded(task: .example, outcome: .discarded)),
          .at(9, TaskCreated(task: .example(2), type: .download, resource: resource)),
        ] + again),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCreated, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = task.created else { return asked.isTaskOver ? .silent : nil }
    guard let earlier = task.earlierResumeData, task.resumeData == nil, task.offset ?? 0 == 0,
      earlier.serverTakesRanges != false
    else { return .silent }
    return .finding(
      Draft(
        summary: "Task \(task.identity.text) began at the beginning, although there was resume data for what it fetches.",
        claim: .presence, evidence: earlier.offered, [created]))
  }
}
