import XferEvents
import XferLifecycle
import XferReplay

/// A success without a byte, where there should be some.
struct ZeroByteSuccess: TaskRule {
  private static func story(
    expected: Int64? = 5000, method: String = "GET", offset: Int64? = nil, status: Int = 200, chunked: Bool? = true,
    received: Int64 = 0, earlier: [RuleExample.Step] = []
  ) -> [RuleExample.Step] {
    let created = TaskCreated(type: .download, method: method, expectedToReceive: expected)
    let response = AttemptResponseReceived(attempt: 2, status: status, chunked: chunked)
    let completed = TaskCompleted(delivery: DeliveryID(1), received: received, status: status)
    func step(_ event: some TransferEvent, at time: Duration, cited: Bool = true) -> RuleExample.Step {
      .at(time, event)
    }
    return [
      step(created, at: .zero, cited: expected != nil), .at(0.001, TaskResumed()),
    ] + earlier + [
      .at(2, AttemptStarted(attempt: 2, offset: offset)),
      .at(2, AttemptRequestSent(attempt: 2, method: method, offset: offset)),
      step(response, at: .seconds(2)),
      .at(3, AttemptEnded(attempt: 2, end: .finished, received: received)),
      step(completed, at: .seconds(3)),
    ]
  }

  /// An attempt that got four hundred of a thousand bytes.
  private static func halfway(_ response: RuleExample.Step) -> [RuleExample.Step] {
    [
      .at(0.002, AttemptStarted(attempt: 1)), response,
      .at(1, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 400, retryIn: .seconds(1))),
    ]
  }
  private static let whole = AttemptResponseReceived(attempt: 1, status: 200, expected: 1000)

  static let description = RuleDescription(
    id: "zero-byte-success", severity: .critical,
    summary: "The transfer is a success without a single byte, although there should be some.",
    explanation: """
      A server that breaks down behind its status line, a proxy with an empty cache, a change of the server's software: the \
      answer is 200 with nothing behind it, without a declared length or with one of zero, and it is complete by the rules of \
      HTTP. An app that does not look at the size replaces what it has by an empty file. The variant says how it is known that \
      there should be something: the app has said how many bytes it expects, or an earlier answer of the task told the size.
      """,
    remedy: """
      Say what you expect (countOfBytesClientExpectsToReceive), and take an empty body for a failure unless the resource may \
      be empty. Never replace a file before the new one is checked.
      """,
    sources: [
      "https://github.com/streamyfin/streamyfin/issues/2077", "https://github.com/rclone/rclone/issues/5732",
    ],
    reports: [
      RuleExample(
        "the app expects five thousand", .certain, variant: "expected by the app",
        cites: [.taskCreated, .attemptResponseReceived, .taskCompleted],
        steps: story()),
      RuleExample(
        "a declared length of zero", .certain, variant: "expected by the app",
        cites: [.taskCreated, .attemptResponseReceived, .taskCompleted],
        .at(0, TaskCreated(type: .download, expectedToReceive: 5000)), .at(0.001, TaskResumed()),
        .at(2, AttemptStarted(attempt: 1)), .at(2, AttemptResponseReceived(attempt: 1, status: 200, expected: 0)),
        .at(3, AttemptEnded(attempt: 1, end: .finished, received: 0)),
        .at(3, TaskCompleted(delivery: DeliveryID(1), received: 0, status: 200))),
      RuleExample(
        "a thousand were there a moment ago", .certain, variant: "known before",
        cites: [.attemptResponseReceived, .taskCompleted],
        steps: story(expected: nil, offset: 400, earlier: halfway(.at(0.005, whole)))),
    ],
    staysSilent: [
      RuleExample("nobody expects anything", steps: story(expected: nil)),
      RuleExample("the app expects nothing", steps: story(expected: 0)),
      RuleExample("one byte came", steps: story(received: 1)),
      RuleExample("the answer to HEAD has no body", steps: story(method: "HEAD")),
      RuleExample("no content, as the status says", steps: story(status: 204)),
      RuleExample("not modified", steps: story(status: 304)),
      RuleExample("an error", steps: story(status: 500)),
      RuleExample(
        "declared and not sent, which is another problem",
        .at(0, TaskCreated(type: .download, expectedToReceive: 5000)), .at(0.001, TaskResumed()),
        .at(2, AttemptStarted(attempt: 1)), .at(2, AttemptResponseReceived(attempt: 1, status: 200, expected: 5000)),
        .at(3, AttemptEnded(attempt: 1, end: .finished, received: 0)),
        .at(3, TaskCompleted(delivery: DeliveryID(1), received: 0, status: 200))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.empty)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.result == .succeeded, task.type != .upload, let status = task.status, 200..<300 ~= status,
      ![204, 205].contains(status), let attempt = task.attempt, let response = attempt.responseReceived,
      (attempt.method ?? task.method) != "HEAD", attempt.declaredLength ?? 0 == 0,
      task.bytesReceived ?? 0 == 0, task.file.size ?? 0 == 0
    else { return .silent }
    if let expected = task.expectedToReceive, expected > 0, let created = task.created {
      return .finding(draft(task, "expected by the app", expected, evidence: created, [response, completed]))
    }
    if let earlier = task.restart?.earlier, let size = earlier.size, size > 0 {
      return .finding(draft(task, "known before", size, evidence: earlier.response, [response, completed]))
    }
    return .silent
  }

  private func draft(_ task: TaskLifecycle, _ variant: String, _ size: Int64, evidence: Fact, _ rest: [Fact]) -> Draft {
    Draft(
      variant: variant, summary: "Task \(task.identity.text) is a success without a byte, where \(size) were to come.",
      claim: .presence, evidence: evidence, rest)
  }
}
