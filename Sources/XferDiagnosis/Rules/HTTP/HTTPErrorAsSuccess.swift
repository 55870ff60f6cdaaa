import XferEvents
import XferLifecycle
import XferReplay

/// Reports an HTTP error response that the app accepted as a success.
struct HTTPErrorAsSuccess: TaskRule {
  private static func created(_ type: TaskType) -> RuleExample.Step { .at(0, TaskCreated(type: type, method: "GET")) }
  private static func transferred(_ status: Int) -> RuleExample.Step {
    .at(0.01, TaskTransferred(received: 9, status: status))
  }
  private static let claimed = RuleExample.Step.at(0.011, FileClaimed(operation: .move, inCallback: true))
  private static func completed(_ status: Int, error: Int? = nil) -> RuleExample.Step {
    .at(0.012, TaskCompleted(received: 9, status: status, domain: error.map { _ in ErrorDomain.curl }, error: error))
  }
  private static func recorded(
    _ outcome: Outcome, at seconds: Double = 0.02, accepting status: Int? = nil
  ) -> RuleExample.Step {
    .at(seconds, AppOutcomeRecorded(task: .example, outcome: outcome, acceptedStatus: status))
  }
  private static let alive = RuleExample.Step.at(30, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "http-error-as-success", severity: .critical,
    summary: "The server answered with an HTTP error, and the app accepted the response as a success.",
    explanation: """
      URLSession and libcurl report an error only when the transport fails. A 404 or 500 response is a complete transfer \
      without an error, and its body is the error page. Code that checks only the error keeps that page as the file. This is \
      the most frequent defect in the field reports behind this catalogue.
      """,
    remedy: """
      Check the status (HTTPURLResponse.statusCode) before you keep the file: accept only statuses below 400, and for a \
      download only 200 or 206. If an error status is an expected answer, record it with the outcome (acceptedStatus).
      """,
    sources: [
      "https://github.com/EkoLabs/react-native-background-downloader/issues/103",
      "https://github.com/Danie1s/Tiercel/issues/18", "https://github.com/parse-community/Parse-SDK-iOS-OSX/pull/392",
      "https://github.com/Heikowi/HWIFileDownload/issues/12",
    ],
    reports: [
      RuleExample(
        "the app recorded a success after a 404", .certain, cites: [.taskCompleted, .appOutcomeRecorded],
        created(.data), transferred(404), completed(404), recorded(.success)),
      RuleExample(
        "the app accepts another status on purpose", .certain, cites: [.taskCompleted, .appOutcomeRecorded],
        created(.data), transferred(500), completed(500), recorded(.success, accepting: 404)),
      RuleExample(
        "the app kept the error page as the file", .probable, cites: [.fileClaimed, .taskCompleted],
        created(.download), transferred(500), claimed, completed(500), alive),
      RuleExample(
        "the app kept the error page as the file, and the log ends", .possible, cites: [.fileClaimed, .taskCompleted],
        created(.download), transferred(500), claimed, completed(500)),
    ],
    staysSilent: [
      RuleExample(
        "the app recorded a failure", created(.download), claimed, completed(404), recorded(.failure), alive),
      RuleExample(
        "the app recorded a failure some seconds later",
        created(.download), claimed, completed(404), .at(3, LogHeartbeatWritten()), recorded(.failure, at: 5), alive),
      RuleExample("the app did not keep the error page", created(.download), completed(404), alive),
      RuleExample(
        "the app accepts this status on purpose", created(.data), transferred(404), completed(404),
        recorded(.success, accepting: 404)),
      RuleExample("the server answered 200", created(.data), completed(200), recorded(.success)),
      RuleExample(
        "the transport failed too, and the app recorded a failure",
        created(.data), completed(404, error: 18), recorded(.failure)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.refused)]
  static let watches: Set<EventKind> = [.taskCompleted, .appOutcomeRecorded]

  /// The time that the app has to record a failure, if it keeps the error page on purpose.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to record a failure")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.error == nil, let status = task.status, status >= 400, !task.acceptsErrorStatus else { return .silent }
    let summary = "The server answered task \(task.identity.label) with \(status), and the app accepted it as a success."
    if let outcome = task.outcome, let recorded = task.outcomeRecorded {
      guard outcome == .success else { return .silent }
      return .finding(Draft(summary: summary, claim: .presence, evidence: completed, [recorded]))
    }
    guard let claimed = task.file.claimed else { return asked.isEndOfLog ? .silent : nil }
    guard
      let proof = asked.isEndOfLog
        ? .endOfLog : asked.proofOfAbsence(since: completed, within: patience, by: world.process(of: task))
    else { return .wait(patience, after: completed) }
    // The finding rests on a missing record of a failure, so it is at most probable, even if the end of the process proves that
    // no record will come.
    let shown: Draft.AbsenceProof = if case .end = proof { .coverage } else { proof }
    return .finding(
      Draft(
        summary: summary, claim: .absence(since: completed, shownBy: shown), evidence: claimed, [completed],
        missing: [.init(.appOutcomeRecorded, dueBy: completed.due(within: patience))],
        unless: ["the app keeps the error page on purpose"]))
  }
}
