import XferEvents
import XferLifecycle
import XferReplay

/// A request that may have been carried out was made again.
struct NonIdempotentReplay: TaskRule {
  private static func begun(_ method: String = "POST") -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .upload, method: method)),
      .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1)),
      .at(0.003, AttemptConnectionAcquired(attempt: 1)),
    ]
  }
  private static func sent(_ method: String = "POST", headers: String? = "content-type,host") -> AttemptRequestSent {
    AttemptRequestSent(attempt: 1, method: method, headers: headers)
  }
  private static func bytes(_ sent: Int64) -> RuleExample.Step {
    .at(0.009, AttemptBytesSent(attempt: 1, sent: sent, expected: 1000))
  }
  private static func ended(_ end: AttemptEnd = .transport, sent: Int64? = 1000) -> AttemptEnded {
    AttemptEnded(
      task: .example, attempt: 1, end: end, domain: .curl, error: end == .timeout ? 28 : 56, sent: sent, retryIn: .seconds(1))
  }
  private static let again = AttemptStarted(attempt: 2)

  /// A first attempt, and a second one.
  private static func story(
    _ method: String = "POST", headers: String? = "content-type,host", bytes: [RuleExample.Step] = [bytes(1000)],
    answer: [RuleExample.Step] = [], ended: AttemptEnded = ended()
  ) -> [RuleExample.Step] {
    func step(_ event: some TransferEvent, at time: Duration) -> RuleExample.Step {
      .at(time, event)
    }
    return begun(method) + [step(sent(method, headers: headers), at: .milliseconds(4))] + bytes + answer + [
      step(ended, at: .seconds(2)), step(again, at: .seconds(3)),
    ]
  }
  private static func answer(_ status: Int) -> [RuleExample.Step] {
    [.at(1, AttemptResponseReceived(attempt: 1, status: status))]
  }

  static let description = RuleDescription(
    id: "non-idempotent-replay", severity: .critical,
    summary: "A request that is not idempotent was sent, its answer was lost, and it was sent again.",
    explanation: """
      When a connection breaks behind a whole POST, nobody on this side knows whether the server has carried it out. An engine, \
      a daemon or a library that tries again makes a second order, comment or upload out of one, and nobody sees it but the \
      server's database. PUT and DELETE may be repeated by their definition; POST and PATCH may not, unless the request carries \
      a key or a condition by which the server knows it again (Idempotency-Key, If-Match, Upload-Offset). A 4xx or 503 shows \
      that it was not carried out; a gateway's 502 or 504 does not.
      """,
    remedy: """
      Give each request a key of its own that stays the same in all attempts, and have the server look for it. Where that \
      cannot be had, do not let POST be tried again by itself: ask the server what it has, then decide.
      """,
    sources: [
      "https://github.com/inaturalist/INaturalistIOS/pull/312", "RFC 9110 §9.2.2",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the connection broke before the answer", .certain, cites: [.last(.attemptStarted), .attemptRequestSent, .attemptEnded],
        steps: story()),
      RuleExample(
        "the answer took too long", .certain, cites: [.last(.attemptStarted), .attemptRequestSent, .attemptEnded],
        steps: story(ended: ended(.timeout))),
      RuleExample(
        "a gateway had no answer", .certain, cites: [.last(.attemptStarted), .attemptRequestSent, .attemptEnded],
        steps: story(answer: answer(504), ended: ended(.finished))),
      RuleExample(
        "a request without a body", .certain, cites: [.last(.attemptStarted), .attemptRequestSent, .attemptEnded],
        steps: story(bytes: [], ended: ended(sent: 0))),
    ],
    staysSilent: [
      RuleExample("a key tells the server that it is the same", steps: story(headers: "content-type,idempotency-key")),
      RuleExample("an upload that is put on at its place", steps: story("PATCH", headers: "upload-offset,tus-resumable")),
      RuleExample("PUT may be repeated", steps: story("PUT")),
      RuleExample("only a part of the body had been sent", steps: story(bytes: [bytes(400)], ended: ended(sent: 400))),
      RuleExample("the server was too busy to take it", steps: story(answer: answer(503), ended: ended(.finished))),
      RuleExample("the server has refused it", steps: story(answer: answer(429), ended: ended(.finished))),
      RuleExample(
        "the server had answered well, which is another problem",
        steps: story(answer: answer(201), ended: ended(.finished))),
      RuleExample(
        "there was no connection yet",
        steps: Array(begun().dropLast()) + [
          .at(1, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 7, retryIn: .seconds(1))), .at(2, again),
        ]),
      RuleExample("nobody says what the request carried", steps: story(headers: nil)),
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
          Task \(task.identity.text) sent its \(replay.method) a second time, and the server may have carried out the first one.
          """,
        claim: .presence, evidence: replay.sent, [replay.ended, replay.started]))
  }
}
