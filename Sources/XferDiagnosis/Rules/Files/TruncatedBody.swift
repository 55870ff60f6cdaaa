import XferEvents
import XferLifecycle
import XferReplay

/// Reports a body whose length differs from the declared one and that counts as a success.
struct TruncatedBody: TaskRule {
  private static let created = RuleExample.Step.at(0, TaskCreated(type: .download, method: "GET"))
  private static let started = RuleExample.Step.at(0.001, AttemptStarted(attempt: 1))
  private static let response = RuleExample.Step.at(0.002, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000))
  private static func finished(_ received: Int64) -> RuleExample.Step {
    .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: received))
  }
  private static func completed(_ received: Int64, status: Int = 200) -> RuleExample.Step {
    .at(0.012, TaskCompleted(received: received, status: status))
  }
  /// The steps of an attempt that resumes at byte 400 and receives 600 bytes, for which the last response declares `length` bytes from
  /// `start` on.
  private static func resumed(start: Int64, length: Int64) -> [RuleExample.Step] {
    [
      created, .at(0.001, AttemptStarted(attempt: 1, offset: 400)),
      .at(0.001, AttemptRequestSent(attempt: 1, method: "GET", offset: max(400, start))),
      .at(0.002, AttemptResponseReceived(attempt: 1, status: 206, expected: length, rangeStart: start, rangeTotal: 1000)),
      finished(600), completed(600, status: 206),
    ]
  }
  /// The steps of an attempt whose connection is reset after 600 of 1000 bytes.
  private static let reset: [RuleExample.Step] = [
    started, response, .at(0.009, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 600)),
    .at(0.012, TaskCompleted(received: 600, status: 200, domain: .curl, error: 56)),
  ]

  static let description = RuleDescription(
    id: "truncated-body", severity: .critical,
    summary: "The body was shorter or longer than declared and was accepted as complete.",
    explanation: """
      The server declares a length, but the connection ends before that many bytes have arrived, or the server sends more \
      bytes. A client that does not compare the lengths, or ignores the transport error, keeps a file that looks complete and \
      is corrupt. Proxies that truncate long bodies cause this without any error.
      """,
    remedy: """
      Accept a body only when its length equals the declared length. If the body is too short and the server sent a strong \
      validator, request the rest with a Range header. Otherwise download the whole body again.
      """,
    sources: [
      "https://github.com/owncloud/client/issues/2528", "https://github.com/MiniMax-AI/cli/pull/206",
      "https://github.com/Backblaze/b2-sdk-python/pull/32", "libcurl: CURLE_PARTIAL_FILE (18)",
    ],
    needsWholeLog: true,
    consequenceOf: ["resume-range-ignored"],
    reports: [
      RuleExample(
        "600 of 1000 bytes arrived without an error", .certain,
        cites: [.attemptResponseReceived, .attemptEnded, .taskCompleted],
        created, started, response, finished(600), .at(0.01, TaskTransferred(received: 600, status: 200)), completed(600)),
      RuleExample(
        "the connection was reset, and the app recorded a success", .certain,
        cites: [.attemptResponseReceived, .attemptEnded, .taskCompleted, .appOutcomeRecorded],
        steps: [created] + reset + [.at(0.02, AppOutcomeRecorded(task: .example, outcome: .success))]),
    ],
    staysSilent: [
      RuleExample(
        "the part began earlier than requested, and the bytes that the file had already are not counted",
        steps: resumed(start: 256, length: 744)),
      RuleExample(
        "the server sent the rest in several parts, and the last part has 1 byte", steps: resumed(start: 999, length: 1)),
      RuleExample(
        "the connection was reset, and the app recorded a failure",
        steps: reset + [.at(0.02, AppOutcomeRecorded(task: .example, outcome: .failure))]),
      RuleExample(
        "the body is complete",
        started, response, finished(1000), completed(1000), .at(0.02, AppOutcomeRecorded(task: .example, outcome: .success))),
      RuleExample(
        "a chunked body has no declared length",
        started, .at(0.002, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000, chunked: true)),
        finished(600), completed(600)),
      RuleExample(
        "the bytes of a compressed body are counted after decoding",
        started, .at(0.002, AttemptResponseReceived(attempt: 1, status: 200, expected: 1000, contentEncoding: "gzip")),
        finished(4000), completed(4000)),
      RuleExample(
        "a HEAD response declares a length and has no body",
        started, .at(0.001, AttemptRequestSent(attempt: 1, method: "HEAD")), response, finished(0), completed(0)),
      RuleExample(
        "the declared length is that of a 401 response, and the log lacks the response to the authenticated request",
        started, .at(0.002, AttemptResponseReceived(attempt: 1, status: 401, expected: 100)),
        .at(0.004, AttemptConnectionAcquired(attempt: 1)), finished(1000), completed(1000)),
      RuleExample(
        "a 304 response has no body",
        started, .at(0.002, AttemptResponseReceived(attempt: 1, status: 304, expected: 1000)), finished(0),
        completed(0, status: 304)),
    ])

  static let watches: Set<EventKind> = [.taskCompleted, .appOutcomeRecorded]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed, let attempt = task.attempt, let ended = attempt.ended,
      let response = attempt.responseReceived
    else { return asked.isTaskOver ? .silent : nil }
    // If the two statuses differ, the declared length is that of an earlier response, and the log lacks the last response.
    if let last = task.status, let status = attempt.status, last != status {
      return .undecidable(needs: "attempt.responseReceived of the last response")
    }
    guard let declared = attempt.declaredLength, declared != attempt.received else { return .silent }
    if attempt.hasReachedRangeEnd { return .silent }
    // Other programs' logs may not tell the size of the body, such as that of curl -v if the body is on the terminal.
    if task.bytesReceived == nil, world.process(of: task).coverage != nil { return .silent }
    // A task that ended with an error counts as a success only if the app recorded a success.
    if task.error != nil || (task.status ?? 0) >= 400 {
      guard task.outcome == .success else { return task.outcome == nil && !asked.isEndOfLog ? nil : .silent }
    }
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.session)/\(task.identity.number) received \(attempt.received) of \(declared) bytes, \
          and the body was accepted as complete.
          """,
        claim: .presence, evidence: response, [ended, completed, task.outcome == .success ? task.outcomeRecorded : nil]))
  }
}
