import XferEvents
import XferLifecycle
import XferReplay

/// Resume data that nobody had used before was of no use.
struct ResumeDataInvalid: TaskRule, SessionRule {
  private static let data = ValueDigest(0xDA7A)
  private static let resource = ValueDigest(0xF11E)
  private static func created(_ task: TaskIdentity = .example, resumeData: ValueDigest? = data) -> TaskCreated {
    TaskCreated(task: task, type: .download, resource: resource, resumeData: resumeData)
  }
  private static func failed(_ error: Int, domain: ErrorDomain = .url, name: String? = nil) -> TaskCompleted {
    TaskCompleted(delivery: DeliveryID(1), received: 0, domain: domain, error: error, errorName: name)
  }
  private static let resumed = RuleExample.Step.at(0.001, TaskResumed())

  /// A first attempt from a byte, and its answer.
  private static func attempt(
    offset: Int64 = 0, _ response: AttemptResponseReceived
  ) -> [RuleExample.Step] {
    [
      .at(0.002, AttemptStarted(attempt: 1, offset: offset)),
      .at(0.009, response),
      .at(1, AttemptEnded(attempt: 1, end: .finished, received: 1000)),
      .at(1, TaskCompleted(delivery: DeliveryID(1), received: 1000, status: 200)),
    ]
  }
  private static let whole = AttemptResponseReceived(attempt: 1, status: 200, expected: 1000)

  /// Another task had left it; the file behind it was removed to make room.
  private static let removed: [RuleExample.Step] = [
    .at(0, TaskCreated(task: .example(2), type: .download, resource: resource)), .at(0, TaskResumed(task: .example(2))),
    .at(
      0, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 400, domain: .url, error: -1005, resumeData: data)),
    .at(0, FileDeleted(task: .example(2), by: .policy, reason: "room")),
  ]

  static let description = RuleDescription(
    id: "resume-data-invalid", severity: .error,
    summary: "A task that was made from resume data could not go on with it.",
    explanation: """
      Resume data is a description: which address, which version, which temporary file, how many bytes. It is of no use when \
      the file was moved or removed, when a release of the system writes it in a form that it cannot read, when it is a \
      placeholder, or when the server never took ranges. It is there all the same, so code that looks only whether there is \
      some goes on with it, and fails at once, or begins anew without saying so. The variant says which: "failed at once", \
      "begun anew" (a warning: the file is right, the bytes came twice), or "refused" when the engine made no task of it.
      """,
    remedy: """
      When a task that was made from resume data fails at once, throw the data away and make a new task from the request. Do \
      not move the temporary file, and take new resume data from every failure instead of keeping the old.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/1553", "https://github.com/Heikowi/HWIFileDownload/issues/23",
      "https://github.com/lionheart/openradar-mirror/issues/20801",
      "https://github.com/lionheart/openradar-mirror/issues/20472", "https://github.com/Alamofire/Alamofire/issues/3435",
      "https://github.com/swiftlang/swift-corelibs-foundation/pull/1592",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the file cannot be written", .certain, variant: "failed at once", cites: [.taskCreated, .taskCompleted],
        .at(0, created()), resumed, .at(0.02, failed(-3003))),
      RuleExample(
        "the engine cannot read it", .certain, variant: "failed at once", cites: [.taskCreated, .taskCompleted],
        .at(0, created()), resumed, .at(0.02, failed(4, domain: .xfer, name: "cannotResume"))),
      RuleExample(
        "a bad address, says the system", .certain, variant: "failed at once", cites: [.taskCreated, .taskCompleted],
        .at(0, created()), resumed, .at(0.02, failed(14, domain: .posix))),
      RuleExample(
        "all of it was asked for", .certain, variant: "begun anew", cites: [.taskCreated, .attemptResponseReceived],
        steps: [.at(0, created()), resumed] + attempt(whole)),
      RuleExample(
        "no task was made of it", .certain, variant: "refused", cites: [.taskRejected],
        .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default)),
        .at(1, TaskRejected(session: "default-1", instance: CorrelationID(1), type: .download, rejection: .resumeDataInvalid))),
    ],
    staysSilent: [
      RuleExample(
        "it went on",
        steps: [
          .at(0, created()), resumed,
        ]
          + attempt(
            offset: 400,
            AttemptResponseReceived(task: .example, attempt: 1, status: 206, expected: 600, rangeStart: 400, rangeTotal: 1000))),
      RuleExample(
        "the rest was asked for, and the server sent all of it, which is another problem",
        steps: [.at(0, created()), resumed] + attempt(offset: 400, whole)),
      RuleExample("it failed for want of a network", .at(0, created()), resumed, .at(0.02, failed(-1009))),
      RuleExample("it failed much later", .at(0, created()), resumed, .at(30, failed(-3003))),
      RuleExample("it was not made from resume data", .at(0, created(resumeData: nil)), resumed, .at(0.02, failed(-3003))),
      RuleExample(
        "the system had removed the file behind it, and says so",
        steps: removed + [.at(0, created()), resumed, .at(0.02, failed(-3003))]),
      RuleExample(
        "the app cancelled it",
        .at(0, created()), resumed, .at(0.01, TaskCancelRequested(by: .app)), .at(0.02, failed(-999))),
      RuleExample(
        "a task was refused for something else",
        .at(0, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default)),
        .at(1, TaskRejected(session: "default-1", instance: CorrelationID(1), type: .download, rejection: .badURL))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCompleted, .attemptResponseReceived, .taskRejected]

  /// Who fails because of the data does so before anything is asked of a server.
  var atOnce: Duration = .seconds(5)

  static let limits = [RuleLimit("at-once", \Self.atOnce, "how soon after its resume a task has to fail for its resume data")]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let rejected = session.rejectedResumeData else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        variant: "refused", summary: "Session \(session.identifier) could make no task of the resume data that it was given.",
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
          summary: "Task \(task.identity.text) was made from resume data, and all of the resource came.",
          claim: .presence, evidence: created, [response]))
    }
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.connections == 0, let error = task.error, Self.isOfData(error),
      let age = (task.resumed ?? created).duration(to: completed), age <= atOnce
    else { return .silent }
    return .finding(
      Draft(
        variant: "failed at once",
        summary: "Task \(task.identity.text) was made from resume data and failed at once (\(error.name ?? "\(error.number)")).",
        claim: .presence, evidence: created, [completed]))
  }

  /// Whether an error is about the data or the file behind it, and not about the network or the server.
  private static func isOfData(_ error: TaskLifecycle.ErrorFacts) -> Bool {
    switch error.domain {
    // NSURLErrorCannotMoveFile to NSURLErrorCannotCreateFile, and NSURLErrorUnknown.
    case .url: (-3006...(-3000)).contains(error.number) || error.number == -1
    // CURLE_WRITE_ERROR, CURLE_BAD_DOWNLOAD_RESUME, CURLE_FILE_COULDNT_READ_FILE.
    case .curl: [23, 36, 37].contains(error.number)
    // ENOENT and EFAULT.
    case .posix: [2, 14].contains(error.number)
    case .xfer: error.name == "cannotResume"
    case .http, nil: false
    }
  }
}
