import XferEvents
import XferLifecycle
import XferReplay

/// The server answered an upload, and the app's next life was given nothing of it.
struct UploadResponseLost: TaskRule {
  private static func story(answer expected: Int64?, received: Int64 = 0) -> [RuleExample.Step] {
    let response = AttemptResponseReceived(attempt: 1, status: 201, expected: expected)
    return [
      .at(0, SessionCreated(session: TaskIdentity.example.session, sessionKind: .background, hasDelegate: true)),
      .at(0, TaskCreated(type: .upload, method: "POST")),
      .at(0, TaskResumed()),
      .at(1, ProcessExited(code: 0, exitReason: .returned)),
      .at(2, AttemptStarted(attempt: 1), by: .daemon),
      .at(3, response, by: .daemon),
      .at(3, AttemptEnded(attempt: 1, end: .finished, received: expected ?? received), by: .daemon),
    ]
  }
  private static let adopted = RuleExample.Step.at(20, TaskAdopted(), by: .nextLife)
  private static func completed(_ received: Int64?) -> TaskCompleted {
    TaskCompleted(delivery: DeliveryID(1), received: received, sent: 100, status: 201)
  }

  static let description = RuleDescription(
    id: "upload-response-lost", severity: .error,
    summary: "An upload's answer did not reach the app: its next life was told of the end without the body.",
    explanation: """
      What a server answers to an upload (an id, a receipt) is delivered to the session's delegate, in whatever life of the app \
      has the session then. Where the session is made too late, or whoever carries the task keeps the answer in the memory of a \
      process that ends, the task completes well and its answer is gone: the app cannot find what it has uploaded, and often \
      uploads it again.
      """,
    remedy: "Keep the answer with the task until it is acknowledged, and make the session at once at each launch.",
    sources: [
      "https://github.com/spoonconsulting/cordova-plugin-background-upload/pull/43",
      "https://github.com/781flyingdutchman/background_downloader/issues/309",
    ],
    reports: [
      RuleExample(
        "40 bytes were answered, and none was given on", .certain, cites: [.attemptResponseReceived, .taskCompleted],
        steps: story(answer: 40) + [adopted, .at(21, completed(0), by: .nextLife)])
    ],
    staysSilent: [
      RuleExample(
        "the answer was given on",
        steps: story(answer: 40) + [adopted, .at(21, completed(40), by: .nextLife)]),
      RuleExample(
        "the server answered without a body",
        steps: story(answer: 0) + [adopted, .at(21, completed(0), by: .nextLife)]),
      RuleExample(
        "the log does not say how much was given on",
        steps: story(answer: 40) + [adopted, .at(21, completed(nil), by: .nextLife)]),
      RuleExample(
        "it failed",
        steps: story(answer: 40) + [
          adopted, .at(21, TaskCompleted(received: 0, status: 201, domain: .curl, error: 56), by: .nextLife),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.answerLost)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let answer = task.oddities.answer, let completed = task.completed, let attempt = task.attempt else {
      return asked.isTaskOver ? .silentSoFar : nil
    }
    guard answer.received != nil else { return .undecidable(needs: "received of task.completed") }
    guard let response = attempt.responseReceived ?? attempt.ended else { return .silent }
    return .finding(
      Draft(
        summary: """
          Upload \(task.identity.text) was answered with \(max(attempt.received, attempt.declaredLength ?? 0)) bytes, and the app's next \
          life was given none.
          """,
        claim: .presence, evidence: response, [completed]))
  }
}
