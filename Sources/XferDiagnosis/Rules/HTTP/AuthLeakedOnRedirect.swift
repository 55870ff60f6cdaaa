import XferEvents
import XferLifecycle
import XferReplay

/// A redirect to another origin took the credentials along.
struct AuthLeakedOnRedirect: TaskRule {
  private static func begun(scheme: String = "https") -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, scheme: scheme, host: "example.com")),
      .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1, scheme: scheme, host: "example.com")),
    ]
  }
  private static func sent(_ transaction: Int, authorized: Bool?) -> AttemptRequestSent {
    AttemptRequestSent(attempt: 1, transaction: transaction, method: "GET", authorized: authorized)
  }
  private static func redirect(scheme: String = "https", to host: String, port: Int? = nil) -> AttemptRedirectReceived {
    AttemptRedirectReceived(
      task: .example, attempt: 1, transaction: 1, status: 302, scheme: scheme, host: host, port: port, path: "/f")
  }
  private static func followed(kept: Bool? = nil, by actor: Actor = .engine) -> RuleExample.Step {
    .at(0.006, AttemptRedirectAnswered(attempt: 1, transaction: 1, decision: .followed, credentialsKept: kept, by: actor))
  }
  private static let ended: [RuleExample.Step] = [
    .at(0.01, AttemptResponseReceived(attempt: 1, transaction: 2, status: 200)),
    .at(0.02, AttemptEnded(attempt: 1, end: .finished, received: 9)),
  ]

  /// A whole story; both requests carry credentials unless it says otherwise.
  private static func story(
    scheme: String = "https", _ target: AttemptRedirectReceived, _ answer: RuleExample.Step = followed(kept: true),
    first: Bool? = true, second: Bool? = true
  ) -> [RuleExample.Step] {
    func step(_ event: some TransferEvent, at time: Duration) -> RuleExample.Step {
      .at(time, event)
    }
    return begun(scheme: scheme) + [
      step(sent(1, authorized: first), at: .milliseconds(3)), step(target, at: .milliseconds(5)), answer,
      step(sent(2, authorized: second), at: .milliseconds(8)),
    ] + ended
  }

  static let description = RuleDescription(
    id: "auth-leaked-on-redirect", severity: .critical,
    summary: "A redirect led to another origin, and the credentials were sent there, too.",
    explanation: """
      Credentials belong to the origin that they were given for: its scheme, host and port. A client that copies the header \
      into the request behind a redirect hands them to whoever the first server points at, to a store of somebody else's for \
      instance, which can use them from then on, and which may also refuse a request that it does not expect to be signed. The \
      variant says what is other about the new origin: "another host", "another port", or "unencrypted" where it leads from \
      https to http. From http to https at the same host nothing is lost. Where the app itself has put them in when it was \
      asked about the redirect, it may have meant to; this is then a warning.
      """,
    remedy: """
      Take Authorization, Cookie and headers of your own that hold a secret out of the request when the origin changes; keep \
      them only for origins on a list. Change the credentials that were sent away.
      """,
    sources: [
      "https://github.com/swiftlang/swift-package-manager/pull/8947", "https://github.com/Carthage/Carthage/pull/2741",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "to a store of another host", .certain, variant: "another host", cites: [.attemptRequestSent, .attemptRedirectReceived],
        steps: story(redirect(to: "store.example.net"))),
      RuleExample(
        "nobody says what was done about them, but the request carries some", .certain, variant: "another host",
        cites: [.attemptRequestSent, .attemptRedirectReceived],
        steps: story(redirect(to: "store.example.net"), followed())),
      RuleExample(
        "to another port", .certain, variant: "another port", cites: [.attemptRequestSent, .attemptRedirectReceived],
        steps: story(redirect(to: "example.com", port: 8443))),
      RuleExample(
        "without encryption", .certain, variant: "unencrypted", cites: [.attemptRequestSent, .attemptRedirectReceived],
        steps: story(redirect(scheme: "http", to: "example.com"))),
      RuleExample(
        "the app has put them in", .certain, variant: "another host", cites: [.attemptRequestSent, .attemptRedirectReceived],
        steps: story(redirect(to: "store.example.net"), followed(kept: true, by: .app))),
    ],
    staysSilent: [
      RuleExample("left behind", steps: story(redirect(to: "store.example.net"), followed(kept: false), second: false)),
      RuleExample("the same origin", steps: story(redirect(to: "example.com"))),
      RuleExample("the same origin, with its port in full", steps: story(redirect(to: "EXAMPLE.com", port: 443))),
      RuleExample("to https at the same host", steps: story(scheme: "http", redirect(to: "example.com"))),
      RuleExample(
        "there were none before the redirect",
        steps: story(redirect(to: "store.example.net"), followed(), first: false)),
      RuleExample(
        "those of the first were left behind, and the new origin has its own",
        steps: story(redirect(to: "store.example.net"), followed(kept: false))),
      RuleExample(
        "the new origin asked for some, and was given them",
        steps: begun() + [
          .at(0.003, sent(1, authorized: true)), .at(0.005, redirect(to: "store.example.net")), followed(),
          .at(0.007, sent(2, authorized: false)),
          .at(0.007, AttemptChallengeReceived(attempt: 1, challenge: CorrelationID(1), challengeMethod: .basic)),
          .at(0.008, AttemptChallengeAnswered(attempt: 1, challenge: CorrelationID(1), disposition: .useCredential, by: .app)),
          .at(0.008, sent(3, authorized: true)),
        ] + ended),
      RuleExample(
        "the app did not follow it",
        steps: begun() + [
          .at(0.003, sent(1, authorized: true)), .at(0.005, redirect(to: "store.example.net")),
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
        summary: "Task \(task.identity.text) was redirected, and its credentials were sent to \(place).",
        claim: .presence, evidence: leak.authorized, [leak.redirect, leak.sent],
        unless: leak.isApps ? ["the app trusts this origin with them"] : []))
  }
}
