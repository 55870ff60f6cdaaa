import XferEvents
import XferLifecycle
import XferReplay

/// A body of another length than the server declared was taken for the whole.
struct TruncatedBody: TaskRule {
  private static let response = AttemptResponseReceived(attempt: 1, status: 200, expected: 1000)

  static let description = RuleDescription(
    id: "truncated-body", severity: .critical,
    summary: "The body was shorter (or longer) than declared, and was taken for a success.",
    explanation: """
      The server declares a length and the connection ends before it is reached, or delivers more. A client that does not \
      compare the two, or that ignores the transport's error, keeps a file which looks right and is not. Proxies that cut \
      long bodies do this without any error at all.
      """,
    remedy: """
      Take a body for complete only when its length is the declared one; otherwise ask for the rest with a range, if the \
      server gave a strong validator, or for all of it again.
      """,
    sources: [
      "https://github.com/owncloud/client/issues/2528", "https://github.com/MiniMax-AI/cli/pull/206",
      "https://github.com/Backblaze/b2-sdk-python/pull/32", "libcurl: CURLE_PARTIAL_FILE (18)",
    ],
    needsWholeLog: true,
    consequenceOf: ["resume-range-ignored"],
    reports: [
      RuleExample(
        "no error, and 600 of 1000 bytes", .certain, cites: [.attemptResponseReceived, .attemptEnded, .taskCompleted],
        .at(0, TaskCreated(type: .download, method: "GET")), .at(0.001, AttemptStarted(attempt: 1)), .at(0.002, response),
        .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 600)),
        .at(0.01, TaskTransferred(received: 600, status: 200)), .at(0.012, TaskCompleted(received: 600, status: 200))),
      RuleExample(
        "the connection was reset, and the app called it a success", .certain,
        cites: [.attemptResponseReceived, .attemptEnded, .taskCompleted, .appOutcomeRecorded],
        .at(0, TaskCreated(type: .download, method: "GET")), .at(0.001, AttemptStarted(attempt: 1)), .at(0.002, response),
        .at(0.009, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 600)),
        .at(0.012, TaskCompleted(received: 600, status: 200, domain: .curl, error: 56)),
        .at(0.02, AppOutcomeRecorded(task: .example, outcome: .success))),
    ],
    staysSilent: [
      RuleExample(
        "the connection was reset, and the app knows that it failed",
        .at(0.001, AttemptStarted(attempt: 1)), .at(0.002, response),
        .at(0.009, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 600)),
        .at(0.012, TaskCompleted(received: 600, status: 200, domain: .curl, error: 56)),
        .at(0.02, AppOutcomeRecorded(task: .example, outcome: .failure))),
      RuleExample(
        "the whole body",
        .at(0.001, AttemptStarted(attempt: 1)), .at(0.002, response),
        .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 1000)),
        .at(0.012, TaskCompleted(received: 1000, status: 200)), .at(0.02, AppOutcomeRecorded(task: .example, outcome: .success))),
      RuleExample(
        "a body in chunks has no declared length",
        .at(0.001, AttemptStarted(attempt: 1)),
        .at(0.002, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000, chunked: true)),
        .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 600)),
        .at(0.012, TaskCompleted(received: 600, status: 200))),
      RuleExample(
        "a compressed body is counted after decoding",
        .at(0.001, AttemptStarted(attempt: 1)),
        .at(0.002, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000, contentEncoding: "gzip")),
        .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 4000)),
        .at(0.012, TaskCompleted(received: 4000, status: 200))),
      RuleExample(
        "the answer to HEAD has a length and no body",
        .at(0.001, AttemptStarted(attempt: 1)), .at(0.001, AttemptRequestSent(attempt: 1, method: "HEAD")),
        .at(0.002, response), .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 0)),
        .at(0.012, TaskCompleted(received: 0, status: 200))),
      RuleExample(
        "the length is that of the page that asked for credentials, and the log lacks the answer to the request that had them",
        .at(0.001, AttemptStarted(attempt: 1)), .at(0.002, AttemptResponseReceived(attempt: 1, status: 401, expected: 100)),
        .at(0.004, AttemptConnectionAcquired(attempt: 1)), .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 1000)),
        .at(0.012, TaskCompleted(received: 1000, status: 200))),
      RuleExample(
        "not modified: no body is due",
        .at(0.001, AttemptStarted(attempt: 1)), .at(0.002, AttemptResponseReceived(attempt: 1, status: 304, expected: 1000)),
        .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 0)), .at(0.012, TaskCompleted(received: 0, status: 304))),
    ])

  static let watches: Set<EventKind> = [.taskCompleted, .appOutcomeRecorded]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed, let attempt = task.attempt, let ended = attempt.ended,
      let response = attempt.responseReceived
    else { return asked.isTaskOver ? .silent : nil }
    // The length belongs to an answer that was not the last: that one's is not in the log.
    if let last = task.status, let status = attempt.status, last != status {
      return .undecidable(needs: "attempt.responseReceived of the last answer")
    }
    guard let declared = attempt.declaredLength, declared != attempt.received else { return .silent }
    // An error that the engine reports is no success, unless the app makes one of it.
    if task.error != nil || (task.status ?? 0) >= 400 {
      guard task.outcome == .success else { return task.outcome == nil && !asked.isEndOfLog ? nil : .silent }
    }
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.session)/\(task.identity.number) received \(attempt.received) of \(declared) bytes and was \
          taken for a success.
          """,
        claim: .presence, evidence: response, [ended, completed, task.outcome == .success ? task.outcomeRecorded : nil]))
  }
}
