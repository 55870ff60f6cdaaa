import XferEvents
import XferLifecycle
import XferReplay

/// Reports a request whose credential had expired before the request was sent.
struct CredentialExpiredWhileQueued: RememberingTaskRule {
  /// The creation of a task whose credential expires `seconds` later.
  private static func created(expiresIn seconds: Int64) -> TaskCreated {
    TaskCreated(
      type: .upload, method: "PUT", host: "store.example.com",
      credentialExpires: WallTime(nanoseconds: 1_780_000_001_000_000_000 + seconds * 1_000_000_000))
  }
  /// The steps of a task up to its wait for a connection.
  private static func held(_ task: TaskCreated) -> [RuleExample.Step] {
    [
      .at(0, task), .at(0.001, TaskResumed()),
      .at(0.002, TaskHeld(hold: .hostSlots, host: "store.example.com", slotsUsed: 6, slots: 6)),
    ]
  }
  /// The steps of an example: a task waits for a connection, starts and receives a response.
  private static func story(
    _ task: TaskCreated = created(expiresIn: 60), started: Double = 90, answered: Double = 91, status: Int = 403
  ) -> [RuleExample.Step] {
    held(task) + [
      .at(started, AttemptStarted(attempt: 1)), .at(answered, AttemptResponseReceived(attempt: 1, status: status)),
      .at(answered, AttemptEnded(attempt: 1, end: .finished)),
    ]
  }

  static let description = RuleDescription(
    id: "credential-expired-while-queued", severity: .error,
    summary: "The credential expired while the task was queued, and the server rejected the request.",
    explanation: """
      A signed URL or a token is valid for minutes or hours from the time that it is issued. A task receives it at creation \
      and may then wait: for other tasks, for the network, for favorable conditions, or for a retry. The credential is not \
      renewed in the meantime, so the later tasks of a long queue all fail, while the same request works when tried manually. \
      The variant says whether the first attempt started too late ("first attempt") or only a later one ("retry").
      """,
    remedy: """
      Issue the credential when the task is about to start, not when it is queued, or let it be valid for as long as the \
      queue may take. When it has expired, issue a new one and create the task again instead of telling the user that \
      access is denied.
      """,
    sources: [
      "https://github.com/aws-amplify/amplify-swift/issues/1259", "https://github.com/apache/texera/issues/3837",
      "https://github.com/transloadit/uppy/issues/1724", "https://github.com/odysseyscience/react-s3-uploader/pull/208",
    ],
    consequenceOf: [
      "connection-slot-starvation", "discretionary-starvation", "network-policy-blocked", "waits-for-connectivity-forever",
      "resume-rate-limited",
    ],
    reports: [
      RuleExample(
        "the task started half a minute after the expiry", .certain, variant: "first attempt",
        cites: [.taskCreated, .attemptStarted, .attemptResponseReceived], steps: story()),
      RuleExample(
        "the store answers an expired request with 400", .certain, variant: "first attempt",
        cites: [.taskCreated, .attemptStarted, .attemptResponseReceived], steps: story(status: 400)),
      RuleExample(
        "the connection was lost, and the retry started after the expiry", .certain, variant: "retry",
        cites: [.taskCreated, .last(.attemptStarted), .attemptResponseReceived],
        steps: held(created(expiresIn: 60)) + [
          .at(5, AttemptStarted(attempt: 1)),
          .at(9, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .seconds(60))),
          .at(69, AttemptStarted(attempt: 2)), .at(70, AttemptResponseReceived(attempt: 2, status: 401)),
          .at(70, AttemptEnded(attempt: 2, end: .finished)),
        ]),
    ],
    staysSilent: [
      RuleExample("the credential was still valid for minutes", steps: story(created(expiresIn: 600))),
      RuleExample("the credential expired while the request was in flight", steps: story(started: 59, answered: 65)),
      RuleExample("the credential had expired, and the server accepted it", steps: story(status: 200)),
      RuleExample("the server rejected the request for another reason", steps: story(status: 404)),
      RuleExample("the credential had expired before the task was created", steps: story(created(expiresIn: -60))),
      RuleExample("the expiry is unknown", steps: story(TaskCreated(type: .upload))),
    ])

  static let watches: Set<EventKind> = [.attemptEnded]
  static let remembers: Set<EventKind> = [.taskCreated]

  /// The expiry of the request's credential.
  struct Memory {
    let expires: WallTime
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    if let expires = event.credentialExpires { memory = Memory(expires: expires) }
  }

  /// The statuses that servers use for an expired signature or token.
  private static let refusals = [400, 401, 403]

  func verdict(on task: TaskLifecycle, remembering memory: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard let attempt = task.attempt, attempt.ended != nil, let started = attempt.started,
      let response = attempt.responseReceived, let status = attempt.status, Self.refusals.contains(status),
      let created = task.created
    else { return asked.isTaskOver ? .silent : nil }
    guard let start = started.wall, let birth = created.wall else { return .undecidable(needs: "wall clock of attempt.started") }
    // The server compares wall times, and so does this rule; `clock-jump` reports a change of the device's clock in between.
    guard birth < memory.expires, start > memory.expires else { return asked.isTaskOver ? .silent : nil }
    let late = Duration.nanoseconds(start.nanoseconds.subtractingClamped(memory.expires.nanoseconds))
    return .finding(
      Draft(
        variant: started == task.firstAttempt ? "first attempt" : "retry",
        summary: """
          Task \(task.identity.label) started its request \(late.inSeconds) after its credential had expired, and the server \
          answered \(status).
          """,
        claim: .presence, evidence: created, [started, response]))
  }
}
