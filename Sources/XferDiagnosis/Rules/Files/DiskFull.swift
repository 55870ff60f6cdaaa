import XferEvents
import XferLifecycle
import XferReplay

/// There was no room for the file.
struct DiskFull: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
    .at(0.009, AttemptResponseReceived(attempt: 1, status: 200, expected: 5_000_000)),
    .at(2, AttemptBytesReceived(attempt: 1, received: 1_000_000, expected: 5_000_000)),
  ]

  private static func sampled(_ free: Int64, at time: Duration = .seconds(3)) -> RuleExample.Step {
    let sample = DiskSpaceSampled(free: free, openFiles: 20, freeFiles: 1000)
    return .at(time, sample)
  }

  private static let ended = AttemptEnded(
    task: .example, attempt: 1, end: .file, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28,
    received: 1_000_000)
  private static let completed = RuleExample.Step.at(
    5, TaskCompleted(received: 1_000_000, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28))
  private static let offered = RuleExample.Step.at(
    4, FileOffered(delivery: DeliveryID(1), inode: 9, size: 5_000_000, exists: true))
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
        "four megabytes to come, and two free", .certain, variant: "transfer", cites: [.diskSpaceSampled, .attemptEnded],
        steps: begun + [sampled(2_000_000), .at(4, ended), completed]),
      RuleExample(
        "the copy needs as much again", .certain, variant: "claim", cites: [.diskSpaceSampled, .fileClaimed],
        steps: [
          .at(0, TaskCreated(type: .download)), sampled(3_000_000), offered, .at(4, copied),
          .at(5, AppOutcomeRecorded(task: .example, outcome: .failure)),
        ]),
      RuleExample(
        "nobody knows how much was to come, and nothing was free", .certain, variant: "transfer",
        cites: [.diskSpaceSampled, .attemptEnded],
        .at(0, TaskCreated(type: .download)), .at(0.002, AttemptStarted(attempt: 1)), sampled(4096), .at(4, ended), completed),
    ],
    staysSilent: [
      RuleExample(
        "there is room enough, so something else was exhausted",
        steps: begun + [sampled(900_000_000), .at(4, ended), completed]),
      RuleExample(
        "nobody knows how long it is, and there is much room",
        steps: begun.prefix(3) + [
          .at(0.009, AttemptResponseReceived(attempt: 1, status: 200)), sampled(900_000_000), .at(4, ended),
          completed,
        ]),
      RuleExample("nobody looked at the disk", steps: begun + [.at(4, ended), completed]),
      RuleExample(
        "the look at the disk was an hour ago",
        steps: begun + [sampled(4096, at: .seconds(3)), .at(3700, ended), .at(3701, LogHeartbeatWritten())]),
      RuleExample(
        "little room, and the connection was lost",
        steps: begun + [
          sampled(4096),
          .at(4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 1_000_000)),
        ]),
      RuleExample(
        "little room, and it was enough",
        steps: begun + [
          sampled(4_500_000), .at(4, AttemptEnded(attempt: 1, end: .finished, received: 5_000_000)),
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
