import XferEvents
import XferLifecycle
import XferReplay

/// The task that took over began at the beginning.
struct HandoffRestartedFromZero: HandoffRule {
  private static let (foreground, background) = ("default-1", "com.example.photos")
  private static let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: foreground, number: 1)
  private static let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)
  private static let expired = AssertionExpired(assertion: CorrelationID(5), name: "photos")
  private static let cancelled = TaskCancelRequested(task: first, by: .app)
  private static let taken = AttemptStarted(task: second, attempt: 1)

  /// A task in front that has sent so much, and is cancelled when the background time runs out.
  private static func story(sent: Int64) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(executable: "app")),
      .at(0.001, SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default)),
      .at(0.001, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background)),
      .at(0.002, TaskCreated(task: first, type: .upload, intent: "film-1")),
      .at(0.003, TaskResumed(task: first)),
      .at(0.004, AttemptStarted(task: first, attempt: 1)),
      .at(1, AssertionBegun(assertion: CorrelationID(5), name: "photos")),
      .at(30, AttemptBytesSent(task: first, attempt: 1, sent: sent, expected: 900_000_000)),
      .at(31, expired),
      .at(31, cancelled),
    ]
  }

  private static let over: [RuleExample.Step] = [
    .at(31.001, AttemptEnded(task: first, attempt: 1, end: .cancelled)), .at(31.002, TaskResumed(task: second)),
    .at(31.003, AssertionEnded(assertion: CorrelationID(5), name: "photos")),
  ]

  static let description = RuleDescription(
    id: "handoff-restarted-from-zero", severity: .warning,
    summary: "The task that took a transfer over began at the beginning, and what the first had done was lost.",
    explanation: """
      An upload cannot be handed over: the new task sends the file from its first byte. A download can go on only from resume \
      data. The user, who saw most of it done, waits once more, and pays for the bytes twice.
      """,
    remedy: """
      Upload in parts that the server keeps (tus, multipart), so that only the last is sent again. Make the new download \
      from the resume data of the old one. Start what is large in the background session at once.
      """,
    sources: ["https://tus.io/protocols/resumable-upload"], consequenceOf: ["resume-data-discarded"],
    reports: [
      RuleExample(
        "an upload of which 400 MB had been sent", .certain,
        cites: [.last(.taskCreated), .last(.attemptStarted), .taskCancelRequested],
        steps: story(sent: 400_000_000) + [
          .at(31, TaskCreated(task: second, type: .upload, intent: "film-1"))
        ] + over + [.at(40, taken)])
    ],
    staysSilent: [
      RuleExample(
        "hardly anything had been sent",
        steps: story(sent: 20_000) + [
          .at(31, TaskCreated(task: second, type: .upload, intent: "film-1"))
        ] + over + [.at(40, taken)]),
      RuleExample(
        "made from resume data",
        steps: story(sent: 400_000_000) + [
          .at(31, TaskCreated(task: second, type: .upload, intent: "film-1", resumeData: ValueDigest(7), offset: 400_000_000))
        ] + over + [.at(40, AttemptStarted(task: second, attempt: 1, offset: 400_000_000))]),
      RuleExample(
        "the new task is for another film",
        steps: story(sent: 400_000_000) + [
          .at(31, TaskCreated(task: second, type: .upload, intent: "film-2"))
        ] + over + [.at(40, taken)]),
    ])

  static let watches: Set<EventKind> = [.attemptStarted, .taskCompleted]

  /// Less than that is sent again sooner than anybody notices.
  var least = 1_000_000

  static let limits = [RuleLimit("least", \Self.least, "bytes whose repetition nobody notices")]

  func verdict(on handoff: HandoffLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if handoff.goesOn || handoff.offset > 0 { return .silent }
    guard let started = handoff.successorStarted, let other = handoff.successor, handoff.cancelled ?? handoff.announced != nil
    else { return asked.isEndOfLog ? .silent : nil }
    guard handoff.bytes >= Int64(least) else { return handoff.firstCompleted != nil || asked.isEndOfLog ? .silent : nil }
    let verb = handoff.type == .upload ? "sent" : "received"
    return .finding(
      Draft(
        summary: """
          Task \(other.text) began at the beginning, after \(handoff.first.text) had \(verb) \(handoff.bytes) bytes of the same.
          """,
        claim: .presence, evidence: started, [handoff.cancelled ?? handoff.announced, handoff.successorCreated],
        tasks: [handoff.first, other]))
  }
}
