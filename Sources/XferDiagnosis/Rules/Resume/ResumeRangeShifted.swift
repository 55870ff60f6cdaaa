import XferEvents
import XferLifecycle
import XferReplay

/// Another part came than was asked for, and was put where the right one belongs.
struct ResumeRangeShifted: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(1, AttemptStarted(attempt: 2, offset: 400)),
  ]
  private static let asked = AttemptRequestSent(attempt: 2, method: "GET", offset: 400)
  private static func part(_ status: Int = 206, start: Int64, length: Int64 = 600, total: Int64? = 1000)
    -> AttemptResponseReceived
  {
    AttemptResponseReceived(
      task: .example, attempt: 2, status: status, expected: length, rangeStart: start, rangeTotal: total)
  }
  private static func offered(size: Int64) -> FileOffered {
    FileOffered(delivery: DeliveryID(1), inode: 9, size: size, exists: true)
  }
  private static func ended(_ received: Int64, _ end: AttemptEnd = .finished) -> RuleExample.Step {
    .at(2, AttemptEnded(attempt: 2, end: end, received: received))
  }
  private static func completed(_ status: Int = 206) -> TaskCompleted {
    TaskCompleted(delivery: DeliveryID(2), status: status)
  }

  static let description = RuleDescription(
    id: "resume-range-shifted", severity: .critical,
    summary: "The server sent another part than was asked for, and it was written as if it were the right one.",
    explanation: """
      A 206 may carry another range than the request: caches that keep blocks begin at the block's first byte, others count \
      wrongly. There are also servers that send a part under 200, with Content-Range and nothing else to tell it from the \
      whole. Content-Range is then the only truth. A client that appends whatever comes has bytes twice, or misses some, in a \
      file whose size may even look right. The variants: "another part", or "part as the whole".
      """,
    remedy: """
      Read Content-Range in every answer that has one, and put the bytes where it says; refuse an answer that begins behind \
      the end of what you have. Check the whole file by size and digest.
      """,
    sources: [
      "https://github.com/xroche/httrack/pull/428", "https://github.com/jizhi0v0/duo-updater/issues/225",
      "https://github.com/modelscope/modelscope_hub/issues/50", "https://github.com/larksuite/cli/pull/2176",
    ],
    reports: [
      RuleExample(
        "it began at the block's first byte, and was appended", .certain, variant: "another part",
        cites: [.attemptRequestSent, .attemptResponseReceived, .fileOffered, .taskCompleted],
        steps: begun + [
          .at(1, asked), .at(1.5, part(start: 256, length: 744)), ended(744), .at(3, offered(size: 1144)), .at(3, completed()),
        ]),
      RuleExample(
        "a part under 200 was taken for the whole", .certain, variant: "part as the whole",
        cites: [.attemptRequestSent, .attemptResponseReceived, .fileOffered, .taskCompleted],
        steps: begun + [
          .at(1, asked), .at(1.5, part(200, start: 400)), ended(600), .at(3, offered(size: 600)), .at(3, completed(200)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "what came was what was asked for",
        steps: begun + [
          .at(1, asked), .at(1.5, part(start: 400)), ended(600), .at(3, offered(size: 1000)), .at(3, completed()),
        ]),
      RuleExample(
        "less than was asked for, from the right byte",
        steps: begun + [
          .at(1, asked), .at(1.5, part(start: 400, length: 100)), ended(100), .at(3, offered(size: 500)), .at(3, completed()),
        ]),
      RuleExample(
        "it began earlier, and was put in its place",
        steps: begun + [
          .at(1, asked), .at(1.5, part(start: 256, length: 744)), ended(744), .at(3, offered(size: 1000)), .at(3, completed()),
        ]),
      RuleExample(
        "the engine had no use for it",
        steps: begun + [
          .at(1, asked), .at(1.5, part(start: 256, length: 744)), ended(0, .refused),
          .at(3, TaskCompleted(delivery: DeliveryID(2), domain: .xfer, error: 4, errorName: "cannotResume")),
        ]),
      RuleExample(
        "the engine had no use for it, and began anew",
        steps: begun + [
          .at(1, asked), .at(1.5, part(start: 256, length: 744)), ended(0, .refused),
          .at(2, AttemptStarted(attempt: 3, offset: 0)),
          .at(2, AttemptResponseReceived(attempt: 3, status: 200, expected: 1000)),
          .at(3, AttemptEnded(attempt: 3, end: .finished, received: 1000)), .at(3, offered(size: 1000)), .at(3, completed(200)),
        ]),
      RuleExample(
        "the whole under 200, and its range says so",
        steps: begun + [
          .at(1, asked), .at(1.5, part(200, start: 0, length: 1000)), ended(1000), .at(3, offered(size: 1000)),
          .at(3, completed(200)),
        ]),
      RuleExample(
        "nobody says how large the file is",
        steps: begun + [.at(1, asked), .at(1.5, part(start: 256, length: 744)), ended(744), .at(3, completed())]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.oddRange)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.result == .succeeded, let range = task.incidents.oddRange, let came = task.attempt?.received else {
      return .silent
    }
    guard let size = task.file.size ?? (range.offset == 0 ? task.bytesReceived : task.received) else {
      return .undecidable(needs: "size of file.offered")
    }
    let isWrong =
      range.status == 200
      ? size == came && size < range.total ?? (range.start > 0 ? .max : 0)
      : size == range.offset.addingClamped(came)
    guard isWrong else { return .silent }
    return .finding(
      Draft(
        variant: range.status == 200 ? "part as the whole" : "another part",
        summary: """
          Task \(task.identity.text) asked for the bytes from \(range.offset), was sent those from \(range.start), and wrote \
          them as if they were the right ones.
          """,
        claim: .presence, evidence: range.request, [range.response, task.file.size == nil ? nil : task.file.offered, completed]))
  }
}
