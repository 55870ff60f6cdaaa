import XferEvents
import XferLifecycle
import XferReplay

/// Reports a retry of a request that the server may already have processed.
struct NonIdempotentReplay: TaskRule {
  private static func begun(_ method: String = "POST") -> [RuleExample.Step] {
    [.at(0, TaskCreated(type: .upload, method: method)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1))]
  }
  private static func ended(_ end: AttemptEnd = .transport, sent: Int64? = 1000) -> AttemptEnded {
    AttemptEnded(attempt: 1, end: end, domain: .curl, error: end == .timeout ? 28 : 56, sent: sent, retryIn: .seconds(1))
  }

  /// The steps of an example: a first attempt fails after it has sent some bytes or received a response, and a second attempt
  /// starts.
  private static func story(
    _ method: String = "POST", headers: String? = "content-type,host", bytes: Int64? = 1000, status: Int? = nil,
    ended: AttemptEnded = ended()
  ) -> [RuleExample.Step] {
    var steps: [RuleExample.Step] = begun(method)
    steps.append(.at(0.003, AttemptConnectionAcquired(attempt: 1)))
    steps.append(.at(0.004, AttemptRequestSent(attempt: 1, method: method, headers: headers)))
    if let bytes { steps.append(.at(0.009, AttemptBytesSent(attempt: 1, sent: bytes, expected: 1000))) }
    if let status { steps.append(.at(1, AttemptResponseReceived(attempt: 1, status: status))) }
    return steps + [.at(2, ended), .at(3, AttemptStarted(attempt: 2))]
  }

  static let description = RuleDescription(
    id: "non-idempotent-replay", severity: .critical,
    summary: "A request that is not idempotent was sent again after its response was lost.",
    explanation: """
      When a connection breaks after a complete POST, the client does not know whether the server processed it. An engine, a \
      daemon or a library that retries it may create a second order, comment or upload, which only the server's database \
      shows. PUT and DELETE are idempotent by definition; POST and PATCH are not, unless the request carries a key or a \
      condition by which the server detects a duplicate (Idempotency-Key, If-Match, Upload-Offset). The rule takes a \
      4xx or 503 response to mean that the server did not process the request; a gateway's 502 or 504 leaves it open.
      """,
    remedy: """
      Send an Idempotency-Key that is unique to the request and the same in all its attempts, and let the server check it. \
      Where that is impossible, disable automatic retries of POST: query the server's state first, then decide.
      """,
    sources: [
      "https://github.com/inaturalist/INaturalistIOS/pull/312", "RFC 9110 §9.2.2",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the connection was lost before the response", .certain,
        cites: [.last(.attemptStarted), .attemptRequestSent, .attemptEnded], steps: story()),
      RuleExample(
        "the request timed out", .certain, cites: [.last(.attemptStarted), .attemptRequestSent, .attemptEnded],
        steps: story(ended: ended(.timeout))),
      RuleExample(
        "a gateway answered 504", .certain, cites: [.last(.attemptStarted), .attemptRequestSent, .attemptEnded],
        steps: story(status: 504, ended: ended(.finished))),
      RuleExample(
        "the request has no body", .certain, cites: [.last(.attemptStarted), .attemptRequestSent, .attemptEnded],
        steps: story(bytes: nil, ended: ended(sent: 0))),
    ],
    staysSilent: [
      RuleExample("the request carries an idempotency key", steps: story(headers: "content-type,idempotency-key")),
      RuleExample("the request continues an upload at its offset", steps: story("PATCH", headers: "upload-offset,tus-resumable")),
      RuleExample("the method is PUT", steps: story("PUT")),
      RuleExample("only a part of the body was sent", steps: story(bytes: 400, ended: ended(sent: 400))),
      RuleExample("the server answered 503 and did not process the request", steps: story(status: 503, ended: ended(.finished))),
      RuleExample("the server rejected the request", steps: story(status: 429, ended: ended(.finished))),
      RuleExample(
        "the server answered with a success, which is another fault", steps: story(status: 201, ended: ended(.finished))),
      RuleExample(
        "no connection was established",
        steps: begun() + [
          .at(1, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 7, retryIn: .seconds(1))),
          .at(2, AttemptStarted(attempt: 2)),
        ]),
      RuleExample("the request's header fields are unknown", steps: story(headers: nil)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.repeated)]
  static let watches: Set<EventKind> = [.attemptStarted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let replay = task.incidents.replay else { return asked.isTaskOver ? .silent : nil }
    guard let isGuarded = replay.isGuarded else { return .undecidable(needs: "headers of attempt.requestSent") }
    if isGuarded { return .silent }
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.label) sent its \(replay.method) request again, and the server may have processed the first one.
          """,
        claim: .presence, evidence: replay.sent, [replay.ended, replay.started]))
  }
}
