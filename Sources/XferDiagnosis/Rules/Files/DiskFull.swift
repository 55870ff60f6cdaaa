import XferEvents
import XferLifecycle
import XferReplay

/// Reports a transfer or a copy that failed because the file system was full.
struct DiskFull: TaskRule {
  /// The steps up to the receipt of a fifth of a download's body.
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
    .at(0.009, AttemptResponseReceived(attempt: 1, status: 200, expected: 5_000_000)),
    .at(2, AttemptBytesReceived(attempt: 1, received: 1_000_000, expected: 5_000_000)),
  ]

  private static func sampled(_ free: Int64) -> RuleExample.Step {
    .at(3, DiskSpaceSampled(free: free, openFiles: 20, freeFiles: 1000))
  }

  private static let ended = AttemptEnded(
    attempt: 1, end: .file, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28, received: 1_000_000)
  private static let failed: [RuleExample.Step] = [
    .at(4, ended),
    .at(5, TaskCompleted(received: 1_000_000, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28)),
  ]

  static let description = RuleDescription(
    id: "disk-full", severity: .error,
    summary: "The file system had too little free space for the file.",
    explanation: """
      A download needs space twice: where its body is collected, and at the app's destination, if that is on another file \
      system. The error often comes when most of the body has been transferred, so those bytes are lost, and a retry fails the \
      same way. This rule reports the error as a full disk when the free space measured shortly before it was less than the \
      space still needed or, if the length of the file is unknown, less than 64 MB. The variant says which of the two places \
      had too little space: where the body is collected ("transfer") or the app's destination ("claim").
      """,
    remedy: """
      Compare the response's declared length (expectedContentLength) with the free space before the body is received, and \
      tell the user. Delete files that can be downloaded again.
      """,
    sources: [
      "https://github.com/StepicOrg/stepik-ios/pull/862", "https://github.com/SDWebImage/SDWebImage/issues/2366",
    ],
    reports: [
      RuleExample(
        "four megabytes were still needed, and two were free", .certain, variant: "transfer",
        cites: [.diskSpaceSampled, .attemptEnded], steps: begun + [sampled(2_000_000)] + failed),
      RuleExample(
        "the app copied the file, and there was too little space for the copy", .certain, variant: "claim",
        cites: [.diskSpaceSampled, .fileClaimed],
        .at(0, TaskCreated(type: .download)), sampled(3_000_000),
        .at(4, FileOffered(delivery: DeliveryID(1), inode: 9, size: 5_000_000, exists: true)),
        .at(4, FileClaimed(delivery: DeliveryID(1), operation: .copy, osError: 28, inCallback: true)),
        .at(5, AppOutcomeRecorded(task: .example, outcome: .failure))),
      RuleExample(
        "the length is unknown, and almost no space was free", .certain, variant: "transfer",
        cites: [.diskSpaceSampled, .attemptEnded],
        steps: [.at(0, TaskCreated(type: .download)), .at(0.002, AttemptStarted(attempt: 1)), sampled(4096)] + failed),
    ],
    staysSilent: [
      RuleExample(
        "enough space was free, so another resource was exhausted", steps: begun + [sampled(900_000_000)] + failed),
      RuleExample(
        "the length is unknown, and much space was free",
        steps: Array(begun.prefix(3)) + [.at(0.009, AttemptResponseReceived(attempt: 1, status: 200)), sampled(900_000_000)]
          + failed),
      RuleExample("the free space was not measured", steps: begun + failed),
      RuleExample(
        "the free space was measured an hour before",
        steps: begun + [sampled(4096), .at(3700, ended), .at(3701, LogHeartbeatWritten())]),
      RuleExample(
        "little space was free, and the connection was lost",
        steps: begun + [
          sampled(4096), .at(4, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 1_000_000)),
        ]),
      RuleExample(
        "the free space was sufficient",
        steps: begun + [sampled(4_500_000), .at(4, AttemptEnded(attempt: 1, end: .finished, received: 5_000_000))]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.attemptEnded, .fileClaimed, .taskCompleted]

  /// The maximum age of the measurement of free space.
  var freshness: Duration = .seconds(600)
  /// The free bytes that are considered sufficient when the file's length is unknown.
  var ample = 64_000_000

  static let limits = [
    RuleLimit("freshness", \Self.freshness, "how old the last measurement of free space may be"),
    RuleLimit("ample", \Self.ample, "free bytes that are considered sufficient when the file's length is unknown"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let trouble = task.troubles.first(where: { $0.osError == FileTrouble.noSpace }) else {
      return asked.isTaskOver ? .silent : nil
    }
    guard let disk = trouble.surroundings.disk, let free = disk.free, disk.fact.duration(to: trouble.fact) ?? .zero <= freshness
    else { return .undecidable(needs: "disk.spaceSampled shortly before the error") }
    guard free < trouble.needed ?? Int64(ample) else { return .silent }
    let unknown = "the file's length is unknown (less than \(ample) free bytes count as too little)"
    let need = trouble.needed.map { "\($0) bytes were needed" } ?? unknown
    let isClaim = trouble.kind == .claim
    return .finding(
      Draft(
        variant: isClaim ? "claim" : "transfer",
        summary: """
          The disk had too little space for the file of task \(task.identity.label)\
          \(isClaim ? " at the app's destination" : ""): \(free) bytes were free, and \(need).
          """,
        claim: .presence, evidence: trouble.fact, [disk.fact]))
  }
}
