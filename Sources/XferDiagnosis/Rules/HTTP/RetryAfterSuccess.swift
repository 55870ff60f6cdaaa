import XferEvents
import XferLifecycle
import XferReplay

/// The server had answered with a success, and the request was made again.
struct RetryAfterSuccess: TaskRule {
  private static func begun(_ type: TaskType = .upload, _ method: String = "PUT") -> [RuleExample.Step] {
    [
      .event(TaskCreated(task: .example, type: type, method: method), at: .zero),
      .event(TaskResumed(task: .example), at: .milliseconds(1)),
      .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(2)),
      .event(AttemptRequestSent(task: .example, attempt: 1, method: method, headers: "host"), at: .milliseconds(4)),
    ]
  }
  private static func response(_ status: Int = 200, expected: Int64? = nil) -> AttemptResponseReceived {
    AttemptResponseReceived(task: .example, attempt: 1, status: status, expected: expected)
  }
  private static func ended(_ end: AttemptEnd, received: Int64 = 0) -> AttemptEnded {
    AttemptEnded(task: .example, attempt: 1, end: end, received: received, retryIn: .seconds(1))
  }
  private static func again(offset: Int64? = nil) -> AttemptStarted {
    AttemptStarted(task: .example, attempt: 2, offset: offset)
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
        "an upload that was answered with 200", certainty: .certain, variant: "upload",
        steps: begun() + [
          .evidence(response(), at: .milliseconds(1500)), .evidence(ended(.timeout), at: .seconds(60)),
          .evidence(again(), at: .seconds(61)),
        ]),
      RuleExample(
        "the daemon ended before it had taken note", certainty: .certain, variant: "upload",
        steps: begun() + [.evidence(response(201), at: .milliseconds(1500)), .evidence(again(), at: .seconds(61))]),
      RuleExample(
        "a download that was whole", certainty: .certain, variant: "download",
        steps: begun(.download, "GET") + [
          .evidence(response(200, expected: 10), at: .seconds(1)), .evidence(ended(.finished, received: 10), at: .seconds(2)),
          .evidence(again(), at: .seconds(3)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the body broke off on its way",
        steps: begun(.download, "GET") + [
          .event(response(200, expected: 10), at: .seconds(1)), .event(ended(.transport, received: 4), at: .seconds(2)),
          .event(again(offset: 4), at: .seconds(3)),
        ]),
      RuleExample(
        "it was shorter than declared",
        steps: begun(.download, "GET") + [
          .event(response(200, expected: 10), at: .seconds(1)), .event(ended(.finished, received: 4), at: .seconds(2)),
          .event(again(), at: .seconds(3)),
        ]),
      RuleExample(
        "the engine had no use for the answer, because of its digest for instance",
        steps: begun() + [
          .event(response(), at: .seconds(1)), .event(ended(.refused), at: .seconds(2)), .event(again(), at: .seconds(3)),
        ]),
      RuleExample(
        "the next part",
        steps: begun(.download, "GET") + [
          .event(response(206, expected: 10), at: .seconds(1)), .event(ended(.finished, received: 10), at: .seconds(2)),
          .event(again(offset: 10), at: .seconds(3)),
        ]),
      RuleExample(
        "the answer was an error",
        steps: begun() + [
          .event(response(503), at: .seconds(1)), .event(ended(.finished), at: .seconds(2)), .event(again(), at: .seconds(3)),
        ]),
      RuleExample(
        "the app had suspended a download, and resumed it",
        steps: begun(.download, "GET") + [
          .event(response(200, expected: 10), at: .seconds(1)), .event(ended(.suspended, received: 4), at: .seconds(2)),
          .event(again(offset: 4), at: .seconds(3)),
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
