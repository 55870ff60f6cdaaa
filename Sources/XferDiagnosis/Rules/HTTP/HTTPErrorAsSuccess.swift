import XferEvents
import XferLifecycle
import XferReplay

/// The transport worked, the server said no, and the app took the error page for the file.
struct HTTPErrorAsSuccess: TaskRule {
  static let description = RuleDescription(
    id: "http-error-as-success", severity: .critical,
    summary: "The server answered with an error, and the app took the answer for a success.",
    explanation: """
      URLSession and libcurl report an error only when the transport fails. A 404 or a 500 is a complete transfer without \
      an error, and its body is the error page. Code that looks at the error alone keeps that page as the file. It is the \
      most repeated defect in the reports that the catalogue was made from.
      """,
    remedy: "Look at the status before anything is kept: below 400, and 200 or 206 for a download, or it has failed.",
    sources: [
      "https://github.com/EkoLabs/react-native-background-downloader/issues/103",
      "https://github.com/Danie1s/Tiercel/issues/18", "https://github.com/parse-community/Parse-SDK-iOS-OSX/pull/392",
      "https://github.com/Heikowi/HWIFileDownload/issues/12",
    ],
    reports: [
      RuleExample(
        "the app says success after a 404", .certain, cites: [.taskCompleted, .appOutcomeRecorded],
        .at(0, TaskCreated(type: .data, method: "GET")), .at(0.01, TaskTransferred(received: 9, status: 404)),
        .at(0.012, TaskCompleted(received: 9, status: 404)), .at(0.02, AppOutcomeRecorded(task: .example, outcome: .success))),
      RuleExample(
        "the error page became the file", .probable, cites: [.fileClaimed, .taskCompleted],
        .at(0, TaskCreated(type: .download, method: "GET")), .at(0.01, TaskTransferred(received: 9, status: 500)),
        .at(0.011, FileClaimed(operation: .move, inCallback: true)), .at(0.012, TaskCompleted(received: 9, status: 500)),
        .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the error page became the file, and the log ends", .possible, cites: [.fileClaimed, .taskCompleted],
        .at(0, TaskCreated(type: .download, method: "GET")), .at(0.01, TaskTransferred(received: 9, status: 500)),
        .at(0.011, FileClaimed(operation: .move, inCallback: true)), .at(0.012, TaskCompleted(received: 9, status: 500))),
    ],
    staysSilent: [
      RuleExample(
        "the app says failure",
        .at(0, TaskCreated(type: .download, method: "GET")), .at(0.011, FileClaimed(operation: .move, inCallback: true)),
        .at(0.012, TaskCompleted(received: 9, status: 404)), .at(0.02, AppOutcomeRecorded(task: .example, outcome: .failure)),
        .at(30, LogHeartbeatWritten())),
      RuleExample(
        "the app says failure some seconds later",
        .at(0, TaskCreated(type: .download, method: "GET")), .at(0.011, FileClaimed(operation: .move, inCallback: true)),
        .at(0.012, TaskCompleted(received: 9, status: 404)), .at(3, LogHeartbeatWritten()),
        .at(5, AppOutcomeRecorded(task: .example, outcome: .failure)), .at(30, LogHeartbeatWritten())),
      RuleExample(
        "nobody kept the error page",
        .at(0, TaskCreated(type: .download, method: "GET")), .at(0.012, TaskCompleted(received: 9, status: 404)),
        .at(30, LogHeartbeatWritten())),
      RuleExample(
        "a success",
        .at(0, TaskCreated(type: .data, method: "GET")), .at(0.012, TaskCompleted(received: 9, status: 200)),
        .at(0.02, AppOutcomeRecorded(task: .example, outcome: .success))),
      RuleExample(
        "the transport failed too, so there was an error to see",
        .at(0, TaskCreated(type: .data, method: "GET")),
        .at(0.012, TaskCompleted(received: 9, status: 404, domain: .curl, error: 18)),
        .at(0.02, AppOutcomeRecorded(task: .example, outcome: .failure))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.refused)]
  static let watches: Set<EventKind> = [.taskCompleted, .appOutcomeRecorded]

  /// For the app to say that it read the error page on purpose.
  var patience: Duration = .seconds(10)

  static let limits = [RuleLimit("patience", \Self.patience, "how long the app may take to say that it has failed")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.error == nil, let status = task.status, status >= 400 else { return .silent }
    let summary = "Task \(task.identity.text) was answered with \(status) and taken for a success."
    if let outcome = task.outcome, let recorded = task.outcomeRecorded {
      guard outcome == .success else { return .silent }
      return .finding(Draft(summary: summary, claim: .presence, evidence: completed, [recorded]))
    }
    guard let claimed = task.file.claimed else { return asked.isEndOfLog ? .silent : nil }
    guard
      let proof = asked.isEndOfLog
        ? .endOfLog : asked.proofOfAbsence(since: completed, within: patience, by: world.process(of: task))
    else { return .wait(patience, after: completed) }
    // Keeping the file speaks for it; that no failure was recorded is an absence.
    let shown: Draft.AbsenceProof = if case .end = proof { .coverage } else { proof }
    return .finding(
      Draft(
        summary: summary, claim: .absence(since: completed, shownBy: shown), evidence: claimed, [completed],
        missing: [.init(.appOutcomeRecorded, dueBy: completed.due(within: patience))],
        unless: ["the app keeps the error page on purpose"]))
  }
}
