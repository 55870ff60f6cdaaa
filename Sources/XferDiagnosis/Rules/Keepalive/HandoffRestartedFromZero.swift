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
  private static func story(sent: Int64, areEvidence: Bool) -> [RuleExample.Step] {
    [
      .event(ProcessStarted(executable: "app"), at: .zero),
      .event(SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default), at: .milliseconds(1)),
      .event(SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background), at: .milliseconds(1)),
      .event(TaskCreated(task: first, type: .upload, intent: "film-1"), at: .milliseconds(2)),
      .event(TaskResumed(task: first), at: .milliseconds(3)),
      .event(AttemptStarted(task: first, attempt: 1), at: .milliseconds(4)),
      .event(AssertionBegun(assertion: CorrelationID(5), name: "photos"), at: .seconds(1)),
      .event(AttemptBytesSent(task: first, attempt: 1, sent: sent, expected: 900_000_000), at: .seconds(30)),
      .event(expired, at: .seconds(31)),
      areEvidence ? .evidence(cancelled, at: .seconds(31)) : .event(cancelled, at: .seconds(31)),
    ]
  }

  private static let over: [RuleExample.Step] = [
    .event(AttemptEnded(task: first, attempt: 1, end: .cancelled), at: .milliseconds(31_001)),
    .event(TaskResumed(task: second), at: .milliseconds(31_002)),
    .event(AssertionEnded(assertion: CorrelationID(5), name: "photos"), at: .milliseconds(31_003)),
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
        "an upload of which 400 MB had been sent", certainty: .certain,
        steps: story(sent: 400_000_000, areEvidence: true) + [
          .evidence(TaskCreated(task: second, type: .upload, intent: "film-1"), at: .seconds(31))
        ] + over + [.evidence(taken, at: .seconds(40))])
    ],
    staysSilent: [
      RuleExample(
        "hardly anything had been sent",
        steps: story(sent: 20_000, areEvidence: false) + [
          .event(TaskCreated(task: second, type: .upload, intent: "film-1"), at: .seconds(31))
        ] + over + [.event(taken, at: .seconds(40))]),
      RuleExample(
        "made from resume data",
        steps: story(sent: 400_000_000, areEvidence: false) + [
          .event(
            TaskCreated(task: second, type: .upload, intent: "film-1", resumeData: ValueDigest(7), offset: 400_000_000),
            at: .seconds(31))
        ] + over + [.event(AttemptStarted(task: second, attempt: 1, offset: 400_000_000), at: .seconds(40))]),
      RuleExample(
        "the new task is for another film",
        steps: story(sent: 400_000_000, areEvidence: false) + [
          .event(TaskCreated(task: second, type: .upload, intent: "film-2"), at: .seconds(31))
        ] + over + [.event(taken, at: .seconds(40))]),
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
