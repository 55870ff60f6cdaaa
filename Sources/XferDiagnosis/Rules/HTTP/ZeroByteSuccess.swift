import XferEvents
import XferLifecycle
import XferReplay

/// Reports a successful transfer with an empty body where bytes were expected.
struct ZeroByteSuccess: TaskRule {
  private static func story(
    expected: Int64? = 5000, method: String = "GET", offset: Int64? = nil, status: Int = 200, received: Int64 = 0,
    earlier: [RuleExample.Step] = []
  ) -> [RuleExample.Step] {
    let created: [RuleExample.Step] = [
      .at(0, TaskCreated(type: .download, method: method, expectedToReceive: expected)), .at(0.001, TaskResumed()),
    ]
    return created + earlier + [
      .at(2, AttemptStarted(attempt: 2, offset: offset)),
      .at(2, AttemptRequestSent(attempt: 2, method: method, offset: offset)),
      .at(2, AttemptResponseReceived(attempt: 2, status: status, chunked: true)),
      .at(3, AttemptEnded(attempt: 2, end: .finished, received: received)),
      .at(3, TaskCompleted(delivery: DeliveryID(1), received: received, status: status)),
    ]
  }

  /// The steps of an example: the body is empty although the response declares the given length.
  private static func declared(_ length: Int64) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, expectedToReceive: 5000)), .at(0.001, TaskResumed()),
      .at(2, AttemptStarted(attempt: 1)), .at(2, AttemptResponseReceived(attempt: 1, status: 200, expected: length)),
      .at(3, AttemptEnded(attempt: 1, end: .finished, received: 0)),
      .at(3, TaskCompleted(delivery: DeliveryID(1), received: 0, status: 200)),
    ]
  }

  /// The steps of an attempt that received 400 of 1000 bytes.
  private static let halfway: [RuleExample.Step] = [
    .at(0.002, AttemptStarted(attempt: 1)), .at(0.005, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000)),
    .at(1, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 400, retryIn: .seconds(1))),
  ]

  static let description = RuleDescription(
    id: "zero-byte-success", severity: .critical,
    summary: "The transfer succeeded with an empty body, although bytes were expected.",
    explanation: """
      A server that fails after its status line, a proxy with an empty cache or a server that is being updated may send a 200 \
      response with an empty body, without a declared length or with a length of zero, which HTTP considers complete. An app \
      that does not check the size overwrites its existing file with an empty one. The variant says why bytes were expected: \
      the app declared how many it expects ("expected by the app"), or an earlier response of the task declared the size \
      ("known before").
      """,
    remedy: """
      Set countOfBytesClientExpectsToReceive, and treat an empty body as a failure unless the resource may be empty. Never \
      overwrite a file before you have checked the new one.
      """,
    sources: [
      "https://github.com/streamyfin/streamyfin/issues/2077", "https://github.com/rclone/rclone/issues/5732",
    ],
    reports: [
      RuleExample(
        "the app expects 5000 bytes", .certain, variant: "expected by the app",
        cites: [.taskCreated, .attemptResponseReceived, .taskCompleted], steps: story()),
      RuleExample(
        "the response declares a length of zero", .certain, variant: "expected by the app",
        cites: [.taskCreated, .attemptResponseReceived, .taskCompleted], steps: declared(0)),
      RuleExample(
        "an earlier response declared 1000 bytes", .certain, variant: "known before",
        cites: [.attemptResponseReceived, .taskCompleted], steps: story(expected: nil, offset: 400, earlier: halfway)),
      RuleExample(
        "an earlier attempt announced 1000 bytes and lost the connection, and the download began again", .certain,
        variant: "known before", cites: [.attemptResponseReceived, .taskCompleted],
        steps: story(expected: nil, earlier: halfway)),
      RuleExample(
        "the daemon finished the transfer, and the app has not been launched since", .certain, variant: "known before",
        cites: [.attemptResponseReceived, .taskTransferred],
        steps: story(expected: nil, earlier: halfway).dropLast() + [
          .at(3, TaskTransferred(received: 0, status: 200), by: .daemon)
        ]),
    ],
    staysSilent: [
      RuleExample("the expected size is unknown", steps: story(expected: nil)),
      RuleExample("the app expects an empty body", steps: story(expected: 0)),
      RuleExample("the body has one byte", steps: story(received: 1)),
      RuleExample("a HEAD response has no body", steps: story(method: "HEAD")),
      RuleExample(
        "an earlier attempt announced the length of an error message",
        steps: story(
          expected: nil,
          earlier: [
            .at(0.002, AttemptStarted(attempt: 1)), .at(0.005, AttemptResponseReceived(attempt: 1, status: 503, expected: 1000)),
            .at(1, AttemptEnded(attempt: 1, end: .finished, received: 1000, retryIn: .seconds(1))),
          ])),
      RuleExample("a 204 response has no body", steps: story(status: 204)),
      RuleExample("a 304 response has no body", steps: story(status: 304)),
      RuleExample("the server answered with an error", steps: story(status: 500)),
      RuleExample("the declared bytes were not sent, which is another fault", steps: declared(5000)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.empty)]
  static let watches: Set<EventKind> = [.taskTransferred, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    // The daemon ends a transfer before the app is told, which may never happen.
    let isCarried = world.process(of: task).role == .daemon
    guard let ended = task.completed ?? (isCarried ? task.transferred : nil) else {
      return asked.isTaskOver ? .silent : nil
    }
    guard task.error == nil, task.type != .upload, task.type != nil || task.attempt?.method == "GET", let status = task.status,
      200..<300 ~= status,
      ![204, 205].contains(status), let attempt = task.attempt, let response = attempt.responseReceived,
      (attempt.method ?? task.method) != "HEAD", attempt.declaredLength ?? 0 == 0,
      task.bytesReceived ?? 0 == 0, task.file.size ?? 0 == 0
    else { return .silent }
    if let expected = task.expectedToReceive, expected > 0, let created = task.created {
      return .finding(draft(task, "expected by the app", expected, evidence: created, [response, ended]))
    }
    if let earlier = task.restart?.earlier ?? task.oddities.announced, let size = earlier.size, size > 0 {
      return .finding(draft(task, "known before", size, evidence: earlier.response, [response, ended]))
    }
    return .silent
  }

  private func draft(_ task: TaskLifecycle, _ variant: String, _ size: Int64, evidence: Fact, _ rest: [Fact]) -> Draft {
    Draft(
      variant: variant,
      summary: """
        Task \(task.identity.label) succeeded with an empty body, although \(size) \(size == 1 ? "byte was" : "bytes were") expected.
        """,
      claim: .presence, evidence: evidence, rest)
  }
}
