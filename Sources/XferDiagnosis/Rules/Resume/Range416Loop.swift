import XferEvents
import XferLifecycle
import XferReplay

/// A range is requested again after the server has rejected it with status 416.
struct Range416Loop: TaskRule {
  private static func created(_ task: TaskIdentity = .example, path: String = "/f") -> TaskCreated {
    TaskCreated(task: task, type: .download, scheme: "https", host: "example.com", path: path)
  }
  private static let begun: [RuleExample.Step] = [.at(0, created()), .at(0.001, TaskResumed())]

  /// The steps of an attempt that requests the rest of the resource, up to the server's response.
  private static func attempt(
    _ number: Int, of task: TaskIdentity = .example, from offset: Int64 = 400, status: Int = 416, total: Int64? = nil,
    at seconds: Double
  ) -> [RuleExample.Step] {
    [
      .at(seconds, AttemptStarted(task: task, attempt: number, offset: offset)),
      .at(seconds, AttemptRequestSent(task: task, attempt: number, method: "GET", offset: offset)),
      .at(seconds, AttemptResponseReceived(task: task, attempt: number, status: status, rangeTotal: total)),
      .at(seconds, AttemptEnded(task: task, attempt: number, end: .finished, received: 0)),
    ]
  }
  private static func failed(_ task: TaskIdentity = .example, at seconds: Double) -> [RuleExample.Step] {
    let delivery = DeliveryID(UInt64(task.number))
    return [
      .at(seconds, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, TaskCompleted(task: task, delivery: delivery, status: 416, domain: .url, error: -1011)),
    ]
  }
  /// The steps of an attempt that requests the whole resource and is interrupted at the byte from which the others resume.
  private static func whole(_ number: Int, at seconds: Double) -> [RuleExample.Step] {
    [
      .at(seconds, AttemptStarted(attempt: number)), .at(seconds, AttemptRequestSent(attempt: number, method: "GET")),
      .at(seconds, AttemptResponseReceived(attempt: number, status: 200, expected: 1000)),
      .at(seconds, AttemptEnded(attempt: number, end: .transport, domain: .curl, error: 18, received: 400, retryIn: .zero)),
    ]
  }
  /// The steps of a second task, whose range is rejected, too.
  private static func next(path: String = "/f") -> [RuleExample.Step] {
    let task = TaskIdentity.example(2)
    return [.at(60, created(task, path: path)), .at(60, TaskResumed(task: task))] + attempt(1, of: task, at: 61)
      + failed(task, at: 62)
  }

  static let description = RuleDescription(
    id: "range-416-loop", severity: .error,
    summary: "The server rejected a range with status 416, and the same range was requested again.",
    explanation: """
      416 (Range Not Satisfiable) means that the resource ends before the first requested byte: the partial file is too long, \
      belongs to another version, or its length was recorded wrongly. A retry cannot change that. A client that keeps the \
      partial file, or the offset in its journal, is rejected forever. A server or a proxy may also reject every range; then \
      a download that is interrupted at the same byte each time never ends, although the client restarts it.
      """,
    remedy: """
      On 416, compare the total length in Content-Range with the length of the partial file. If they are equal, the file is \
      complete. Otherwise delete the partial file and restart from the first byte. If the server rejects every range, let it \
      ignore Range and answer 200.
      """,
    sources: ["https://github.com/owncloud/client/issues/2280"],
    reports: [
      RuleExample(
        "two attempts of one task were rejected", .certain, cites: [.attemptResponseReceived],
        steps: begun + attempt(1, at: 1) + attempt(2, at: 2) + failed(at: 3)),
      RuleExample(
        "the next task for the same URL was rejected, too", .certain, cites: [.attemptResponseReceived],
        steps: begun + attempt(1, total: 300, at: 1) + failed(at: 2) + next()),
      RuleExample(
        "the download restarted and was interrupted at the same byte", .certain,
        cites: [.number(1, .attemptResponseReceived), .number(3, .attemptResponseReceived)],
        steps: begun + attempt(1, at: 1) + whole(2, at: 2) + attempt(3, at: 3) + failed(at: 4)),
    ],
    staysSilent: [
      RuleExample(
        "the second attempt restarted from the first byte",
        steps: begun + attempt(1, at: 1) + attempt(2, from: 0, status: 200, at: 2)),
      RuleExample(
        "the second attempt requested another range",
        steps: begun + attempt(1, at: 1) + attempt(2, from: 200, at: 2) + failed(at: 3)),
      RuleExample(
        "the partial file is complete",
        steps: begun + attempt(1, total: 400, at: 1) + attempt(2, total: 400, at: 2) + failed(at: 3)),
      RuleExample("the range was rejected only once", steps: begun + attempt(1, at: 1) + failed(at: 3)),
      RuleExample(
        "the next task fetches another resource",
        steps: begun + attempt(1, at: 1) + failed(at: 2) + next(path: "/g")),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.rangeRefused)]
  static let watches: Set<EventKind> = [.attemptEnded]

  /// The number of rejections of one range to report. The second one shows that the client did not react to the first.
  var refusals = 2

  static let limits = [
    RuleLimit("refusals", \Self.refusals, "the number of rejections of one range that counts as a loop (at least two)")
  ]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // A loop that continues, in this task or in the next one, is reported once.
    guard let range = task.incidents.refusedRange, range.count == refusals else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.label) requested the range from byte \(range.offset), which the server had already rejected.
          """,
        claim: .presence, evidence: range.first, [range.again]))
  }
}
