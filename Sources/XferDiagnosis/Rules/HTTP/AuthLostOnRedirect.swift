import XferEvents
import XferLifecycle
import XferReplay

/// Reports a redirect to another origin that removed the credentials, where the new origin requires credentials.
struct AuthLostOnRedirect: TaskRule {
  /// The steps of an example: a request is redirected to `host`. `first` and `second` state whether the request before and the
  /// request after the redirect carry credentials; `second` is `nil` if the log lacks the second request.
  private static func story(
    to host: String = "cdn.example.com", kept: Bool? = nil, first: Bool = true, second: Bool?, status: Int
  ) -> [RuleExample.Step] {
    let begun: [RuleExample.Step] = [
      .at(0, TaskCreated(type: .data, scheme: "https", host: "example.com")), .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1, scheme: "https", host: "example.com")),
      .at(0.003, AttemptRequestSent(attempt: 1, transaction: 1, method: "GET", authorized: first)),
      .at(0.005, AttemptRedirectReceived(attempt: 1, transaction: 1, status: 302, scheme: "https", host: host, path: "/")),
      .at(
        0.006,
        AttemptRedirectAnswered(attempt: 1, transaction: 1, decision: .followed, credentialsKept: kept, by: .engine)),
    ]
    let sent: [RuleExample.Step] =
      second.map { [.at(0.008, AttemptRequestSent(attempt: 1, transaction: 2, method: "GET", authorized: $0))] } ?? []
    return begun + sent + [
      .at(0.01, AttemptResponseReceived(attempt: 1, transaction: 2, status: status)),
      .at(0.02, AttemptEnded(attempt: 1, end: .finished, received: 9)),
    ]
  }

  static let description = RuleDescription(
    id: "auth-lost-on-redirect", severity: .error,
    summary: "A redirect to another origin removed the credentials, and the new origin rejected the request.",
    explanation: """
      Credentials belong to the origin that they were issued for. libcurl and URLSession therefore remove Authorization from \
      the request when a redirect leads to another scheme, host or port, and they are right to do so. A service that moved to \
      another host name, or a store behind a gateway that requires the same token, then answers 401 or 403, and the app \
      concludes that its credentials are wrong.
      """,
    remedy: """
      Request the final URL directly, or add the credentials again in willPerformHTTPRedirection, only for origins on an \
      allow list. On the server, redirect to a URL that needs no credentials, such as a signed URL.
      """,
    sources: [
      "https://github.com/NYPL-Simplified/Simplified-iOS/issues/925", "https://github.com/Alamofire/Alamofire/issues/1850",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the new host answers 401", .certain,
        cites: [.attemptRequestSent, .attemptRedirectReceived, .attemptResponseReceived],
        steps: story(second: false, status: 401)),
      RuleExample(
        "the new host answers 403, and the redirect's answer says that the credentials were removed", .certain,
        cites: [.attemptRequestSent, .attemptRedirectReceived, .attemptRedirectAnswered, .attemptResponseReceived],
        steps: story(kept: false, second: nil, status: 403)),
    ],
    staysSilent: [
      RuleExample("the new host needs no credentials", steps: story(kept: false, second: false, status: 200)),
      RuleExample(
        "the credentials were kept, and the server rejected them",
        steps: story(to: "example.com", kept: true, second: true, status: 401)),
      RuleExample("the first request had no credentials", steps: story(first: false, second: false, status: 401)),
      RuleExample("the app added the credentials again", steps: story(kept: false, second: true, status: 403)),
      RuleExample(
        "the redirect stays on the same origin, and the app removed the credentials itself",
        steps: story(to: "example.com", second: false, status: 401)),
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
          Task \(task.identity.label) was redirected to \(host) without its credentials, and the server answered \
          \(attempt.status ?? 0).
          """,
        claim: .presence, evidence: stripped.authorized, [stripped.redirect, stripped.unauthorized, response]))
  }
}
