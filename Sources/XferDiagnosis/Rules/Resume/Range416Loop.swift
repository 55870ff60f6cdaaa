import XferEvents
import XferLifecycle
import XferReplay

/// The same range is asked for again after the server has said that there is none.
struct Range416Loop: TaskRule {
  private static func created(_ task: TaskIdentity = .example, path: String = "/f") -> TaskCreated {
    TaskCreated(task: task, type: .download, scheme: "https", host: "example.com", path: path)
  }

  /// An attempt that asks for the rest and is refused.
  private static func attempt(
    _ number: Int, of task: TaskIdentity = .example, from offset: Int64 = 400, status: Int = 416, total: Int64? = nil,
    at second: Int
  ) -> [RuleExample.Step] {
    let response = AttemptResponseReceived(task: task, attempt: number, status: status, rangeTotal: total)
    return [
      .at(.seconds(second), AttemptStarted(task: task, attempt: number, offset: offset)),
      .at(.seconds(second), AttemptRequestSent(task: task, attempt: number, method: "GET", offset: offset)),
      .at(.seconds(second), response),
      .at(.seconds(second), AttemptEnded(task: task, attempt: number, end: .finished, received: 0)),
    ]
  }
  private static let begun: [RuleExample.Step] = [.at(0, created()), .at(0.001, TaskResumed())]
  private static func failed(_ task: TaskIdentity = .example, at second: Int) -> [RuleExample.Step] {
    let delivery = DeliveryID(UInt64(task.number))
    return [
      .at(.seconds(second), DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
      .at(.seconds(second), DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
      .at(.seconds(second), TaskCompleted(task: task, delivery: delivery, status: 416, domain: .url, error: -1011)),
    ]
  }

  static let description = RuleDescription(
    id: "range-416-loop", severity: .error,
    summary: "The server has refused a range, and the same range was asked for again.",
    explanation: """
      416 (Range Not Satisfiable) says that the resource ends before the byte that was asked for: the partial file is longer \
      than it may be, belongs to another version, or its length was written down wrongly. Nothing of that changes by asking \
      again, and a client that keeps the partial file, or the offset in its journal, is refused for ever.
      """,
    remedy: """
      On 416 compare the length in Content-Range with what you have: where they are equal, all is there. Otherwise drop the \
      partial file and begin at the first byte.
      """,
    sources: ["https://github.com/owncloud/client/issues/2280"],
    reports: [
      RuleExample(
        "two attempts of one task", .certain, cites: [.attemptResponseReceived],
        steps: begun + attempt(1, at: 1) + attempt(2, at: 2) + failed(at: 3)),
      RuleExample(
        "the next task for the same address", .certain, cites: [.attemptResponseReceived],
        steps: begun + attempt(1, total: 300, at: 1) + failed(at: 2) + [
          .at(60, created(.example(2))), .at(60, TaskResumed(task: .example(2))),
        ] + attempt(1, of: .example(2), at: 61) + failed(.example(2), at: 62)),
    ],
    staysSilent: [
      RuleExample("refused once, and begun anew", steps: begun + attempt(1, at: 1) + attempt(2, from: 0, status: 200, at: 2)),
      RuleExample("another range", steps: begun + attempt(1, at: 1) + attempt(2, from: 200, at: 2) + failed(at: 3)),
      RuleExample(
        "all of it is there",
        steps: begun + attempt(1, total: 400, at: 1) + attempt(2, total: 400, at: 2) + failed(at: 3)),
      RuleExample("refused once", steps: begun + attempt(1, at: 1) + failed(at: 3)),
      RuleExample(
        "another resource",
        steps: begun + attempt(1, at: 1) + failed(at: 2) + [
          .at(60, created(.example(2), path: "/g")), .at(60, TaskResumed(task: .example(2))),
        ] + attempt(1, of: .example(2), at: 61) + failed(.example(2), at: 62)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.rangeRefused)]
  static let watches: Set<EventKind> = [.attemptEnded]

  /// The second one shows that nothing was learnt from the first.
  var refusals = 2

  static let limits = [RuleLimit("refusals", \Self.refusals, "how often one range has to be refused, twice at least")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // A loop that goes on, in this task or in the next, is told of once.
    guard let range = task.incidents.refusedRange, range.count == refusals else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.text) asked for the rest from byte \(range.offset), which the server had refused before.
          """,
        claim: .presence, evidence: range.first, [range.again]))
  }
}
