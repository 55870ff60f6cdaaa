import XferEvents
import XferLifecycle
import XferReplay

/// Temporary files of downloads lie about for which nobody waits.
struct LeakedDownloadTempFile: ProcessRule {
  private static let owner = "\(TaskIdentity.example.uid)"

  private static func found(_ file: String, age: Duration, size: Int64 = 1_000_000, owner: String? = nil) -> DiskLeftOverFound {
    DiskLeftOverFound(file: file, inode: 7, size: size, age: age, owner: owner)
  }

  private static let started = RuleExample.Step.at(0, DaemonStarted(generation: 3, version: "1.0"), by: .daemon)
  private static let later = RuleExample.Step.at(60, LogHeartbeatWritten(), by: .daemon)

  static let description = RuleDescription(
    id: "leaked-download-temp-file", severity: .warning,
    summary: "Temporary files of downloads were left over, and nobody waits for them.",
    explanation: """
      Between its first byte and the moment when the app takes it over, a download is a temporary file. When the task is \
      forgotten in between (its app is removed, its row is lost, its process dies while it cancels) the file stays, outside \
      of every list, and counts against the app or the system until somebody looks. A file of a task that goes on, or of \
      which resume data is still kept, is none of these.
      """,
    remedy: """
      Compare the temporary directory with the tasks and with the resume data that is kept, at each start, and remove what \
      belongs to neither. The daemon does this with its own spool; what it removes is what is reported here.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/2822",
      "https://learn.microsoft.com/ja-jp/windows/win32/bits/life-cycle-of-a-bits-job",
    ],
    reports: [
      RuleExample(
        "two that are days old", .certain, cites: [.diskLeftOverFound],
        started, .at(1, found("/spool/a.part", age: .seconds(200_000)), by: .daemon),
        .at(2, LogHeartbeatWritten(), by: .daemon), .at(3, found("/spool/b.body", age: .seconds(100_000)), by: .daemon), later),
      RuleExample(
        "the task that it was made for is over", .certain, cites: [.diskLeftOverFound],
        .at(0, TaskCreated(type: .download)), .at(0, TaskResumed()),
        .at(1, TaskCompleted(domain: .curl, error: 42, errorName: "cancelled", cancelReason: CancelReason.none)),
        .at(2, AppOutcomeRecorded(task: .example, outcome: .cancelled)),
        .at(100_001, found("/spool/a.part", age: .seconds(100_000), owner: owner), by: .daemon),
        .at(100_060, LogHeartbeatWritten(), by: .daemon)),
    ],
    staysSilent: [
      RuleExample(
        "a few minutes old, as after a crash",
        started, .at(1, found("/spool/a.part", age: .seconds(300)), by: .daemon), later),
      RuleExample(
        "its task goes on",
        .at(0, TaskCreated(type: .download)), .at(0, TaskResumed()), .at(1, AttemptStarted(attempt: 1)),
        .at(100_001, found("/spool/a.part", age: .seconds(100_000), owner: owner), by: .daemon),
        .at(100_060, LogHeartbeatWritten(), by: .daemon)),
      RuleExample(
        "it was paused, and its resume data is kept",
        .at(0, TaskCreated(type: .download)), .at(0, TaskResumed()),
        .at(1, TaskCompleted(domain: .curl, error: 42, errorName: "cancelled", resumeData: ValueDigest(4))),
        .at(100_001, found("/spool/a.part", age: .seconds(100_000), owner: owner), by: .daemon),
        .at(100_060, LogHeartbeatWritten(), by: .daemon)),
    ])

  static let watches: Set<EventKind> = [.diskLeftOverFound]

  /// What is younger may be somebody's whose record comes later.
  var age: Duration = .seconds(86_400)
  /// Who looks tells of one after another.
  var settling: Duration = .seconds(5)

  static let limits = [
    RuleLimit("age", \Self.age, "how old a file must be that nobody waits for"),
    RuleLimit("settling", \Self.settling, "how long to wait for more of them"),
  ]

  /// Files to cite.
  private static let cited = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let old = process.leftOvers?.oldest.filter { $0.age >= age } ?? []
    guard let files = process.leftOvers, let first = old.first else {
      return process.endFact == nil && !asked.isEndOfLog ? nil : .silent
    }
    let last = files.oldest.max { $0.fact.monotonic ?? 0 < $1.fact.monotonic ?? 0 } ?? first
    guard process.endFact != nil || asked.isEndOfLog || asked.covered(since: last.fact, by: process) >= settling else {
      return .wait(settling, after: first.fact)
    }
    let bytes = old.reduce(Int64(0)) { $0.addingClamped($1.size) }
    let noun = old.count == 1 ? "temporary file of a download was" : "temporary files of downloads were"
    return .finding(
      Draft(
        summary: "\(old.count) \(noun) left over, \(bytes) bytes; the oldest is \(first.age.inSeconds) old.",
        claim: .presence, evidence: first.fact, old.dropFirst().prefix(Self.cited - 1).map(\.fact)))
  }
}
