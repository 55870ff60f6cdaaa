import XferEvents
import XferLifecycle
import XferReplay

/// The server sent all of it where the rest was asked for, and all of it was added to what was there.
struct ResumeRangeIgnored: TaskRule {
  private static let resumed: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(1, AttemptStarted(attempt: 2, offset: 400)),
  ]
  private static let asked = AttemptRequestSent(attempt: 2, method: "GET", offset: 400)
  private static let all = AttemptResponseReceived(attempt: 2, status: 200, expected: 1000)

  private static func offered(size: Int64) -> FileOffered {
    FileOffered(delivery: DeliveryID(1), inode: 9, size: size, exists: true)
  }

  private static func ended(received: Int64) -> RuleExample.Step {
    .at(2, AttemptEnded(attempt: 2, end: .finished, received: received))
  }
  private static func completed(received: Int64, status: Int = 200) -> TaskCompleted {
    TaskCompleted(delivery: DeliveryID(2), received: received, status: status)
  }

  static let description = RuleDescription(
    id: "resume-range-ignored", severity: .critical,
    summary: "The server answered a range with the whole resource, and it was appended to the part that was there.",
    explanation: """
      A server may ignore Range: then it answers 200, without Content-Range, and sends everything from the first byte. A \
      client that opened its partial file for appending, and takes any 2xx for the rest, now has the beginning twice. The \
      file is as long as the part and the whole together.
      """,
    remedy: "Append only after 206 with the Content-Range that was asked for; on 200 cut the file to nothing first.",
    sources: ["https://github.com/rust-lang/rustup/issues/4710"],
    reports: [
      RuleExample(
        "the file is as long as the part and the whole", .certain,
        cites: [.attemptRequestSent, .attemptResponseReceived, .fileOffered, .taskCompleted],
        steps: resumed + [
          .at(1, asked), .at(1.5, all), ended(received: 1000), .at(3, offered(size: 1400)), .at(3, completed(received: 1000)),
        ]),
      RuleExample(
        "without a declared length", .certain, cites: [.attemptRequestSent, .attemptResponseReceived, .taskCompleted],
        steps: resumed + [
          .at(1, asked), .at(1.5, AttemptResponseReceived(attempt: 2, status: 200, chunked: true)), ended(received: 1000),
          .at(3, completed(received: 1400)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "begun anew: the file is as long as the whole",
        steps: resumed + [
          .at(1, asked), .at(1.5, all), ended(received: 1000), .at(3, offered(size: 1000)), .at(3, completed(received: 1000)),
        ]),
      RuleExample(
        "begun anew: the log says that the request is from the first byte",
        steps: resumed + [
          .at(1, asked), .at(1.5, all), .at(2, AttemptEnded(attempt: 2, end: .refused, received: 0, retryIn: .zero)),
          .at(2, AttemptStarted(attempt: 3, offset: 0)),
          .at(2, AttemptResponseReceived(attempt: 3, status: 200, expected: 1000)),
          .at(3, AttemptEnded(attempt: 3, end: .finished, received: 1000)), .at(3, offered(size: 1000)),
          .at(3, completed(received: 1000)),
        ]),
      RuleExample(
        "the server sent the rest",
        steps: resumed + [
          .at(1, asked),
          .at(1.5, AttemptResponseReceived(attempt: 2, status: 206, expected: 600, rangeStart: 400, rangeTotal: 1000)),
          ended(received: 600), .at(3, offered(size: 1000)), .at(3, completed(received: 1000, status: 206)),
        ]),
      RuleExample(
        "the engine refused the answer",
        steps: resumed + [
          .at(1, asked), .at(1.5, all), .at(2, AttemptEnded(attempt: 2, end: .refused, domain: .xfer, error: 1, received: 0)),
          .at(3, TaskCompleted(delivery: DeliveryID(2), status: 200, domain: .xfer, error: 1)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.result == .succeeded, let attempt = task.attempt, let both = Self.both(in: task),
      let request = attempt.requestSent ?? attempt.started, let response = attempt.responseReceived
    else { return .silent }
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.text) asked for the rest from byte \(attempt.offset), was sent all \(both.whole) bytes, and added \
          them to what it had.
          """,
        claim: .presence, evidence: request, [response, both.file, completed]))
  }

  /// The size of the whole, and the file if it is what shows that the part is in front of it; `nil` when nothing does.
  static func both(in task: TaskLifecycle) -> (whole: Int64, file: Fact?)? {
    guard let attempt = task.attempt, attempt.offset > 0, attempt.status == 200, !attempt.hasContentRange else { return nil }
    let whole = attempt.declaredLength ?? attempt.received
    // Less than both together may have been written before the end; more than the whole cannot be right.
    func holdsBoth(_ size: Int64?) -> Bool { size.map { $0 > whole && $0 - whole <= attempt.offset } ?? false }
    let file = holdsBoth(task.file.size) ? task.file.offered : nil
    return file != nil || holdsBoth(task.received) || holdsBoth(attempt.received) ? (whole, file) : nil
  }
}
