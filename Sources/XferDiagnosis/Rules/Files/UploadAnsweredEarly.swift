import XferEvents
import XferLifecycle
import XferReplay

/// Reports an upload that the server confirmed before it had received the whole file.
struct UploadAnsweredEarly: TaskRule {
  /// The steps of an example: an upload of a file of 1000 bytes gets a response after some of its bytes were sent.
  private static func upload(
    size: Int64? = 1000, sent: Int64 = 0, status: Int = 201, end: AttemptEnd = .finished, offset: Int64? = nil,
    between: [RuleExample.Step] = []
  ) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .upload, method: "PUT", sourceFile: "/data/a", sourceSize: 1000)), .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1, offset: offset, sourceSize: size)),
      .at(0.003, AttemptRequestSent(attempt: 1, method: "PUT", offset: offset)),
    ] + between + [
      .at(0.1, AttemptResponseReceived(attempt: 1, status: status, expected: 0)),
      .at(0.2, AttemptEnded(attempt: 1, end: end, received: 0, sent: sent)),
      .at(0.2, TaskCompleted(sent: sent, status: status)),
    ]
  }

  static let description = RuleDescription(
    id: "upload-answered-early", severity: .error,
    summary: "The server confirmed an upload before it had received the whole file.",
    explanation: """
      HTTP allows a final response before the request's body has arrived, for example instead of "100 Continue". The client then \
      stops sending. With an error status the upload simply failed. With a status of 2xx it counts as a success, although the server \
      has only a part of the file or none of it: a handler that answers before it reads, a proxy that answers in the server's \
      place, or a route that is not the one that stores files.
      """,
    remedy: """
      Let the server answer after it has read and stored the body, and reject a body that is shorter than its declared length. \
      After an upload, compare the size or digest that the server reports with those of the file.
      """,
    sources: [
      "https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1", "https://github.com/httpwg/http-core/issues/82",
      "https://github.com/httpwg/http-extensions/issues/3398",
    ],
    reports: [
      RuleExample(
        "the server answered instead of asking for the body", .certain, cites: [.attemptResponseReceived, .attemptEnded],
        steps: upload()),
      RuleExample(
        "the server answered in the middle of the body", .certain, cites: [.attemptResponseReceived, .attemptEnded],
        steps: upload(sent: 400)),
    ],
    staysSilent: [
      RuleExample("the whole file was sent", steps: upload(sent: 1000)),
      RuleExample("the server rejected the upload before it was sent", steps: upload(status: 403)),
      RuleExample("the upload continues where an earlier one stopped", steps: upload(sent: 400, offset: 600)),
      RuleExample("the size of the file is unknown", steps: upload(size: nil)),
      RuleExample("the connection was lost", steps: upload(end: .transport)),
      RuleExample(
        "the server led the upload to another resource, which the client gets without a body",
        steps: upload(between: [
          .at(0.01, AttemptRedirectReceived(attempt: 1, status: 303, scheme: "https", host: "b")),
          .at(0.02, AttemptRedirectAnswered(attempt: 1, decision: .followed)),
          .at(0.03, AttemptRequestSent(attempt: 1, transaction: 2, method: "GET")),
        ])),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.answeredEarly)]
  static let watches: Set<EventKind> = [.attemptEnded, .taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let attempt = task.attempt, let unsent = attempt.unsentBytes, let size = attempt.sourceSize,
      let response = attempt.responseReceived
    else { return asked.isTaskOver ? .silentSoFar : nil }
    return .finding(
      Draft(
        summary: "The server confirmed upload \(task.identity.label) when \(size - unsent) of \(size) bytes had been sent.",
        claim: .presence, evidence: response, [attempt.ended],
        unless: ["the server has the file already, and needs only the header fields of the request"]))
  }
}
