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
    .event(TaskCreated(task: .example, type: .data, scheme: "https", host: "example.com", path: "/a"), at: .zero),
    .event(TaskResumed(task: .example), at: .milliseconds(1)),
  ]
  private static let started = AttemptStarted(task: .example, attempt: 1, scheme: "https", host: "example.com")
  private static let followed: RuleExample.Step = .event(
    AttemptRedirectAnswered(task: .example, attempt: 1, decision: .followed), at: .milliseconds(5))

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
        "the limit is reached", certainty: .certain, variant: "limit reached",
        steps: begun + [
          .event(started, at: .milliseconds(2)), .event(redirect(to: "/b"), at: .milliseconds(4)), followed,
          .evidence(redirect(to: "/c"), at: .milliseconds(6)),
          .evidence(AttemptRedirectAnswered(task: .example, attempt: 1, decision: .tooMany), at: .milliseconds(7)),
          .evidence(
            AttemptEnded(task: .example, attempt: 1, end: .redirectRefused, domain: .curl, error: 47), at: .milliseconds(8)),
        ]),
      RuleExample(
        "libcurl says so", certainty: .certain, variant: "limit reached",
        steps: begun + [
          .event(started, at: .milliseconds(2)),
          .evidence(AttemptEnded(task: .example, attempt: 1, end: .transport, domain: .curl, error: 47), at: .milliseconds(8)),
        ]),
      RuleExample(
        "back at the first address, until the time was over", certainty: .probable, variant: "seen again",
        steps: begun + [
          .evidence(started, at: .milliseconds(2)), .event(redirect(to: "/b"), at: .milliseconds(4)), followed,
          .evidence(redirect(to: "/a"), at: .milliseconds(6)), followed,
          .evidence(AttemptEnded(task: .example, attempt: 1, end: .timeout, domain: .curl, error: 28), at: .seconds(8)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "it sends to itself once, with a cookie, and then answers",
        steps: begun + [
          .event(started, at: .milliseconds(2)), .event(redirect(to: "/a"), at: .milliseconds(4)), followed,
          .event(AttemptResponseReceived(task: .example, attempt: 1, status: 200), at: .milliseconds(6)),
          .event(AttemptEnded(task: .example, attempt: 1, end: .finished, received: 10), at: .milliseconds(8)),
        ]),
      RuleExample(
        "three redirects to three addresses",
        steps: begun + [
          .event(started, at: .milliseconds(2)), .event(redirect(to: "/b"), at: .milliseconds(4)), followed,
          .event(redirect(to: "/c"), at: .milliseconds(5)), followed, .event(redirect(to: "/d"), at: .milliseconds(6)),
          followed, .event(AttemptEnded(task: .example, attempt: 1, end: .timeout, domain: .curl, error: 28), at: .seconds(8)),
        ]),
      RuleExample(
        "back at the first address, and the app cancelled",
        steps: begun + [
          .event(started, at: .milliseconds(2)), .event(redirect(to: "/a"), at: .milliseconds(4)), followed,
          .event(TaskCancelRequested(task: .example, by: .app), at: .milliseconds(6)),
          .event(AttemptEnded(task: .example, attempt: 1, end: .cancelled), at: .milliseconds(8)),
        ]),
      RuleExample(
        "the same redirect, written twice",
        steps: begun + [
          .event(started, at: .milliseconds(2)), .event(redirect(to: "/b", transaction: 1), at: .milliseconds(4)),
          .event(redirect(to: "/b", transaction: 1), at: .milliseconds(4)), followed,
          .event(AttemptEnded(task: .example, attempt: 1, end: .timeout, domain: .curl, error: 28), at: .seconds(8)),
        ]),
      RuleExample(
        "the second attempt was sent the same way, and the log lacks its beginning",
        steps: begun + [
          .event(started, at: .milliseconds(2)), .event(redirect(to: "/b"), at: .milliseconds(4)), followed,
          .event(
            AttemptEnded(task: .example, attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .seconds(1)),
            at: .milliseconds(6)),
          .event(AttemptRequestSent(task: .example, attempt: 2, method: "GET"), at: .seconds(2)),
          .event(
            AttemptRedirectReceived(
              task: .example, attempt: 2, status: 302, scheme: "https", host: "example.com", path: "/b"), at: .seconds(3)),
          .event(AttemptRedirectAnswered(task: .example, attempt: 2, decision: .followed), at: .seconds(3)),
          .event(AttemptEnded(task: .example, attempt: 2, end: .timeout, domain: .curl, error: 28), at: .seconds(8)),
        ]),
      RuleExample(
        "the same path on another host",
        steps: begun + [
          .event(started, at: .milliseconds(2)),
          .event(
            AttemptRedirectReceived(
              task: .example, attempt: 1, status: 301, scheme: "https", host: "www.example.com", path: "/a"),
            at: .milliseconds(4)),
          followed, .event(AttemptEnded(task: .example, attempt: 1, end: .timeout, domain: .curl, error: 28), at: .seconds(8)),
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
