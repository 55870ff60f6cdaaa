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
    TaskCompleted(task: .example, delivery: DeliveryID(1), received: 0, domain: domain, error: error, errorName: name)
  }
  private static let resumed = RuleExample.Step.event(TaskResumed(task: .example), at: .milliseconds(1))

  /// A first attempt from a byte, and its answer.
  private static func attempt(
    offset: Int64 = 0, _ response: AttemptResponseReceived, isEvidence: Bool = false
  ) -> [RuleExample.Step] {
    [
      .event(AttemptStarted(task: .example, attempt: 1, offset: offset), at: .milliseconds(2)),
      isEvidence ? .evidence(response, at: .milliseconds(9)) : .event(response, at: .milliseconds(9)),
      .event(AttemptEnded(task: .example, attempt: 1, end: .finished, received: 1000), at: .seconds(1)),
      .event(TaskCompleted(task: .example, delivery: DeliveryID(1), received: 1000, status: 200), at: .seconds(1)),
    ]
  }
  private static let whole = AttemptResponseReceived(task: .example, attempt: 1, status: 200, expected: 1000)

  /// Another task had left it; the file behind it was removed to make room.
  private static let removed: [RuleExample.Step] = [
    .event(TaskCreated(task: .example(2), type: .download, resource: resource), at: .zero),
    .event(TaskResumed(task: .example(2)), at: .zero),
    .event(
      TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 400, domain: .url, error: -1005, resumeData: data),
      at: .zero),
    .event(FileDeleted(task: .example(2), by: .policy, reason: "room"), at: .zero),
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
        "the file cannot be written", certainty: .certain, variant: "failed at once",
        .evidence(created(), at: .zero), resumed, .evidence(failed(-3003), at: .milliseconds(20))),
      RuleExample(
        "the engine cannot read it", certainty: .certain, variant: "failed at once",
        .evidence(created(), at: .zero), resumed,
        .evidence(failed(4, domain: .xfer, name: "cannotResume"), at: .milliseconds(20))),
      RuleExample(
        "a bad address, says the system", certainty: .certain, variant: "failed at once",
        .evidence(created(), at: .zero), resumed, .evidence(failed(14, domain: .posix), at: .milliseconds(20))),
      RuleExample(
        "all of it was asked for", certainty: .certain, variant: "begun anew",
        steps: [.evidence(created(), at: .zero), resumed] + attempt(whole, isEvidence: true)),
      RuleExample(
        "no task was made of it", certainty: .certain, variant: "refused",
        .event(SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default), at: .zero),
        .evidence(
          TaskRejected(session: "default-1", instance: CorrelationID(1), type: .download, rejection: .resumeDataInvalid),
          at: .seconds(1))),
    ],
    staysSilent: [
      RuleExample(
        "it went on",
        steps: [.event(created(), at: .zero), resumed]
          + attempt(
            offset: 400,
            AttemptResponseReceived(
              task: .example, attempt: 1, status: 206, expected: 600, rangeStart: 400, rangeTotal: 1000))),
      RuleExample(
        "the rest was asked for, and the server sent all of it, which is another problem",
        steps: [.event(created(), at: .zero), resumed] + attempt(offset: 400, whole)),
      RuleExample(
        "it failed for want of a network",
        .event(created(), at: .zero), resumed, .event(failed(-1009), at: .milliseconds(20))),
      RuleExample(
        "it failed much later",
        .event(created(), at: .zero), resumed, .event(failed(-3003), at: .seconds(30))),
      RuleExample(
        "it was not made from resume data",
        .event(created(resumeData: nil), at: .zero), resumed, .event(failed(-3003), at: .milliseconds(20))),
      RuleExample(
        "the system had removed the file behind it, and says so",
        steps: removed + [.event(created(), at: .zero), resumed, .event(failed(-3003), at: .milliseconds(20))]),
      RuleExample(
        "the app cancelled it",
        .event(created(), at: .zero), resumed, .event(TaskCancelRequested(task: .example, by: .app), at: .milliseconds(10)),
        .event(failed(-999), at: .milliseconds(20))),
      RuleExample(
        "a task was refused for something else",
        .event(SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: .default), at: .zero),
        .event(
          TaskRejected(session: "default-1", instance: CorrelationID(1), type: .download, rejection: .badURL), at: .seconds(1))),
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
