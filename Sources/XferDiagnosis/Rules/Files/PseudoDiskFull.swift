import XferEvents
import XferLifecycle
import XferReplay

/// The system said that the disk is full, and it was not.
struct PseudoDiskFull: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(50, TaskCreated(type: .download)), .at(50, TaskResumed()), .at(51, AttemptStarted(attempt: 1)),
    .at(52, AttemptResponseReceived(attempt: 1, status: 200, expected: 30_000)),
  ]

  private static let begunWithoutLength =
    begun.dropLast() + [.at(52, AttemptResponseReceived(attempt: 1, status: 200))]

  private static func sampled(_ openFiles: Int64?, freeFiles: Int64? = 90_000, free: Int64 = 9_000_000_000) -> DiskSpaceSampled {
    DiskSpaceSampled(free: free, openFiles: openFiles, freeFiles: freeFiles)
  }

  private static let ended = AttemptEnded(
    task: .example, attempt: 1, end: .file, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28, received: 0)
  private static let completed = RuleExample.Step.at(
    55, TaskCompleted(received: 0, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 28))

  /// Sessions that are made one after another; below what counts as a leak by itself only the limit here matters.
  private static func sessions(_ count: Int, isReleased: Bool = false) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let (name, instance) = ("s-\(number)", CorrelationID(UInt64(number)))
      let made = RuleExample.Step.at(.seconds(number), SessionCreated(session: name, instance: instance, sessionKind: .default))
      let released = RuleExample.Step.at(.seconds(number), SessionReleased(session: name, instance: instance))
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
        "the descriptors had become more and more", .certain, variant: "open files",
        cites: [.first(.diskSpaceSampled), .last(.diskSpaceSampled), .attemptEnded],
        steps: [.at(1, sampled(40)), .at(20, sampled(500))] + begun + [.at(53, sampled(1020)), .at(54, ended), completed]),
      RuleExample(
        "a session for each transfer", .certain, variant: "sessions", cites: [.diskSpaceSampled, .attemptEnded],
        steps: sessions(12) + begun + [.at(53, sampled(nil)), .at(54, ended), completed]),
      RuleExample(
        "its length was not known", .certain, variant: "open files",
        cites: [.first(.diskSpaceSampled), .last(.diskSpaceSampled), .attemptEnded],
        steps: [.at(1, sampled(40)), .at(20, sampled(500))] + begunWithoutLength + [
          .at(53, sampled(1020)), .at(54, ended), completed,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "its length was not known, and there was little room",
        steps: [.at(1, sampled(40)), .at(20, sampled(500))] + begunWithoutLength + [
          .at(53, sampled(1020, free: 50_000_000)), .at(54, ended), completed,
        ]),
      RuleExample(
        "nobody had looked at the disk for a quarter of an hour",
        steps: [.at(1, sampled(40)), .at(20, sampled(500))] + begun + [
          .at(53, sampled(1020)), .at(953, ended),
          .at(954, LogHeartbeatWritten()),
        ]),
      RuleExample(
        "a few sessions, and few descriptors",
        steps: sessions(3) + begun + [.at(53, sampled(44)), .at(54, ended), completed]),
      RuleExample(
        "the disk is full indeed",
        steps: [.at(1, sampled(40))] + begun + [.at(53, sampled(1020, free: 100)), .at(54, ended), completed]),
      RuleExample(
        "the file system has no room for another file",
        steps: [.at(1, sampled(40))] + begun + [.at(53, sampled(1020, freeFiles: 0)), .at(54, ended), completed]),
      RuleExample(
        "the user's quota is used up",
        steps: [.at(1, sampled(40))] + begun + [
          .at(53, sampled(1020)),
          .at(
            54,
            AttemptEnded(
              attempt: 1, end: .file, domain: .curl, error: 23, errorName: "cannotWriteToFile", osError: 122, received: 0)),
          completed,
        ]),
      RuleExample(
        "few descriptors and few sessions, so nothing is known to have grown",
        steps: [.at(1, sampled(40))] + begun + [.at(53, sampled(44)), .at(54, ended), completed]),
      RuleExample(
        "many descriptors, but no more than at the beginning",
        steps: [.at(1, sampled(900))] + begun + [.at(53, sampled(890)), .at(54, ended), completed]),
      RuleExample(
        "each session was let go",
        steps: sessions(12, isReleased: true) + begun + [.at(53, sampled(40)), .at(54, ended), completed]),
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
