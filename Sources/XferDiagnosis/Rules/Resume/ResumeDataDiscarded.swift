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
      .event(TaskCreated(task: .example, type: .download, resource: resource), at: .zero),
      .event(TaskResumed(task: .example), at: .milliseconds(1)),
      .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(2)),
      .event(
        AttemptResponseReceived(task: .example, attempt: 1, status: 200, expected: 1000, acceptsRanges: acceptsRanges),
        at: .milliseconds(5)),
      .event(AttemptBytesReceived(task: .example, attempt: 1, received: 500), at: .milliseconds(9)),
    ]
  }

  private static let failed = TaskCompleted(
    task: .example, delivery: DeliveryID(1), received: 500, domain: .url, error: -1005, resumeData: data)
  private static let again: [RuleExample.Step] = [
    .event(TaskResumed(task: .example(2)), at: .seconds(9)),
    .event(TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200), at: .seconds(10)),
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
        "the error had resume data, and the retry did not use it", certainty: .certain,
        steps: halfway() + [
          .evidence(failed, at: .seconds(1)),
          .evidence(TaskCreated(task: .example(2), type: .download, resource: resource), at: .seconds(9)),
        ] + again),
      RuleExample(
        "cancelled for later, and begun anew in the next life", certainty: .certain,
        steps: halfway() + [
          .evidence(TaskCancelRequested(task: .example, by: .app, resumeData: data), at: .seconds(1)),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), domain: .url, error: -999), at: .seconds(1)),
          .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(2)),
          .evidence(
            TaskCreated(task: .example(2), type: .download, resource: resource), at: .seconds(9), by: .nextLife),
          .event(TaskResumed(task: .example(2)), at: .seconds(9), by: .nextLife),
        ]),
      RuleExample(
        "the new task was made before the data was there", certainty: .certain,
        steps: halfway() + [
          .event(TaskCancelRequested(task: .example, by: .app, cancelReason: CancelReason.none), at: .seconds(1)),
          .evidence(TaskCreated(task: .example(2), type: .download, resource: resource), at: .milliseconds(1001)),
          .event(TaskResumed(task: .example(2)), at: .milliseconds(1001)),
          .evidence(
            TaskCompleted(task: .example, delivery: DeliveryID(1), domain: .url, error: -999, resumeData: data),
            at: .milliseconds(1002)),
          .event(TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200), at: .seconds(3)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "cancelled, and nothing was there to go on with",
        steps: halfway() + [
          .event(TaskCancelRequested(task: .example, by: .app, cancelReason: CancelReason.none), at: .seconds(1)),
          .event(TaskCreated(task: .example(2), type: .download, resource: resource), at: .milliseconds(1001)),
          .event(TaskResumed(task: .example(2)), at: .milliseconds(1001)),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), domain: .url, error: -999), at: .milliseconds(1002)),
          .event(TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200), at: .seconds(3)),
        ]),
      RuleExample(
        "used",
        steps: halfway() + [
          .event(failed, at: .seconds(1)),
          .event(
            TaskCreated(task: .example(2), type: .download, resource: resource, resumeData: data, offset: 500), at: .seconds(9)),
        ] + again),
      RuleExample(
        "the server takes no ranges",
        steps: halfway(acceptsRanges: false) + [
          .event(failed, at: .seconds(1)),
          .event(TaskCreated(task: .example(2), type: .download, resource: resource), at: .seconds(9)),
        ] + again),
      RuleExample(
        "there was no resume data",
        steps: halfway() + [
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), domain: .url, error: -1005), at: .seconds(1)),
          .event(TaskCreated(task: .example(2), type: .download, resource: resource), at: .seconds(9)),
        ] + again),
      RuleExample(
        "the next task is for something else",
        steps: halfway() + [
          .event(failed, at: .seconds(1)),
          .event(TaskCreated(task: .example(2), type: .download, resource: ValueDigest(0xE15E)), at: .seconds(9)),
        ] + again),
      RuleExample(
        "the app goes on from a place of its own",
        steps: halfway() + [
          .event(failed, at: .seconds(1)),
          .event(TaskCreated(task: .example(2), type: .download, resource: resource, offset: 500), at: .seconds(9)),
        ] + again),
      RuleExample(
        "the app had given the first one up",
        steps: halfway() + [
          .event(failed, at: .seconds(1)), .event(AppOutcomeRecorded(task: .example, outcome: .discarded), at: .seconds(2)),
          .event(TaskCreated(task: .example(2), type: .download, resource: resource), at: .seconds(9)),
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
