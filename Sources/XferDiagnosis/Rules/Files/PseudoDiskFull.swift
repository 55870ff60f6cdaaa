import XferEvents
import XferLifecycle
import XferReplay

/// Reports a full-disk error that occurred while space was free, in a process whose open files or live sessions had increased.
struct PseudoDiskFull: TaskRule {
  private static func sampled(_ openFiles: Int64?, freeFiles: Int64? = 90_000, free: Int64 = 9_000_000_000) -> DiskSpaceSampled {
    DiskSpaceSampled(free: free, openFiles: openFiles, freeFiles: freeFiles)
  }

  private static func ended(_ osError: Int = 28) -> AttemptEnded {
    AttemptEnded(attempt: 1, end: .file, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: osError, received: 0)
  }

  /// The steps of a download up to `last`, the last measurement before the error, preceded by the steps `earlier`.
  private static func begun(
    after earlier: [RuleExample.Step], expected: Int64? = 30_000, _ last: DiskSpaceSampled
  ) -> [RuleExample.Step] {
    earlier + [
      .at(50, TaskCreated(type: .download)), .at(50, TaskResumed()), .at(51, AttemptStarted(attempt: 1)),
      .at(52, AttemptResponseReceived(attempt: 1, status: 200, expected: expected)), .at(53, last),
    ]
  }

  /// The steps of an example: a download fails with a full-disk error.
  private static func story(
    after earlier: [RuleExample.Step] = [.at(1, sampled(40))], expected: Int64? = 30_000, _ last: DiskSpaceSampled,
    osError: Int = 28
  ) -> [RuleExample.Step] {
    begun(after: earlier, expected: expected, last) + [
      .at(54, ended(osError)),
      .at(55, TaskCompleted(received: 0, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28)),
    ]
  }

  /// The steps of two measurements with an increasing number of open files.
  private static let rising: [RuleExample.Step] = [.at(1, sampled(40)), .at(20, sampled(500))]

  /// The steps in which sessions are created one after another, too few to be reported as a session leak.
  private static func sessions(_ count: Int, isReleased: Bool = false) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let (name, instance) = ("s-\(number)", CorrelationID(UInt64(number)))
      let created = RuleExample.Step.at(
        .seconds(number), SessionCreated(session: name, instance: instance, sessionKind: .default))
      let released = RuleExample.Step.at(.seconds(number), SessionReleased(session: name, instance: instance))
      return isReleased ? [created, released] : [created]
    }
  }

  static let description = RuleDescription(
    id: "pseudo-disk-full", severity: .error,
    summary: "The system reported a full disk while space was free; the process had exhausted another resource.",
    explanation: """
      The system also reports “No space left on device” when a process can open no more files or map no more memory. \
      Transfers that each create their own session keep sockets, caches and temporary files open, and after some hundred \
      transfers one fails with this error on a disk that is almost empty. The variant names what had increased: the live \
      sessions or the open files.
      """,
    remedy: """
      Use one session for all tasks of a kind, invalidate the others (finishTasksAndInvalidate), and close files and sockets \
      after use. Record the number of open descriptors regularly: it shows the leak long before the error does.
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/issues/4313", "https://github.com/itinance/react-native-fs/pull/938",
      "https://github.com/silkimen/cordova-plugin-advanced-http/pull/520",
    ],
    needsWholeLog: true,
    consequenceOf: ["session-leak"],
    untriggerable: "Linux reports exhausted descriptors and memory with errors of their own, and not as a full disk.",
    reports: [
      RuleExample(
        "the number of open files kept increasing", .certain, variant: "open files",
        cites: [.first(.diskSpaceSampled), .last(.diskSpaceSampled), .attemptEnded], steps: story(after: rising, sampled(1020))),
      RuleExample(
        "each transfer had its own session", .certain, variant: "sessions", cites: [.diskSpaceSampled, .attemptEnded],
        steps: story(after: sessions(12), sampled(nil))),
      RuleExample(
        "the length is unknown, and much space was free", .certain, variant: "open files",
        cites: [.first(.diskSpaceSampled), .last(.diskSpaceSampled), .attemptEnded],
        steps: story(after: rising, expected: nil, sampled(1020))),
    ],
    staysSilent: [
      RuleExample(
        "the length is unknown, and little space was free",
        steps: story(after: rising, expected: nil, sampled(1020, free: 50_000_000))),
      RuleExample(
        "the last measurement was a quarter of an hour old",
        steps: begun(after: rising, sampled(1020)) + [.at(953, ended()), .at(954, LogHeartbeatWritten())]),
      RuleExample("the process had few sessions and few open files", steps: story(after: sessions(3), sampled(44))),
      RuleExample("the disk is really full", steps: story(sampled(1020, free: 100))),
      RuleExample("the file system has no free inodes", steps: story(sampled(1020, freeFiles: 0))),
      RuleExample("the user's disk quota is exceeded", steps: story(sampled(1020), osError: 122)),
      RuleExample("the process had few open files and no sessions", steps: story(sampled(44))),
      RuleExample(
        "the process had many open files, but their number did not increase",
        steps: story(after: [.at(1, sampled(900))], sampled(890))),
      RuleExample("each session was released", steps: story(after: sessions(12, isReleased: true), sampled(40))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.attemptEnded, .fileClaimed, .taskCompleted]

  var freshness: Duration = .seconds(600)
  var ample = 64_000_000
  /// The minimum number of open descriptors whose increase counts as the cause; many systems allow 256 or 1024.
  var openFiles = 200
  /// The minimum number of live sessions that counts as the cause.
  var sessions = 10

  static let limits = [
    RuleLimit("freshness", \Self.freshness, "how old the last measurement of free space may be"),
    RuleLimit("ample", \Self.ample, "free bytes that are considered sufficient when the file's length is unknown"),
    RuleLimit("openFiles", \Self.openFiles, "number of open files that counts as the cause if it kept increasing"),
    RuleLimit("sessions", \Self.sessions, "number of live sessions that counts as the cause"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let trouble = task.troubles.first(where: { $0.osError == FileTrouble.noSpace }) else {
      return asked.isTaskOver ? .silent : nil
    }
    let around = trouble.surroundings
    guard let disk = around.disk, let free = disk.free, disk.fact.duration(to: trouble.fact) ?? .zero <= freshness else {
      return .undecidable(needs: "disk.spaceSampled shortly before the error")
    }
    if free < trouble.needed ?? Int64(ample) || disk.freeFiles == 0 { return .silent }
    let fault = "Task \(task.identity.label) failed with a full-disk error while \(free) bytes were free"
    let unless = disk.freeFiles == nil ? ["the file system has no free inodes"] : []
    if around.liveSessions >= sessions {
      return .finding(
        Draft(
          variant: "sessions", summary: "\(fault): the process had \(around.liveSessions) live sessions.", claim: .presence,
          evidence: trouble.fact, [disk.fact], unless: unless))
    }
    guard let files = around.openFiles, let first = files.first.openFiles, let last = files.last.openFiles else {
      return .undecidable(needs: "openFiles of disk.spaceSampled")
    }
    guard last >= Int64(openFiles), files.isRising, last > first else { return .silent }
    return .finding(
      Draft(
        variant: "open files", summary: "\(fault): the process had \(last) open files, up from \(first).",
        claim: .presence, evidence: trouble.fact, [files.first.fact, disk.fact], unless: unless))
  }
}
