import XferEvents
import XferLifecycle
import XferReplay

/// Reports a handoff after which the new task transferred the bytes of the old one again.
struct HandoffRestartedFromZero: HandoffRule {
  private static let (foreground, background) = ("default-1", "com.example.photos")
  private static let first = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: foreground, number: 1)
  private static let second = TaskIdentity(uid: TaskUID(high: 0xE1, low: 2), session: background, number: 1)

  /// The steps of an example: an upload is cancelled after `sent` bytes when the background assertion expires, and a new task
  /// starts.
  private static func story(
    sent: Int64 = 400_000_000, _ created: TaskCreated = TaskCreated(task: second, type: .upload, intent: "film-1"),
    offset: Int64? = nil
  ) -> [RuleExample.Step] {
    [
      .at(0, ProcessStarted(executable: "app")),
      .at(0.001, SessionCreated(session: foreground, instance: CorrelationID(1), sessionKind: .default)),
      .at(0.001, SessionCreated(session: background, instance: CorrelationID(2), sessionKind: .background)),
      .at(0.002, TaskCreated(task: first, type: .upload, intent: "film-1")), .at(0.003, TaskResumed(task: first)),
      .at(0.004, AttemptStarted(task: first, attempt: 1)), .at(1, AssertionBegun(assertion: CorrelationID(5), name: "photos")),
      .at(30, AttemptBytesSent(task: first, attempt: 1, sent: sent, expected: 900_000_000)),
      .at(31, AssertionExpired(assertion: CorrelationID(5), name: "photos")),
      .at(31, TaskCancelRequested(task: first, by: .app)), .at(31, created),
      .at(31.001, AttemptEnded(task: first, attempt: 1, end: .cancelled)), .at(31.002, TaskResumed(task: second)),
      .at(31.003, AssertionEnded(assertion: CorrelationID(5), name: "photos")),
      .at(40, AttemptStarted(task: second, attempt: 1, offset: offset)),
    ]
  }

  static let description = RuleDescription(
    id: "handoff-restarted-from-zero", severity: .warning,
    summary: "The new task of a handoff restarted the transfer from zero, and the old task's progress was lost.",
    explanation: """
      A plain upload cannot continue in another task: the new task sends the file from its first byte. A download can continue \
      only from resume data. The user, who saw most of the transfer done, waits again and pays for the bytes twice.
      """,
    remedy: """
      Upload in parts that the server keeps (tus, multipart uploads), so that only the last part is sent again. Create the new \
      download from the old task's resume data (downloadTask(withResumeData:)). Start large transfers in the background \
      session from the beginning.
      """,
    sources: ["https://tus.io/protocols/resumable-upload"], consequenceOf: ["resume-data-discarded"],
    reports: [
      RuleExample(
        "an upload had sent 400 MB", .certain, cites: [.last(.taskCreated), .last(.attemptStarted), .taskCancelRequested],
        steps: story())
    ],
    staysSilent: [
      RuleExample("only 20 kB had been sent", steps: story(sent: 20_000)),
      RuleExample(
        "the new task was created from resume data",
        steps: story(
          TaskCreated(task: second, type: .upload, intent: "film-1", resumeData: ValueDigest(7), offset: 400_000_000),
          offset: 400_000_000)),
      RuleExample(
        "the new task is for other work (another intent)",
        steps: story(TaskCreated(task: second, type: .upload, intent: "film-2"))),
    ])

  static let watches: Set<EventKind> = [.attemptStarted, .taskCompleted]

  /// The smallest number of bytes whose repetition is reported.
  var least = 1_000_000

  static let limits = [RuleLimit("least", \Self.least, "how many bytes must be transferred again for a restart to be reported")]

  func verdict(on handoff: HandoffLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if handoff.goesOn || handoff.offset > 0 { return .silent }
    guard let started = handoff.successorStarted, let other = handoff.successor, handoff.cancelled ?? handoff.announced != nil
    else { return asked.isEndOfLog ? .silent : nil }
    guard handoff.bytes >= Int64(least) else { return handoff.firstCompleted != nil || asked.isEndOfLog ? .silent : nil }
    let verb = handoff.type == .upload ? "sent" : "received"
    return .finding(
      Draft(
        summary: """
          Task \(other.label) restarted the transfer from zero after \(handoff.first.label) had \(verb) \(handoff.bytes) bytes of \
          it.
          """,
        claim: .presence, evidence: started, [handoff.cancelled ?? handoff.announced, handoff.successorCreated],
        tasks: [handoff.first, other]))
  }
}
