import XferEvents
import XferLifecycle
import XferReplay

/// Redirects that lead nowhere.
struct RedirectLoop: TaskRule {
  private static func redirect(to path: String, status: Int = 302, transaction: Int? = nil) -> AttemptRedirectReceived {
    AttemptRedirectReceived(
      task: .example, attempt: 1, transaction: transaction, status: status, scheme: "https", host: "example.com", path: path)
  }

  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .data, scheme: "https", host: "example.com", path: "/a")), .at(0.001, TaskResumed()),
  ]
  private static let started = AttemptStarted(attempt: 1, scheme: "https", host: "example.com")
  private static let followed: RuleExample.Step = .at(0.005, AttemptRedirectAnswered(attempt: 1, decision: .followed))

  static let description = RuleDescription(
    id: "redirect-loop", severity: .warning,
    summary: "The redirects went round in a circle, or were more than the limit allows.",
    explanation: """
      Two addresses that send to each other, or one that sends to itself until a cookie is set which the client does not \
      keep, go on until somebody counts. libcurl stops at a limit with error 47 (CURLE_TOO_MANY_REDIRECTS). The variant \
      says whether the limit was met, or an address was seen again and the attempt never had an answer other than redirects.
      """,
    remedy: """
      Keep a limit, and show the chain of addresses with the error. Look at the server's rules for the scheme and the \
      host's name, and at whether the cookie that it sets is sent back.
      """,
    sources: ["https://docs.oracle.com/cd/E88353_01/html/E37842/libcurl-errors-3.html"],
    reports: [
      RuleExample(
        "the limit is reached", .certain, variant: "limit reached",
        cites: [.last(.attemptRedirectReceived), .last(.attemptRedirectAnswered), .attemptEnded],
        steps: begun + [
          .at(0.002, started), .at(0.004, redirect(to: "/b")), followed, .at(0.006, redirect(to: "/c")),
          .at(0.007, AttemptRedirectAnswered(attempt: 1, decision: .tooMany)),
          .at(0.008, AttemptEnded(attempt: 1, end: .redirectRefused, domain: .curl, error: 47)),
        ]),
      RuleExample(
        "libcurl says so", .certain, variant: "limit reached", cites: [.attemptEnded],
        steps: begun + [.at(0.002, started), .at(0.008, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 47))]),
      RuleExample(
        "back at the first address, until the time was over", .probable, variant: "seen again",
        cites: [.attemptStarted, .last(.attemptRedirectReceived), .attemptEnded],
        steps: begun + [
          .at(0.002, started), .at(0.004, redirect(to: "/b")), followed, .at(0.006, redirect(to: "/a")), followed,
          .at(8, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "it sends to itself once, with a cookie, and then answers",
        steps: begun + [
          .at(0.002, started), .at(0.004, redirect(to: "/a")), followed,
          .at(0.006, AttemptResponseReceived(attempt: 1, status: 200)),
          .at(0.008, AttemptEnded(attempt: 1, end: .finished, received: 10)),
        ]),
      RuleExample(
        "three redirects to three addresses",
        steps: begun + [
          .at(0.002, started), .at(0.004, redirect(to: "/b")), followed, .at(0.005, redirect(to: "/c")), followed,
          .at(0.006, redirect(to: "/d")), followed, .at(8, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
        ]),
      RuleExample(
        "back at the first address, and the app cancelled",
        steps: begun + [
          .at(0.002, started), .at(0.004, redirect(to: "/a")), followed, .at(0.006, TaskCancelRequested(by: .app)),
          .at(0.008, AttemptEnded(attempt: 1, end: .cancelled)),
        ]),
      RuleExample(
        "the same redirect, written twice",
        steps: begun + [
          .at(0.002, started), .at(0.004, redirect(to: "/b", transaction: 1)), .at(0.004, redirect(to: "/b", transaction: 1)),
          followed, .at(8, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
        ]),
      RuleExample(
        "the second attempt was sent the same way, and the log lacks its beginning",
        steps: begun + [
          .at(0.002, started), .at(0.004, redirect(to: "/b")), followed,
          .at(0.006, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .seconds(1))),
          .at(2, AttemptRequestSent(attempt: 2, method: "GET")),
          .at(3, AttemptRedirectReceived(attempt: 2, status: 302, scheme: "https", host: "example.com", path: "/b")),
          .at(3, AttemptRedirectAnswered(attempt: 2, decision: .followed)),
          .at(8, AttemptEnded(attempt: 2, end: .timeout, domain: .curl, error: 28)),
        ]),
      RuleExample(
        "the same path on another host",
        steps: begun + [
          .at(0.002, started),
          .at(0.004, AttemptRedirectReceived(attempt: 1, status: 301, scheme: "https", host: "www.example.com", path: "/a")),
          followed, .at(8, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.event(.attemptRedirectReceived), .failure]
  static let watches: Set<EventKind> = [.attemptEnded]

  /// CURLE_TOO_MANY_REDIRECTS.
  private static let tooManyRedirects = 47

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let attempt = task.attempt, let ended = attempt.ended else { return asked.isTaskOver ? .silent : nil }
    let trail = attempt.redirects
    if trail.decision == .tooMany || (attempt.error?.domain == .curl && attempt.error?.number == Self.tooManyRedirects) {
      return .finding(
        Draft(
          variant: "limit reached", summary: "Task \(task.identity.text) was redirected more often than the limit allows.",
          claim: .presence, evidence: ended, [trail.received, trail.answered]))
    }
    // Behind the last redirect there was no answer, and nobody meant to stop.
    guard let repeated = trail.repeated, attempt.status == nil, attempt.end != .finished, task.cancelRequested == nil else {
      return attempt.retryIn == nil || asked.isTaskOver ? .silent : nil
    }
    return .finding(
      Draft(
        variant: "seen again",
        summary: "Task \(task.identity.text) was redirected to an address where it had been, and never had another answer.",
        claim: .absence(since: repeated.again, shownBy: .coverage), evidence: repeated.first, [repeated.again, ended],
        missing: [.init(.attemptResponseReceived, dueBy: ended.moment)],
        unless: ["the addresses differ in their query, which redirects do not name in the log"]))
  }
}
