import XferEvents
import XferLifecycle
import XferReplay

/// A new task started from the first byte although resume data for the resource was available.
struct ResumeDataDiscarded: TaskRule {
  private static let resource = ValueDigest(0xF11E)
  private static let data = ValueDigest(0xDA7A)

  /// The steps of an example: a download receives half of its resource; then `steps` follow.
  private static func story(acceptsRanges: Bool? = true, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, resource: resource)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
      .at(0.005, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000, acceptsRanges: acceptsRanges)),
      .at(0.009, AttemptBytesReceived(attempt: 1, received: 500)),
    ] + steps
  }
  private static let failed: RuleExample.Step = .at(
    1, TaskCompleted(delivery: DeliveryID(1), received: 500, domain: .url, error: -1005, resumeData: data))

  /// The steps of the next task, which completes.
  private static func next(for fetched: ValueDigest = resource, resumeData: ValueDigest? = nil, offset: Int64? = nil)
    -> [RuleExample.Step]
  {
    [
      .at(9, TaskCreated(task: .example(2), type: .download, resource: fetched, resumeData: resumeData, offset: offset)),
      .at(9, TaskResumed(task: .example(2))),
      .at(10, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200)),
    ]
  }
  /// The steps of an example: a download is cancelled, and a new task is created before the cancellation completes.
  private static func replaced(resumeData: ValueDigest?) -> [RuleExample.Step] {
    story(
      .at(1, TaskCancelRequested(by: .app, cancelReason: CancelReason.none)),
      .at(1.001, TaskCreated(task: .example(2), type: .download, resource: resource)),
      .at(1.001, TaskResumed(task: .example(2))),
      .at(1.002, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -999, resumeData: resumeData)),
      .at(3, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200)))
  }

  static let description = RuleDescription(
    id: "resume-data-discarded", severity: .warning,
    summary: "The task started from the first byte, although an earlier task had left resume data for the same resource.",
    explanation: """
      A download that fails or is cancelled may provide resume data: in the error, or through cancel(byProducingResumeData:); \
      after the user has quit the app, it comes with the error at the next launch. A new task that uses it continues where the \
      old one stopped. Code that does not look for resume data, or keeps it only in memory, where it is lost when the app \
      exits, downloads everything again, at the user's expense.
      """,
    remedy: """
      Look for resume data in every download error (NSURLSessionDownloadTaskResumeData), store it with your record of the \
      transfer, and create the next task with downloadTask(withResumeData:). Restart from the first byte only if that fails.
      """,
    sources: [
      "https://codedump.io/share/NhwsDJbsqXCS/1/how-to-resume-nsurlsession-download-process-after-app-force-quit-and-app-relaunch"
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the error had resume data, and the retry did not use it", .certain,
        cites: [.last(.taskCreated), .first(.taskCompleted)], steps: story(failed) + next()),
      RuleExample(
        "the app cancelled with resume data, and the next process started from the first byte", .certain,
        cites: [.last(.taskCreated), .taskCancelRequested],
        steps: story(
          .at(1, TaskCancelRequested(by: .app, resumeData: data)),
          .at(1, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -999)),
          .at(2, ProcessExited(code: 0, exitReason: .returned)),
          .at(9, TaskCreated(task: .example(2), type: .download, resource: resource), by: .nextLife),
          .at(9, TaskResumed(task: .example(2)), by: .nextLife))),
      RuleExample(
        "the new task was created before the resume data was available", .certain,
        cites: [.last(.taskCreated), .first(.taskCompleted)], steps: replaced(resumeData: data)),
    ],
    staysSilent: [
      RuleExample("the cancelled task left no resume data", steps: replaced(resumeData: nil)),
      RuleExample("the next task used the resume data", steps: story(failed) + next(resumeData: data, offset: 500)),
      RuleExample("the server does not accept ranges", steps: story(acceptsRanges: false, failed) + next()),
      RuleExample(
        "the failed task left no resume data",
        steps: story(.at(1, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1005))) + next()),
      RuleExample("the next task fetches another resource", steps: story(failed) + next(for: ValueDigest(0xE15E))),
      RuleExample("the app resumes from an offset of its own", steps: story(failed) + next(offset: 500)),
      RuleExample(
        "the app had discarded the first transfer",
        steps: story(failed, .at(2, AppOutcomeRecorded(task: .example, outcome: .discarded))) + next()),
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
        summary: "Task \(task.identity.label) started from the first byte, although resume data for its resource was available.",
        claim: .presence, evidence: earlier.offered, [created]))
  }
}
