import XferEvents
import XferLifecycle
import XferReplay

/// The server had answered with a success, and the request was made again.
struct RetryAfterSuccess: TaskRule {
  private static func begun(_ type: TaskType = .upload, _ method: String = "PUT") -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: type, method: method)),
      .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1)),
      .at(0.004, AttemptRequestSent(attempt: 1, method: method, headers: "host")),
    ]
  }
  private static func response(_ status: Int = 200, expected: Int64? = nil) -> AttemptResponseReceived {
    AttemptResponseReceived(attempt: 1, status: status, expected: expected)
  }
  private static func ended(_ end: AttemptEnd, received: Int64 = 0) -> AttemptEnded {
    AttemptEnded(attempt: 1, end: end, received: received, retryIn: .seconds(1))
  }
  private static func again(offset: Int64? = nil) -> AttemptStarted {
    AttemptStarted(attempt: 2, offset: offset)
  }

  static let description = RuleDescription(
    id: "retry-after-success", severity: .critical,
    summary: "The server's answer was a success, and the same request was made again.",
    explanation: """
      Once a success has been answered the transfer is done, whatever happens afterwards on this side: a daemon that ends \
      before it has written that down, an app that is not there to take the completion, a limit that rings a moment late. An \
      engine that decides about a retry without looking at the answer sends an upload again and again while the server stores \
      each, or loads a file twice. The variant says which way the bytes went.
      """,
    remedy: """
      Write the success down before anything else is decided, and look at it first after a restart. On the server's side know \
      an upload again by a key, so that the second one does no harm.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/17319"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "an upload that was answered with 200", .certain, variant: "upload",
        cites: [.last(.attemptStarted), .attemptResponseReceived, .attemptEnded],
        steps: begun() + [.at(1.5, response()), .at(60, ended(.timeout)), .at(61, again())]),
      RuleExample(
        "the daemon ended before it had taken note", .certain, variant: "upload",
        cites: [.last(.attemptStarted), .attemptResponseReceived],
        steps: begun() + [.at(1.5, response(201)), .at(61, again())]),
      RuleExample(
        "a download that was whole", .certain, variant: "download",
        cites: [.last(.attemptStarted), .attemptResponseReceived, .attemptEnded],
        steps: begun(.download, "GET") + [
          .at(1, response(200, expected: 10)), .at(2, ended(.finished, received: 10)), .at(3, again()),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the body broke off on its way",
        steps: begun(.download, "GET") + [
          .at(1, response(200, expected: 10)), .at(2, ended(.transport, received: 4)), .at(3, again(offset: 4)),
        ]),
      RuleExample(
        "it was shorter than declared",
        steps: begun(.download, "GET") + [
          .at(1, response(200, expected: 10)), .at(2, ended(.finished, received: 4)), .at(3, again()),
        ]),
      RuleExample(
        "the engine had no use for the answer, because of its digest for instance",
        steps: begun() + [.at(1, response()), .at(2, ended(.refused)), .at(3, again())]),
      RuleExample(
        "the next part",
        steps: begun(.download, "GET") + [
          .at(1, response(206, expected: 10)), .at(2, ended(.finished, received: 10)), .at(3, again(offset: 10)),
        ]),
      RuleExample(
        "the answer was an error",
        steps: begun() + [.at(1, response(503)), .at(2, ended(.finished)), .at(3, again())]),
      RuleExample(
        "the app had suspended a download, and resumed it",
        steps: begun(.download, "GET") + [
          .at(1, response(200, expected: 10)), .at(2, ended(.suspended, received: 4)), .at(3, again(offset: 4)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.repeated)]
  static let watches: Set<EventKind> = [.attemptStarted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let needless = task.incidents.needlessTry else { return asked.isTaskOver ? .silent : nil }
    return .finding(
      Draft(
        variant: needless.isUpload ? "upload" : "download",
        summary: "Task \(task.identity.text) was answered with \(needless.status), and was tried again.",
        claim: .presence, evidence: needless.response, [needless.ended, needless.started]))
  }
}
