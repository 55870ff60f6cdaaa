import XferEvents
import XferLifecycle
import XferReplay

/// Reports redirects that form a loop or exceed the limit.
struct RedirectLoop: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .data, scheme: "https", host: "example.com", path: "/a")), .at(0.001, TaskResumed()),
    .at(0.002, AttemptStarted(attempt: 1, scheme: "https", host: "example.com")),
  ]
  private static func redirect(to path: String, transaction: Int? = nil) -> AttemptRedirectReceived {
    AttemptRedirectReceived(
      attempt: 1, transaction: transaction, status: 302, scheme: "https", host: "example.com", path: path)
  }
  private static let followed: RuleExample.Step = .at(0.005, AttemptRedirectAnswered(attempt: 1, decision: .followed))
  private static let timedOut = RuleExample.Step.at(8, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28))

  static let description = RuleDescription(
    id: "redirect-loop", severity: .warning,
    summary: "The redirects formed a loop or exceeded the limit.",
    explanation: """
      Two URLs may redirect to each other. Or a URL redirects to itself until the client returns a cookie, and the client does not \
      store cookies. Such redirects never end. libcurl stops at a limit with error 47 (CURLE_TOO_MANY_REDIRECTS). The variant \
      says whether a redirect led back to the host and path of an earlier request and the attempt received only redirects ("seen \
      again"), or whether all were different when the limit was reached ("limit reached"). The log does not record the queries of \
      redirects, so two URLs with the same path may still be different.
      """,
    remedy: """
      Limit the number of redirects (CURLOPT_MAXREDIRS), and show the chain of URLs with the error. Check the server's \
      redirect rules for the scheme and the host name, and whether the client returns the cookie that the server sets.
      """,
    sources: ["https://docs.oracle.com/cd/E88353_01/html/E37842/libcurl-errors-3.html"],
    reports: [
      RuleExample(
        "the engine reached its limit", .certain, variant: "limit reached",
        cites: [.last(.attemptRedirectReceived), .last(.attemptRedirectAnswered), .attemptEnded],
        steps: begun + [
          .at(0.004, redirect(to: "/b")), followed, .at(0.006, redirect(to: "/c")),
          .at(0.007, AttemptRedirectAnswered(attempt: 1, decision: .tooMany)),
          .at(0.008, AttemptEnded(attempt: 1, end: .redirectRefused, domain: .curl, error: 47)),
        ]),
      RuleExample(
        "libcurl reports that the limit was reached", .certain, variant: "limit reached", cites: [.attemptEnded],
        steps: begun + [.at(0.008, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 47))]),
      RuleExample(
        "two URLs redirected to each other until the engine reached its limit", .certain, variant: "seen again",
        cites: [.attemptStarted, .number(2, .attemptRedirectReceived), .attemptEnded],
        steps: begun + [
          .at(0.004, redirect(to: "/b", transaction: 1)), followed, .at(0.006, redirect(to: "/a", transaction: 2)), followed,
          .at(0.007, redirect(to: "/b", transaction: 3)), .at(0.007, AttemptRedirectAnswered(attempt: 1, decision: .tooMany)),
          .at(0.008, AttemptEnded(attempt: 1, end: .redirectRefused, domain: .curl, error: 47)),
        ]),
      RuleExample(
        "the redirects returned to the first URL, and the attempt timed out", .probable, variant: "seen again",
        cites: [.attemptStarted, .last(.attemptRedirectReceived), .attemptEnded],
        steps: begun + [
          .at(0.004, redirect(to: "/b")), followed, .at(0.006, redirect(to: "/a")), followed, timedOut,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "the URL redirects to itself once, to set a cookie, and then answers",
        steps: begun + [
          .at(0.004, redirect(to: "/a")), followed, .at(0.006, AttemptResponseReceived(attempt: 1, status: 200)),
          .at(0.008, AttemptEnded(attempt: 1, end: .finished, received: 10)),
        ]),
      RuleExample(
        "three redirects lead to three URLs",
        steps: begun + [
          .at(0.004, redirect(to: "/b")), followed, .at(0.005, redirect(to: "/c")), followed,
          .at(0.006, redirect(to: "/d")), followed, timedOut,
        ]),
      RuleExample(
        "the redirects returned to the first URL, and the app cancelled the task",
        steps: begun + [
          .at(0.004, redirect(to: "/a")), followed, .at(0.006, TaskCancelRequested(by: .app)),
          .at(0.008, AttemptEnded(attempt: 1, end: .cancelled)),
        ]),
      RuleExample(
        "the same redirect was recorded twice",
        steps: begun + [
          .at(0.004, redirect(to: "/b", transaction: 1)), .at(0.004, redirect(to: "/b", transaction: 1)), followed, timedOut,
        ]),
      RuleExample(
        "the second attempt had the same redirect, and the log lacks its start",
        steps: begun + [
          .at(0.004, redirect(to: "/b")), followed,
          .at(0.006, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .seconds(1))),
          .at(2, AttemptRequestSent(attempt: 2, method: "GET")),
          .at(3, AttemptRedirectReceived(attempt: 2, status: 302, scheme: "https", host: "example.com", path: "/b")),
          .at(3, AttemptRedirectAnswered(attempt: 2, decision: .followed)),
          .at(8, AttemptEnded(attempt: 2, end: .timeout, domain: .curl, error: 28)),
        ]),
      RuleExample(
        "the redirect leads to the same path on another host",
        steps: begun + [
          .at(0.004, AttemptRedirectReceived(attempt: 1, status: 301, scheme: "https", host: "www.example.com", path: "/a")),
          followed, timedOut,
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptRedirectReceived), .failure]
  static let watches: Set<EventKind> = [.attemptEnded]

  /// The libcurl error CURLE_TOO_MANY_REDIRECTS.
  private static let tooManyRedirects = 47

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let attempt = task.attempt, let ended = attempt.ended else { return asked.isTaskOver ? .silent : nil }
    let trail = attempt.redirects
    if trail.decision == .tooMany || (attempt.error?.domain == .curl && attempt.error?.number == Self.tooManyRedirects) {
      if let repeated = trail.repeated {
        return .finding(
          Draft(
            variant: "seen again",
            summary: """
              Task \(task.identity.label) was redirected \(trail.count) times until the limit was reached, and a redirect led back \
              to the host and path of an earlier request.
              """,
            claim: .presence, evidence: repeated.first, [repeated.again, ended]))
      }
      return .finding(
        Draft(
          variant: "limit reached", summary: "Task \(task.identity.label) was redirected more often than the limit allows.",
          claim: .presence, evidence: ended, [trail.received, trail.answered]))
    }
    // A repeated URL is a loop only if no response followed the last redirect and the app did not cancel the task.
    guard let repeated = trail.repeated, attempt.status == nil, attempt.end != .finished, task.cancelRequested == nil else {
      return attempt.retryIn == nil || asked.isTaskOver ? .silent : nil
    }
    return .finding(
      Draft(
        variant: "seen again",
        summary: "Task \(task.identity.label) was redirected to a URL that it had requested before, and received only redirects.",
        claim: .absence(since: repeated.again, shownBy: .coverage), evidence: repeated.first, [repeated.again, ended],
        missing: [.init(.attemptResponseReceived, dueBy: ended.moment)],
        unless: ["the URLs differ in their query, which the log does not record for redirects"]))
  }
}
