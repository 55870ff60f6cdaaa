import XferEvents
import XferLifecycle
import XferReplay

/// There was no room for the file.
struct DiskFull: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download), at: .zero),
    .event(TaskResumed(task: .example), at: .milliseconds(1)),
    .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(2)),
    .event(AttemptResponseReceived(task: .example, attempt: 1, status: 200, expected: 5_000_000), at: .milliseconds(9)),
    .event(AttemptBytesReceived(task: .example, attempt: 1, received: 1_000_000, expected: 5_000_000), at: .seconds(2)),
  ]

  private static func sampled(_ free: Int64, at time: Duration = .seconds(3), isEvidence: Bool = true) -> RuleExample.Step {
    let sample = DiskSpaceSampled(free: free, openFiles: 20, freeFiles: 1000)
    return isEvidence ? .evidence(sample, at: time) : .event(sample, at: time)
  }

  private static let ended = AttemptEnded(
    task: .example, attempt: 1, end: .file, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28,
    received: 1_000_000)
  private static let completed = RuleExample.Step.event(
    TaskCompleted(
      task: .example, received: 1_000_000, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28),
    at: .seconds(5))
  private static let offered = RuleExample.Step.event(
    FileOffered(task: .example, delivery: DeliveryID(1), inode: 9, size: 5_000_000, exists: true), at: .seconds(4))
  private static let copied = FileClaimed(
    task: .example, delivery: DeliveryID(1), operation: .copy, osError: 28, inCallback: true)

  static let description = RuleDescription(
    id: "disk-full", severity: .error,
    summary: "The file system had no room for the file.",
    explanation: """
      A download needs room twice: where its bytes are collected, and where the app puts the file, if that is another file \
      system. The error comes when most of it has been transferred, so the transfer is paid for and lost, and a retry ends \
      the same way. The log tells a full disk from a pretended one by the free space that was seen right before: it was less \
      than what was still needed. The variant says where the room was lacking.
      """,
    remedy: """
      Compare the response's declared length with the free space before the body is received, and tell the user; remove what \
      can be had again.
      """,
    sources: [
      "https://github.com/StepicOrg/stepik-ios/pull/862", "https://github.com/SDWebImage/SDWebImage/issues/2366",
    ],
    reports: [
      RuleExample(
        "four megabytes to come, and two free", certainty: .certain, variant: "transfer",
        steps: begun + [sampled(2_000_000), .evidence(ended, at: .seconds(4)), completed]),
      RuleExample(
        "the copy needs as much again", certainty: .certain, variant: "claim",
        steps: [
          .event(TaskCreated(task: .example, type: .download), at: .zero), sampled(3_000_000), offered,
          .evidence(copied, at: .seconds(4)), .event(AppOutcomeRecorded(task: .example, outcome: .failure), at: .seconds(5)),
        ]),
      RuleExample(
        "nobody knows how much was to come, and nothing was free", certainty: .certain, variant: "transfer",
        .event(TaskCreated(task: .example, type: .download), at: .zero),
        .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(2)), sampled(4096),
        .evidence(ended, at: .seconds(4)), completed),
    ],
    staysSilent: [
      RuleExample(
        "there is room enough, so something else was exhausted",
        steps: begun + [sampled(900_000_000, isEvidence: false), .event(ended, at: .seconds(4)), completed]),
      RuleExample(
        "nobody knows how long it is, and there is much room",
        steps: begun.prefix(3) + [
          .event(AttemptResponseReceived(task: .example, attempt: 1, status: 200), at: .milliseconds(9)),
          sampled(900_000_000, isEvidence: false), .event(ended, at: .seconds(4)), completed,
        ]),
      RuleExample("nobody looked at the disk", steps: begun + [.event(ended, at: .seconds(4)), completed]),
      RuleExample(
        "the look at the disk was an hour ago",
        steps: begun + [
          sampled(4096, at: .seconds(3), isEvidence: false), .event(ended, at: .seconds(3700)),
          .event(LogHeartbeatWritten(), at: .seconds(3701)),
        ]),
      RuleExample(
        "little room, and the connection was lost",
        steps: begun + [
          sampled(4096, isEvidence: false),
          .event(
            AttemptEnded(task: .example, attempt: 1, end: .transport, domain: .curl, error: 56, received: 1_000_000),
            at: .seconds(4)),
        ]),
      RuleExample(
        "little room, and it was enough",
        steps: begun + [
          sampled(4_500_000, isEvidence: false),
          .event(AttemptEnded(task: .example, attempt: 1, end: .finished, received: 5_000_000), at: .seconds(4)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.attemptEnded, .fileClaimed, .taskCompleted]

  /// How old a look at the disk may be.
  var freshness: Duration = .seconds(600)
  /// Bytes that are room enough where nobody knows how much was needed.
  var ample = 64_000_000

  static let limits = [
    RuleLimit("freshness", \Self.freshness, "how old the last look at the disk may be"),
    RuleLimit("ample", \Self.ample, "bytes that count as room enough where the file's length is not known"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let trouble = task.troubles.first(where: { $0.osError == FileTrouble.noSpace }) else {
      return asked.isTaskOver ? .silent : nil
    }
    guard let disk = trouble.surroundings.disk, let free = disk.free, disk.fact.duration(to: trouble.fact) ?? .zero <= freshness
    else { return .undecidable(needs: "disk.spaceSampled right before the error") }
    guard free < trouble.needed ?? Int64(ample) else { return .silent }
    let room = trouble.needed.map { "\($0) bytes were needed" } ?? "its length is not known"
    let isClaim = trouble.kind == .claim
    return .finding(
      Draft(
        variant: isClaim ? "claim" : "transfer",
        summary: """
          There was no room for the file of task \(task.identity.text)\(isClaim ? " where the app wanted it" : ""): \(free) bytes \
          were free, and \(room).
          """,
        claim: .presence, evidence: trouble.fact, [disk.fact]))
  }
}
