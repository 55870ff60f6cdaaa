import XferEvents
import XferLifecycle
import XferReplay

/// Reports a redirect to another origin that the request followed with its credentials.
struct AuthLeakedOnRedirect: TaskRule {
  private static func sent(_ transaction: Int, authorized: Bool?) -> AttemptRequestSent {
    AttemptRequestSent(attempt: 1, transaction: transaction, method: "GET", authorized: authorized)
  }
  private static func redirect(
    scheme: String = "https", to host: String = "store.example.net", port: Int? = nil
  ) -> AttemptRedirectReceived {
    AttemptRedirectReceived(attempt: 1, transaction: 1, status: 302, scheme: scheme, host: host, port: port, path: "/f")
  }
  private static func followed(kept: Bool? = nil, by actor: Actor = .engine) -> RuleExample.Step {
    .at(0.006, AttemptRedirectAnswered(attempt: 1, transaction: 1, decision: .followed, credentialsKept: kept, by: actor))
  }
  /// The steps of a request up to its redirect.
  private static func begun(
    scheme: String = "https", _ target: AttemptRedirectReceived = redirect(), authorized: Bool? = true
  ) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, scheme: scheme, host: "example.com")), .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1, scheme: scheme, host: "example.com")),
      .at(0.003, sent(1, authorized: authorized)), .at(0.005, target),
    ]
  }
  private static let ended: [RuleExample.Step] = [
    .at(0.01, AttemptResponseReceived(attempt: 1, transaction: 2, status: 200)),
    .at(0.02, AttemptEnded(attempt: 1, end: .finished, received: 9)),
  ]

  /// The steps of an example: a request is redirected to `target`. Both requests carry credentials by default.
  private static func story(
    scheme: String = "https", _ target: AttemptRedirectReceived = redirect(), answer: RuleExample.Step = followed(kept: true),
    first: Bool? = true, second: Bool? = true
  ) -> [RuleExample.Step] {
    begun(scheme: scheme, target, authorized: first) + [answer, .at(0.008, sent(2, authorized: second))] + ended
  }

  static let description = RuleDescription(
    id: "auth-leaked-on-redirect", severity: .critical,
    summary: "A redirect led to another origin, and the credentials were sent there too.",
    explanation: """
      Credentials belong to the origin that they were issued for: its scheme, host and port. A client that copies the \
      Authorization header into the redirected request discloses them to any host that the first server names, for example a \
      third-party store. That host can use the credentials, and it may also reject a request with unexpected ones. The \
      variant names what differs in the new origin: "another host", "another port", or "unencrypted" for a redirect from \
      https to http. A redirect from http to https on the same host discloses nothing. When the app itself added the \
      credentials in the redirect callback, possibly on purpose, the finding is only a warning.
      """,
    remedy: """
      Remove Authorization, Cookie and your own secret headers from the request when the origin changes; keep them only for \
      origins on an allow list. Revoke and replace the disclosed credentials.
      """,
    sources: [
      "https://github.com/swiftlang/swift-package-manager/pull/8947", "https://github.com/Carthage/Carthage/pull/2741",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the redirect leads to another host", .certain, variant: "another host",
        cites: [.attemptRequestSent, .attemptRedirectReceived], steps: story()),
      RuleExample(
        "the log does not say whether the credentials were kept, but the second request carries credentials", .certain,
        variant: "another host", cites: [.attemptRequestSent, .attemptRedirectReceived], steps: story(answer: followed())),
      RuleExample(
        "the redirect leads to another port", .certain, variant: "another port",
        cites: [.attemptRequestSent, .attemptRedirectReceived], steps: story(redirect(to: "example.com", port: 8443))),
      RuleExample(
        "the redirect leads from https to http", .certain, variant: "unencrypted",
        cites: [.attemptRequestSent, .attemptRedirectReceived], steps: story(redirect(scheme: "http", to: "example.com"))),
      RuleExample(
        "the app added the credentials in the redirect callback", .certain, variant: "another host",
        cites: [.attemptRequestSent, .attemptRedirectReceived], steps: story(answer: followed(kept: true, by: .app))),
    ],
    staysSilent: [
      RuleExample("the credentials were removed", steps: story(answer: followed(kept: false), second: false)),
      RuleExample("the redirect stays on the same origin", steps: story(redirect(to: "example.com"))),
      RuleExample(
        "the redirect stays on the same origin and names its default port", steps: story(redirect(to: "EXAMPLE.com", port: 443))),
      RuleExample(
        "the redirect leads from http to https on the same host", steps: story(scheme: "http", redirect(to: "example.com"))),
      RuleExample("the first request had no credentials", steps: story(answer: followed(), first: false)),
      RuleExample("the credentials were removed, and the new origin has its own", steps: story(answer: followed(kept: false))),
      RuleExample(
        "the new origin asked for credentials and received them",
        steps: begun() + [
          followed(), .at(0.007, sent(2, authorized: false)),
          .at(0.007, AttemptChallengeReceived(attempt: 1, challenge: CorrelationID(1), challengeMethod: .basic)),
          .at(0.008, AttemptChallengeAnswered(attempt: 1, challenge: CorrelationID(1), disposition: .useCredential, by: .app)),
          .at(0.008, sent(3, authorized: true)),
        ] + ended),
      RuleExample(
        "the app did not follow the redirect",
        steps: begun() + [
          .at(0.006, AttemptRedirectAnswered(attempt: 1, transaction: 1, decision: .refusedByApp, by: .app)),
          .at(0.007, AttemptEnded(attempt: 1, end: .redirectRefused)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptRedirectReceived)]
  static let watches: Set<EventKind> = [.attemptRequestSent, .attemptEnded]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let leak = task.attempt?.redirects.leak else { return asked.isTaskOver ? .silent : nil }
    let place =
      switch leak.kind {
      case .host: leak.host ?? "another host"
      case .port: "another port of \(leak.host ?? "its host")"
      case .unencrypted: "\(leak.host ?? "its host") without encryption"
      }
    return .finding(
      Draft(
        variant: leak.kind.rawValue, severity: leak.isApps ? .warning : nil,
        summary: "Task \(task.identity.label) was redirected, and its credentials were sent to \(place).",
        claim: .presence, evidence: leak.authorized, [leak.redirect, leak.sent],
        unless: leak.isApps ? ["the app trusts this origin with the credentials"] : []))
  }
}
