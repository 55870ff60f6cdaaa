import XferEvents
import XferLifecycle
import XferReplay

/// Reports a retry of a request that the server had answered with a success.
struct RetryAfterSuccess: TaskRule {
  private static func begun(_ type: TaskType = .upload, _ method: String = "PUT") -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: type, method: method)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
      .at(0.004, AttemptRequestSent(attempt: 1, method: method, headers: "host")),
    ]
  }
  private static func response(_ status: Int = 200, expected: Int64? = nil) -> AttemptResponseReceived {
    AttemptResponseReceived(attempt: 1, status: status, expected: expected)
  }
  private static func ended(_ end: AttemptEnd, received: Int64 = 0) -> AttemptEnded {
    AttemptEnded(attempt: 1, end: end, received: received, retryIn: .seconds(1))
  }
  private static func again(offset: Int64? = nil) -> AttemptStarted { AttemptStarted(attempt: 2, offset: offset) }

  /// The steps of an example: a download of ten bytes receives a response, and a second attempt starts.
  private static func download(
    status: Int = 200, _ end: AttemptEnd, received: Int64, againFrom offset: Int64? = nil
  ) -> [RuleExample.Step] {
    begun(.download, "GET") + [
      .at(1, response(status, expected: 10)), .at(2, ended(end, received: received)), .at(3, again(offset: offset)),
    ]
  }

  static let description = RuleDescription(
    id: "retry-after-success", severity: .critical,
    summary: "The server had answered with a success, and the same request was sent again.",
    explanation: """
      Once the server has answered with a success, the transfer is complete, whatever happens later on the client: the daemon \
      terminates before it has stored the result, the app is not running to receive the completion, or a timeout fires a \
      moment late. An engine that decides to retry without checking the response uploads the same body repeatedly while the \
      server stores each copy, or downloads a file twice. The variant says whether the transfer is an upload or a download.
      """,
    remedy: """
      Store the success before you make any other decision, and check it first after a restart. On the server, detect a \
      repeated upload by an Idempotency-Key, so that it does no harm.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/17319"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "an upload was answered with 200", .certain, variant: "upload",
        cites: [.last(.attemptStarted), .attemptResponseReceived, .attemptEnded],
        steps: begun() + [.at(1.5, response()), .at(60, ended(.timeout)), .at(61, again())]),
      RuleExample(
        "the log lacks the end of the first attempt", .certain, variant: "upload",
        cites: [.last(.attemptStarted), .attemptResponseReceived],
        steps: begun() + [.at(1.5, response(201)), .at(61, again())]),
      RuleExample(
        "a download was complete", .certain, variant: "download",
        cites: [.last(.attemptStarted), .attemptResponseReceived, .attemptEnded], steps: download(.finished, received: 10)),
    ],
    staysSilent: [
      RuleExample("the connection was lost during the body", steps: download(.transport, received: 4, againFrom: 4)),
      RuleExample("the body was shorter than declared", steps: download(.finished, received: 4)),
      RuleExample(
        "the engine rejected the response, for example because of its digest",
        steps: begun() + [.at(1, response()), .at(2, ended(.refused)), .at(3, again())]),
      RuleExample(
        "the second attempt requests the next part", steps: download(status: 206, .finished, received: 10, againFrom: 10)),
      RuleExample(
        "the server answered with an error",
        steps: begun() + [.at(1, response(503)), .at(2, ended(.finished)), .at(3, again())]),
      RuleExample("the app suspended a download and resumed it", steps: download(.suspended, received: 4, againFrom: 4)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.repeated)]
  static let watches: Set<EventKind> = [.attemptStarted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let needless = task.incidents.needlessTry else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        variant: needless.isUpload ? "upload" : "download",
        summary: "The server answered task \(task.identity.label) with \(needless.status), but the task was retried.",
        claim: .presence, evidence: needless.response, [needless.ended, needless.started]))
  }
}
