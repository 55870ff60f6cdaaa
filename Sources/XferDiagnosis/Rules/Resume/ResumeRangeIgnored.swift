import XferEvents
import XferLifecycle
import XferReplay

/// The server sent the whole resource instead of the rest, and the client appended it to the partial file.
struct ResumeRangeIgnored: TaskRule {
  /// The steps of an example: the second attempt requests the rest and receives `response`; then `steps` follow.
  private static func story(_ response: AttemptResponseReceived, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(1, AttemptStarted(attempt: 2, offset: 400)),
      .at(1, AttemptRequestSent(attempt: 2, method: "GET", offset: 400)), .at(1.5, response),
    ] + steps
  }
  private static let whole = AttemptResponseReceived(attempt: 2, status: 200, expected: 1000)

  private static func offered(size: Int64) -> RuleExample.Step {
    .at(3, FileOffered(delivery: DeliveryID(1), inode: 9, size: size, exists: true))
  }
  private static func ended(received: Int64 = 1000) -> RuleExample.Step {
    .at(2, AttemptEnded(attempt: 2, end: .finished, received: received))
  }
  private static func completed(received: Int64 = 1000, status: Int = 200) -> RuleExample.Step {
    .at(3, TaskCompleted(delivery: DeliveryID(2), received: received, status: status))
  }

  static let description = RuleDescription(
    id: "resume-range-ignored", severity: .critical,
    summary: "The server answered a range request with the whole resource, which was appended to the partial file.",
    explanation: """
      A server may ignore Range: it then answers 200 without Content-Range and sends the resource from its first byte. A client \
      that opened its partial file for appending and accepts any 2xx status writes the beginning twice. The file is as long as \
      the partial file and the whole resource together.
      """,
    remedy: "Append only after 206 with the requested Content-Range. On 200, truncate the partial file first.",
    sources: ["https://github.com/rust-lang/rustup/issues/4710"],
    untriggerable: "The engine begins the file again when a server answers a range request with the whole resource.",
    reports: [
      RuleExample(
        "the file is as long as the partial file and the resource together", .certain,
        cites: [.attemptRequestSent, .attemptResponseReceived, .fileOffered, .taskCompleted],
        steps: story(whole, ended(), offered(size: 1400), completed())),
      RuleExample(
        "the response declared no length", .certain, cites: [.attemptRequestSent, .attemptResponseReceived, .taskCompleted],
        steps: story(.init(attempt: 2, status: 200, chunked: true), ended(), completed(received: 1400))),
    ],
    staysSilent: [
      RuleExample(
        "the file was truncated: it is as long as the resource",
        steps: story(whole, ended(), offered(size: 1000), completed())),
      RuleExample(
        "a third attempt restarted from the first byte",
        steps: story(
          whole, .at(2, AttemptEnded(attempt: 2, end: .refused, received: 0, retryIn: .zero)),
          .at(2, AttemptStarted(attempt: 3, offset: 0)),
          .at(2, AttemptResponseReceived(attempt: 3, status: 200, expected: 1000)),
          .at(3, AttemptEnded(attempt: 3, end: .finished, received: 1000)), offered(size: 1000), completed())),
      RuleExample(
        "the server sent the rest",
        steps: story(
          .init(attempt: 2, status: 206, expected: 600, rangeStart: 400, rangeTotal: 1000), ended(received: 600),
          offered(size: 1000), completed(status: 206))),
      RuleExample(
        "the engine rejected the response",
        steps: story(
          whole, .at(2, AttemptEnded(attempt: 2, end: .refused, domain: .xfer, error: 1, received: 0)),
          .at(3, TaskCompleted(delivery: DeliveryID(2), status: 200, domain: .xfer, error: 1)))),
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
          Task \(task.identity.label) requested the rest from byte \(attempt.offset), received all \(both.whole) bytes of the \
          resource, and appended them to the partial file.
          """,
        claim: .presence, evidence: request, [response, both.file, completed]))
  }

  /// Returns the size of the resource, and the file event if the file's size shows that the resource was appended.
  ///
  /// - Returns: `nil` when nothing shows that the resource was appended to a partial file.
  static func both(in task: TaskLifecycle) -> (whole: Int64, file: Fact?)? {
    guard let attempt = task.attempt, attempt.offset > 0, attempt.status == 200, !attempt.hasContentRange else { return nil }
    let whole = attempt.declaredLength ?? attempt.received
    // A file whose end was not written may be smaller than both together, but a file larger than the resource is always wrong.
    func holdsBoth(_ size: Int64?) -> Bool { size.map { $0 > whole && $0 - whole <= attempt.offset } ?? false }
    let file = holdsBoth(task.file.size) ? task.file.offered : nil
    return file != nil || holdsBoth(task.received) || holdsBoth(attempt.received) ? (whole, file) : nil
  }
}
