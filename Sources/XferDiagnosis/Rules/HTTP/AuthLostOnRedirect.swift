import XferEvents
import XferLifecycle
import XferReplay

/// A redirect to another origin left the credentials behind, and the new one wants some.
struct AuthLostOnRedirect: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .data, scheme: "https", host: "example.com")), .at(0.001, TaskResumed()),
    .at(0.002, AttemptStarted(attempt: 1, scheme: "https", host: "example.com")),
  ]

  private static func sent(_ transaction: Int, authorized: Bool?) -> AttemptRequestSent {
    AttemptRequestSent(attempt: 1, transaction: transaction, method: "GET", authorized: authorized)
  }
  private static func redirect(to host: String) -> AttemptRedirectReceived {
    AttemptRedirectReceived(attempt: 1, transaction: 1, status: 302, scheme: "https", host: host, path: "/")
  }
  private static func followed(credentialsKept: Bool? = nil) -> AttemptRedirectAnswered {
    AttemptRedirectAnswered(
      task: .example, attempt: 1, transaction: 1, decision: .followed, credentialsKept: credentialsKept, by: .engine)
  }
  private static func response(_ status: Int) -> AttemptResponseReceived {
    AttemptResponseReceived(attempt: 1, transaction: 2, status: status)
  }

  private static let ended: RuleExample.Step = .at(0.02, AttemptEnded(attempt: 1, end: .finished, received: 9))

  static let description = RuleDescription(
    id: "auth-lost-on-redirect", severity: .error,
    summary: "A redirect to another origin dropped the credentials, and the new origin refused the request without them.",
    explanation: """
      Credentials are meant for the origin that they were given for. libcurl and URLSession therefore take Authorization \
      out of the request when a redirect leads to another scheme, host or port, as they have to. A service that moved to \
      another name, or a gateway in front of a store that wants the same token, then answers 401 or 403, and the app \
      believes that its credentials are wrong.
      """,
    remedy: """
      Ask the final address directly, or add the credentials again in the redirect's callback, for origins that you name \
      and no others. On the server's side redirect to an address that needs none, such as a signed one.
      """,
    sources: [
      "https://github.com/NYPL-Simplified/Simplified-iOS/issues/925", "https://github.com/Alamofire/Alamofire/issues/1850",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "401 from the new host", .certain, cites: [.attemptRequestSent, .attemptRedirectReceived, .attemptResponseReceived],
        steps: begun + [
          .at(0.003, sent(1, authorized: true)), .at(0.005, redirect(to: "cdn.example.com")), .at(0.006, followed()),
          .at(0.008, sent(2, authorized: false)), .at(0.01, response(401)), ended,
        ]),
      RuleExample(
        "403, and the answer to the redirect says that the credentials stay behind", .certain,
        cites: [.attemptRequestSent, .attemptRedirectReceived, .attemptRedirectAnswered, .attemptResponseReceived],
        steps: begun + [
          .at(0.003, sent(1, authorized: true)), .at(0.005, redirect(to: "cdn.example.com")),
          .at(0.006, followed(credentialsKept: false)), .at(0.01, response(403)), ended,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the new host needs none",
        steps: begun + [
          .at(0.003, sent(1, authorized: true)), .at(0.005, redirect(to: "cdn.example.com")),
          .at(0.006, followed(credentialsKept: false)), .at(0.008, sent(2, authorized: false)), .at(0.01, response(200)), ended,
        ]),
      RuleExample(
        "the credentials went along and were refused",
        steps: begun + [
          .at(0.003, sent(1, authorized: true)), .at(0.005, redirect(to: "example.com")),
          .at(0.006, followed(credentialsKept: true)), .at(0.008, sent(2, authorized: true)), .at(0.01, response(401)), ended,
        ]),
      RuleExample(
        "there were none to lose",
        steps: begun + [
          .at(0.003, sent(1, authorized: false)), .at(0.005, redirect(to: "cdn.example.com")), .at(0.006, followed()),
          .at(0.008, sent(2, authorized: false)), .at(0.01, response(401)), ended,
        ]),
      RuleExample(
        "the app added them again",
        steps: begun + [
          .at(0.003, sent(1, authorized: true)), .at(0.005, redirect(to: "cdn.example.com")),
          .at(0.006, followed(credentialsKept: false)), .at(0.008, sent(2, authorized: true)), .at(0.01, response(403)), ended,
        ]),
      RuleExample(
        "the same origin, and the app took them out itself",
        steps: begun + [
          .at(0.003, sent(1, authorized: true)), .at(0.005, redirect(to: "example.com")), .at(0.006, followed()),
          .at(0.008, sent(2, authorized: false)), .at(0.01, response(401)), ended,
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptRedirectReceived)]
  static let watches: Set<EventKind> = [.attemptEnded]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let attempt = task.attempt, attempt.ended != nil, let response = attempt.responseReceived else {
      return asked.isTaskOver ? .silent : nil
    }
    guard let stripped = attempt.redirects.stripped, attempt.status == 401 || attempt.status == 403 else {
      return attempt.retryIn == nil || asked.isTaskOver ? .silent : nil
    }
    let host = attempt.redirects.origin?.host ?? "another origin"
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.text) was redirected to \(host) without its credentials, and was answered with \
          \(attempt.status ?? 0).
          """,
        claim: .presence, evidence: stripped.authorized, [stripped.redirect, stripped.unauthorized, response]))
  }
}
