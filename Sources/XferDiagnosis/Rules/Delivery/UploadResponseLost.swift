import XferEvents
import XferLifecycle
import XferReplay

/// An upload whose response body did not reach the app's next launch.
struct UploadResponseLost: RememberingTaskRule {
  /// The steps of an example: the app exits, the daemon finishes an upload, and the next launch of the app receives `completed`.
  private static func story(answer: Int64 = 40, _ completed: TaskCompleted) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: "default-1", sessionKind: .background, hasDelegate: true)),
      .at(0, TaskCreated(type: .upload, method: "POST")), .at(0, TaskResumed()),
      .at(1, ProcessExited(code: 0, exitReason: .returned)), .at(2, AttemptStarted(attempt: 1), by: .daemon),
      .at(3, AttemptResponseReceived(attempt: 1, status: 201, expected: answer), by: .daemon),
      .at(3, AttemptEnded(attempt: 1, end: .finished, received: answer), by: .daemon),
      .at(20, TaskAdopted(), by: .nextLife), .at(21, completed, by: .nextLife),
    ]
  }
  private static func completed(received: Int64?) -> TaskCompleted {
    TaskCompleted(delivery: DeliveryID(1), received: received, sent: 100, status: 201)
  }

  static let description = RuleDescription(
    id: "upload-response-lost", severity: .error,
    summary: "The response body of an upload did not reach the app: its next launch received the completion without the body.",
    explanation: """
      The server's response to an upload (an id, a receipt) is delivered to the session's delegate, in whichever launch of the \
      app has the session at that time. If the session is created too late, or if the response is kept only in the memory of a \
      process that ends, the task completes successfully without its response: the app cannot find the uploaded file on the \
      server, and often uploads it again.
      """,
    remedy: """
      In the app, create the background session immediately at each launch, and store the response body before \
      urlSession(_:task:didCompleteWithError:) returns, which acknowledges the completion. The daemon must store the response \
      with the task until the app has acknowledged the completion.
      """,
    sources: [
      "https://github.com/spoonconsulting/cordova-plugin-background-upload/pull/43",
      "https://github.com/781flyingdutchman/background_downloader/issues/309",
    ],
    untriggerable: "The daemon keeps the body of an upload’s response until the app has acknowledged it.",
    reports: [
      RuleExample(
        "the server sent 40 bytes, and the app received none", .certain, cites: [.attemptResponseReceived, .taskCompleted],
        steps: story(completed(received: 0)))
    ],
    staysSilent: [
      RuleExample("the app received the response", steps: story(completed(received: 40))),
      RuleExample("the server sent no body", steps: story(answer: 0, completed(received: 0))),
      RuleExample("the log does not say how much the app received", steps: story(completed(received: nil))),
      RuleExample("the upload failed", steps: story(TaskCompleted(received: 0, status: 201, domain: .curl, error: 56))),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]
  static let remembers: Set<EventKind> = [.taskCompleted]

  /// An upload that completed without a response body, although the server had sent one.
  struct Memory {
    /// The number of bytes that the app received; `nil` if unknown.
    let received: Int64?
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    guard task.type == .upload, task.completed == fact, event.error == nil, event.received ?? 0 == 0, task.adopted != nil,
      let attempt = task.attempt, attempt.received > 0 || attempt.declaredLength ?? 0 > 0
    else { return }
    memory = Memory(received: event.received)
  }

  func verdict(on task: TaskLifecycle, remembering memory: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed, let attempt = task.attempt else { return asked.isTaskOver ? .silentSoFar : nil }
    guard memory.received != nil else { return .undecidable(needs: "received of task.completed") }
    guard let response = attempt.responseReceived ?? attempt.ended else { return .silent }
    return .finding(
      Draft(
        summary: """
          The server answered upload \(task.identity.label) with \(max(attempt.received, attempt.declaredLength ?? 0)) bytes, \
          but the app's next launch received none.
          """,
        claim: .presence, evidence: response, [completed]))
  }
}
