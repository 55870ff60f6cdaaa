import XferEvents
import XferLifecycle
import XferReplay

/// The system said that the disk is full, and it was not.
struct PseudoDiskFull: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download), at: .seconds(50)),
    .event(TaskResumed(task: .example), at: .seconds(50)),
    .event(AttemptStarted(task: .example, attempt: 1), at: .seconds(51)),
    .event(AttemptResponseReceived(task: .example, attempt: 1, status: 200, expected: 30_000), at: .seconds(52)),
  ]

  private static let begunWithoutLength =
    begun.dropLast() + [.event(AttemptResponseReceived(task: .example, attempt: 1, status: 200), at: .seconds(52))]

  private static func sampled(_ openFiles: Int64?, freeFiles: Int64? = 90_000, free: Int64 = 9_000_000_000) -> DiskSpaceSampled {
    DiskSpaceSampled(free: free, openFiles: openFiles, freeFiles: freeFiles)
  }

  private static let ended = AttemptEnded(
    task: .example, attempt: 1, end: .file, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28, received: 0)
  private static let completed = RuleExample.Step.event(
    TaskCompleted(task: .example, received: 0, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28),
    at: .seconds(55))

  /// Sessions that are made one after another; below what counts as a leak by itself only the limit here matters.
  private static func sessions(_ count: Int, isReleased: Bool = false) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let (name, instance) = ("s-\(number)", CorrelationID(UInt64(number)))
      let made = RuleExample.Step.event(
        SessionCreated(session: name, instance: instance, sessionKind: .default), at: .seconds(number))
      let released = RuleExample.Step.event(SessionReleased(session: name, instance: instance), at: .seconds(number))
      return isReleased ? [made, released] : [made]
    }
  }

  static let description = RuleDescription(
    id: "pseudo-disk-full", severity: .error,
    summary: "The system said that there was no room, with room enough: the process had used up something else.",
    explanation: """
      “No space left on device” is also what comes when a process can open no more files or map no more memory. Transfers \
      that each make a session of their own keep sockets, caches and temporary files open, and the several hundredth fails \
      with this error, on a disk that is nearly empty. The variant names what had grown: the sessions that live, or the \
      descriptors that are open.
      """,
    remedy: """
      Use one session for all tasks of a kind and invalidate the others; close what was opened. The number of open \
      descriptors, logged now and then, shows the leak long before the error does.
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/issues/4313", "https://github.com/itinance/react-native-fs/pull/938",
      "https://github.com/silkimen/cordova-plugin-advanced-http/pull/520",
    ],
    needsWholeLog: true,
    consequenceOf: ["session-leak"],
    reports: [
      RuleExample(
        "the descriptors had become more and more", certainty: .certain, variant: "open files",
        steps: [.evidence(sampled(40), at: .seconds(1)), .event(sampled(500), at: .seconds(20))] + begun + [
          .evidence(sampled(1020), at: .seconds(53)), .evidence(ended, at: .seconds(54)), completed,
        ]),
      RuleExample(
        "a session for each transfer", certainty: .certain, variant: "sessions",
        steps: sessions(12) + begun + [
          .evidence(sampled(nil), at: .seconds(53)), .evidence(ended, at: .seconds(54)), completed,
        ]),
      RuleExample(
        "its length was not known", certainty: .certain, variant: "open files",
        steps: [.evidence(sampled(40), at: .seconds(1)), .event(sampled(500), at: .seconds(20))] + begunWithoutLength + [
          .evidence(sampled(1020), at: .seconds(53)), .evidence(ended, at: .seconds(54)), completed,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "its length was not known, and there was little room",
        steps: [.event(sampled(40), at: .seconds(1)), .event(sampled(500), at: .seconds(20))] + begunWithoutLength + [
          .event(sampled(1020, free: 50_000_000), at: .seconds(53)), .event(ended, at: .seconds(54)), completed,
        ]),
      RuleExample(
        "nobody had looked at the disk for a quarter of an hour",
        steps: [.event(sampled(40), at: .seconds(1)), .event(sampled(500), at: .seconds(20))] + begun + [
          .event(sampled(1020), at: .seconds(53)), .event(ended, at: .seconds(953)),
          .event(LogHeartbeatWritten(), at: .seconds(954)),
        ]),
      RuleExample(
        "a few sessions, and few descriptors",
        steps: sessions(3) + begun + [.event(sampled(44), at: .seconds(53)), .event(ended, at: .seconds(54)), completed]),
      RuleExample(
        "the disk is full indeed",
        steps: [.event(sampled(40), at: .seconds(1))] + begun + [
          .event(sampled(1020, free: 100), at: .seconds(53)), .event(ended, at: .seconds(54)), completed,
        ]),
      RuleExample(
        "the file system has no room for another file",
        steps: [.event(sampled(40), at: .seconds(1))] + begun + [
          .event(sampled(1020, freeFiles: 0), at: .seconds(53)), .event(ended, at: .seconds(54)), completed,
        ]),
      RuleExample(
        "the user's quota is used up",
        steps: [.event(sampled(40), at: .seconds(1))] + begun + [
          .event(sampled(1020), at: .seconds(53)),
          .event(
            AttemptEnded(
              task: .example, attempt: 1, end: .file, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 122,
              received: 0), at: .seconds(54)), completed,
        ]),
      RuleExample(
        "few descriptors and few sessions, so nothing is known to have grown",
        steps: [.event(sampled(40), at: .seconds(1))] + begun + [
          .event(sampled(44), at: .seconds(53)), .event(ended, at: .seconds(54)), completed,
        ]),
      RuleExample(
        "many descriptors, but no more than at the beginning",
        steps: [.event(sampled(900), at: .seconds(1))] + begun + [
          .event(sampled(890), at: .seconds(53)), .event(ended, at: .seconds(54)), completed,
        ]),
      RuleExample(
        "each session was let go",
        steps: sessions(12, isReleased: true) + begun + [
          .event(sampled(40), at: .seconds(53)), .event(ended, at: .seconds(54)), completed,
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.fileTrouble)]
  static let watches: Set<EventKind> = [.attemptEnded, .fileClaimed, .taskCompleted]

  var freshness: Duration = .seconds(600)
  var ample = 64_000_000
  /// Descriptors from which on their growth is to blame; many systems allow 256, or 1024.
  var openFiles = 200
  /// Session objects that are alive.
  var sessions = 10

  static let limits = [
    RuleLimit("freshness", \Self.freshness, "how old the last look at the disk may be"),
    RuleLimit("ample", \Self.ample, "bytes that count as room enough where the file's length is not known"),
    RuleLimit("openFiles", \Self.openFiles, "open descriptors, if they have only ever become more, that are too many"),
    RuleLimit("sessions", \Self.sessions, "sessions alive at the same time that are too many"),
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let trouble = task.troubles.first(where: { $0.osError == FileTrouble.noSpace }) else {
      return asked.isTaskOver ? .silent : nil
    }
    let around = trouble.surroundings
    guard let disk = around.disk, let free = disk.free, disk.fact.duration(to: trouble.fact) ?? .zero <= freshness else {
      return .undecidable(needs: "disk.spaceSampled right before the error")
    }
    if free < trouble.needed ?? Int64(ample) || disk.freeFiles == 0 { return .silent }
    let place = "Task \(task.identity.text) failed for want of room, with \(free) bytes free"
    let unless = disk.freeFiles == nil ? ["the file system has no room for another file, however small"] : []
    if around.liveSessions >= sessions {
      return .finding(
        Draft(
          variant: "sessions", summary: "\(place): \(around.liveSessions) sessions of the process were alive.", claim: .presence,
          evidence: trouble.fact, [disk.fact], unless: unless))
    }
    guard let files = around.openFiles, let first = files.first.openFiles, let last = files.last.openFiles else {
      return .undecidable(needs: "openFiles of disk.spaceSampled")
    }
    guard last >= Int64(openFiles), files.isRising, last > first else { return .silent }
    return .finding(
      Draft(
        variant: "open files", summary: "\(place): the process had \(last) files open, \(first) when they were counted first.",
        claim: .presence, evidence: trouble.fact, [files.first.fact, disk.fact], unless: unless))
  }
}
