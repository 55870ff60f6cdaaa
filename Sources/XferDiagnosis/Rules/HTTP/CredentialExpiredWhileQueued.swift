import XferEvents
import XferLifecycle
import XferReplay

/// The credential that the request carries was no longer valid when the request was made.
struct CredentialExpiredWhileQueued: TaskRule {
  /// Examples begin at this wall time, a second less.
  private static let wall: Int64 = 1_780_000_001_000_000_000

  private static func created(expiresIn seconds: Int64) -> TaskCreated {
    TaskCreated(
      task: .example, type: .upload, method: "PUT", host: "store.example.com",
      credentialExpires: WallTime(nanoseconds: wall + seconds * 1_000_000_000))
  }
  private static func refused(attempt: Int = 1, status: Int = 403) -> AttemptResponseReceived {
    AttemptResponseReceived(attempt: attempt, status: status)
  }
  private static let held: [RuleExample.Step] = [
    .at(0.001, TaskResumed()), .at(0.002, TaskHeld(hold: .hostSlots, host: "store.example.com", slotsUsed: 6, slots: 6)),
  ]
  private static func started(_ number: Int = 1) -> AttemptStarted { AttemptStarted(attempt: number) }
  private static func ended(_ number: Int = 1, at time: Duration) -> RuleExample.Step {
    .at(time, AttemptEnded(attempt: number, end: .finished))
  }

  static let description = RuleDescription(
    id: "credential-expired-while-queued", severity: .error,
    summary: "The credential ran out while the task waited for its turn, and the server refused the request.",
    explanation: """
      A signed address or a token is valid for minutes or hours from the moment in which it is made. A task gets it when it is \
      created, and may then wait: behind others, for the network, for a better time, or for a retry. Nobody renews it \
      meanwhile, so the later tasks of a long queue all fail, and the same request works when it is tried by hand. The variant \
      says whether the first attempt came too late ("first attempt") or only a later one ("retry").
      """,
    remedy: """
      Make the credential when the task's turn has come, not when it is queued; give it as long as the queue may take; and \
      when it has run out, make a new one and the task again instead of telling the user that access is denied.
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
        "it waited a minute too long", .certain, variant: "first attempt",
        cites: [.taskCreated, .attemptStarted, .attemptResponseReceived],
        steps: [.at(0, created(expiresIn: 60))] + held + [.at(90, started()), .at(91, refused()), ended(at: .seconds(91))]),
      RuleExample(
        "a store that calls an expired request a bad one", .certain, variant: "first attempt",
        cites: [.taskCreated, .attemptStarted, .attemptResponseReceived],
        steps: [.at(0, created(expiresIn: 60))] + held + [
          .at(90, started()), .at(91, refused(status: 400)), ended(at: .seconds(91)),
        ]),
      RuleExample(
        "the connection broke, and the next attempt came too late", .certain, variant: "retry",
        cites: [.taskCreated, .last(.attemptStarted), .attemptResponseReceived],
        steps: [.at(0, created(expiresIn: 60))] + held + [
          .at(5, started()),
          .at(9, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .seconds(60))),
          .at(69, started(2)), .at(70, refused(attempt: 2, status: 401)),
          ended(2, at: .seconds(70)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "refused well within its time",
        steps: [.at(0, created(expiresIn: 600))] + held + [.at(90, started()), .at(91, refused()), ended(at: .seconds(91))]),
      RuleExample(
        "it ran out while the request was under way",
        steps: [.at(0, created(expiresIn: 60))] + held + [.at(59, started()), .at(65, refused()), ended(at: .seconds(65))]),
      RuleExample(
        "it had run out, and the server took it all the same",
        steps: [.at(0, created(expiresIn: 60))] + held + [
          .at(90, started()), .at(91, refused(status: 200)), ended(at: .seconds(91)),
        ]),
      RuleExample(
        "refused for something else",
        steps: [.at(0, created(expiresIn: 60))] + held + [
          .at(90, started()), .at(91, refused(status: 404)), ended(at: .seconds(91)),
        ]),
      RuleExample(
        "it had run out before the task was made",
        steps: [.at(0, created(expiresIn: -60))] + held + [.at(90, started()), .at(91, refused()), ended(at: .seconds(91))]),
      RuleExample(
        "nobody says until when it is valid",
        steps: [.at(0, TaskCreated(type: .upload))] + held + [.at(90, started()), .at(91, refused()), ended(at: .seconds(91))]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.expires)]
  static let watches: Set<EventKind> = [.attemptEnded]

  /// What servers call a request whose signature or token is too old.
  private static let refusals = [400, 401, 403]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let attempt = task.attempt, attempt.ended != nil, let started = attempt.started,
      let response = attempt.responseReceived, let status = attempt.status, Self.refusals.contains(status),
      let created = task.created, let expires = task.incidents.credentialExpires
    else { return asked.isTaskOver ? .silent : nil }
    guard let start = started.wall, let birth = created.wall else { return .undecidable(needs: "wall clock of attempt.started") }
    // The server goes by the time of day, and so does this; that the device's was set in between is told by `clock-jump`.
    guard birth < expires, start > expires else { return asked.isTaskOver ? .silent : nil }
    let late = Duration.nanoseconds(start.nanoseconds.subtractingClamped(expires.nanoseconds))
    return .finding(
      Draft(
        variant: started == task.firstAttempt ? "first attempt" : "retry",
        summary: """
          Task \(task.identity.text) made its request \(late.inSeconds) after its credential had run out, and was answered with \
          \(status).
          """,
        claim: .presence, evidence: created, [started, response]))
  }
}
