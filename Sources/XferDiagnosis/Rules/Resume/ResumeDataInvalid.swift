import XferEvents
import XferLifecycle
import XferReplay

/// A task could not resume from its resume data, which no other task had used.
struct ResumeDataInvalid: TaskRule, SessionRule {
  private static let data = ValueDigest(0xDA7A)
  private static let resource = ValueDigest(0xF11E)

  private static func story(resumeData: ValueDigest? = data, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, resource: resource, resumeData: resumeData)), .at(0.001, TaskResumed()),
    ] + steps
  }
  private static func failed(_ error: Int, domain: ErrorDomain = .url, name: String? = nil, at seconds: Double = 0.02)
    -> RuleExample.Step
  {
    .at(seconds, TaskCompleted(delivery: DeliveryID(1), received: 0, domain: domain, error: error, errorName: name))
  }

  /// The steps of an example: a task makes one attempt with the given response and completes.
  private static func answered(
    offset: Int64 = 0, _ response: AttemptResponseReceived = .init(attempt: 1, status: 200, expected: 1000)
  ) -> [RuleExample.Step] {
    story(
      .at(0.002, AttemptStarted(attempt: 1, offset: offset)), .at(0.009, response),
      .at(1, AttemptEnded(attempt: 1, end: .finished, received: 1000)),
      .at(1, TaskCompleted(delivery: DeliveryID(1), received: 1000, status: 200)))
  }
  private static func rejected(_ reason: RejectionReason) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default)),
      .at(1, TaskRejected(session: "default-1", instance: CorrelationID(1), type: .download, rejection: reason)),
    ]
  }

  static let description = RuleDescription(
    id: "resume-data-invalid", severity: .error,
    summary: "A task that was created from resume data could not resume.",
    explanation: """
      Resume data describes a partial download: the URL, the version, the temporary file, and the number of bytes. The data is \
      invalid when the file was moved or deleted, when another system version wrote the data in an unreadable format, when the \
      data is a placeholder, or when the server does not accept ranges. Code that only checks whether resume data exists uses \
      invalid data anyway, and the task fails or silently restarts. The variants are "failed at once", "begun anew" (a warning: \
      the task restarted from the first byte, so the file is correct, but part of it was downloaded twice), and "refused" (the \
      engine could not create the task).
      """,
    remedy: """
      When a task from resume data fails at once, discard the data and create a new task from the request. Do not move the \
      temporary file. Take new resume data from every failure instead of keeping the old data.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/1553", "https://github.com/Heikowi/HWIFileDownload/issues/23",
      "https://github.com/lionheart/openradar-mirror/issues/20801",
      "https://github.com/lionheart/openradar-mirror/issues/20472", "https://github.com/Alamofire/Alamofire/issues/3435",
      "https://github.com/swiftlang/swift-corelibs-foundation/pull/1592",
    ],
    needsWholeLog: true,
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the temporary file could not be written", .certain, variant: "failed at once", cites: [.taskCreated, .taskCompleted],
        steps: story(failed(-3003))),
      RuleExample(
        "the engine could not read the resume data", .certain, variant: "failed at once", cites: [.taskCreated, .taskCompleted],
        steps: story(failed(4, domain: .xfer, name: "cannotResume"))),
      RuleExample(
        "the system reported a bad address (EFAULT)", .certain, variant: "failed at once",
        cites: [.taskCreated, .taskCompleted], steps: story(failed(14, domain: .posix))),
      RuleExample(
        "the task requested the whole resource", .certain, variant: "begun anew",
        cites: [.taskCreated, .attemptResponseReceived], steps: answered()),
      RuleExample(
        "the session could not create a task from the resume data", .certain, variant: "refused", cites: [.taskRejected],
        steps: rejected(.resumeDataInvalid)),
    ],
    staysSilent: [
      RuleExample(
        "the task resumed",
        steps: answered(offset: 400, .init(attempt: 1, status: 206, expected: 600, rangeStart: 400, rangeTotal: 1000))),
      RuleExample(
        "the task requested the rest, and the server sent the whole resource, which another rule reports",
        steps: answered(offset: 400)),
      RuleExample("the task failed because no network was available", steps: story(failed(-1009))),
      RuleExample("the task failed half a minute later", steps: story(failed(-3003, at: 30))),
      RuleExample("the task was not created from resume data", steps: story(resumeData: nil, failed(-3003))),
      RuleExample(
        "the system had deleted the file of an earlier task and logged that",
        steps: [
          .at(0, TaskCreated(task: .example(2), type: .download, resource: resource)), .at(0, TaskResumed(task: .example(2))),
          .at(
            0,
            TaskCompleted(
              task: .example(2), delivery: DeliveryID(2), received: 400, domain: .url, error: -1005, resumeData: data)),
          .at(0, FileDeleted(task: .example(2), by: .policy, reason: "room")),
        ] + story(failed(-3003))),
      RuleExample("the app cancelled the task", steps: story(.at(0.01, TaskCancelRequested(by: .app)), failed(-999))),
      RuleExample("the session could not create a task for another reason", steps: rejected(.badURL)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCompleted, .attemptResponseReceived, .taskRejected]

  /// The maximum time from a task's resume to a failure that is due to its resume data. Such a task fails before it sends a
  /// request.
  var atOnce: Duration = .seconds(5)

  static let limits = [
    RuleLimit("at-once", \Self.atOnce, "the maximum time from a task's resume to a failure that is due to its resume data")
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let rejected = session.rejectedResumeData else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        variant: "refused", summary: "Session \(session.identifier) could not create a task from the given resume data.",
        claim: .presence, evidence: rejected))
  }

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = task.created else { return asked.isTaskOver ? .silent : nil }
    guard task.resumeData != nil, task.incidents.earlierUse?.hadBegun != true, task.earlierResumeData?.removed == nil else {
      return .silent
    }
    if let response = task.attempt?.responseReceived {
      guard task.attemptCount <= 1, task.attempt?.offset == 0, task.attempt?.status == 200,
        task.attempt?.hasContentRange == false
      else { return .silent }
      return .finding(
        Draft(
          variant: "begun anew", severity: .warning,
          summary: "Task \(task.identity.label) was created from resume data, but the whole resource was downloaded again.",
          claim: .presence, evidence: created, [response]))
    }
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.connections == 0, let error = task.error, Self.blamesResumeData(error),
      let age = (task.resumed ?? created).duration(to: completed), age <= atOnce
    else { return .silent }
    return .finding(
      Draft(
        variant: "failed at once",
        summary:
          "Task \(task.identity.label) was created from resume data and failed at once (\(error.name ?? "\(error.number)")).",
        claim: .presence, evidence: created, [completed]))
  }

  /// Whether an error is due to the resume data or its file, and not to the network or the server.
  private static func blamesResumeData(_ error: TaskLifecycle.ErrorFacts) -> Bool {
    switch error.domain {
    // NSURLErrorCannotMoveFile to NSURLErrorCannotCreateFile, and NSURLErrorUnknown.
    case .url: (-3006...(-3000)).contains(error.number) || error.number == -1
    // CURLE_WRITE_ERROR, CURLE_BAD_DOWNLOAD_RESUME, CURLE_FILE_COULDNT_READ_FILE.
    case .curl: [23, 36, 37].contains(error.number)
    // ENOENT and EFAULT.
    case .posix: [2, 14].contains(error.number)
    case .xfer: error.name == "cannotResume"
    case .http, .cocoa, .cfnetwork, .other, nil: false
    }
  }
}
