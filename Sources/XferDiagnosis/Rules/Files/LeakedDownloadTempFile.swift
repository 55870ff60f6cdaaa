import XferEvents
import XferLifecycle
import XferReplay

/// Reports temporary files of downloads that belong to no task and to no resume data.
struct LeakedDownloadTempFile: ProcessRule {
  private static func found(_ file: String, age: Duration, owner: String? = nil) -> DiskLeftOverFound {
    DiskLeftOverFound(file: file, inode: 7, size: 1_000_000, age: age, owner: owner)
  }

  private static let started = RuleExample.Step.at(0, DaemonStarted(generation: 3, version: "1.0"), by: .daemon)
  private static let later = RuleExample.Step.at(60, LogHeartbeatWritten(), by: .daemon)

  /// The steps of an example: a download starts; `steps` follow; a day later, the daemon finds the download's temporary file.
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    let owner = "\(TaskIdentity.example.uid)"
    return [.at(0, TaskCreated(type: .download)), .at(0, TaskResumed())] + steps + [
      .at(100_001, found("/spool/a.part", age: .seconds(100_000), owner: owner), by: .daemon),
      .at(100_060, LogHeartbeatWritten(), by: .daemon),
    ]
  }

  static let description = RuleDescription(
    id: "leaked-download-temp-file", severity: .warning,
    summary: "Temporary files of downloads were left over, and no task needs them.",
    explanation: """
      From its first byte until the app moves it, a download is a temporary file. When the task is lost in between (its app is \
      uninstalled, its record is lost, its process terminates during a cancellation), the file stays on disk, belongs to no \
      task, and takes up space until a cleanup finds it. A file of a live task is not reported, nor is a file that stored \
      resume data refers to.
      """,
    remedy: """
      At each start, compare the temporary directory with the live tasks and with the resume data that you keep, and delete \
      the files that belong to neither. The daemon does this for its own spool directory; this rule reports the files that it \
      finds there.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/2822",
      "https://learn.microsoft.com/ja-jp/windows/win32/bits/life-cycle-of-a-bits-job",
    ],
    reports: [
      RuleExample(
        "two files are more than a day old", .certain, cites: [.diskLeftOverFound],
        started, .at(1, found("/spool/a.part", age: .seconds(200_000)), by: .daemon),
        .at(2, LogHeartbeatWritten(), by: .daemon), .at(3, found("/spool/b.body", age: .seconds(100_000)), by: .daemon), later),
      RuleExample(
        "the file's task was cancelled without resume data", .certain, cites: [.diskLeftOverFound],
        steps: story(
          .at(1, TaskCompleted(domain: .curl, error: 42, errorName: "cancelled", cancelReason: CancelReason.none)),
          .at(2, AppOutcomeRecorded(task: .example, outcome: .cancelled)))),
    ],
    staysSilent: [
      RuleExample(
        "the file is a few minutes old, as after a crash",
        started, .at(1, found("/spool/a.part", age: .seconds(300)), by: .daemon), later),
      RuleExample("the file's task is still live", steps: story(.at(1, AttemptStarted(attempt: 1)))),
      RuleExample(
        "the task was paused, and its resume data is kept",
        steps: story(.at(1, TaskCompleted(domain: .curl, error: 42, errorName: "cancelled", resumeData: ValueDigest(4))))),
    ])

  static let watches: Set<EventKind> = [.diskLeftOverFound]

  /// The minimum age of a reported file; a younger file may belong to a task that is not recorded yet.
  var age: Duration = .seconds(86_400)
  /// The time to wait for further files of the same cleanup, which are recorded one by one.
  var settling: Duration = .seconds(5)

  static let limits = [
    RuleLimit("age", \Self.age, "how old a file must be to be reported"),
    RuleLimit("settling", \Self.settling, "how long to wait for further files of the same cleanup"),
  ]

  /// The maximum number of files that a finding cites.
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
