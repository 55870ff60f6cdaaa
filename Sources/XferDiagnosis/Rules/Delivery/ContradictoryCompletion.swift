import XferEvents
import XferLifecycle
import XferReplay

/// The app was told that a task went well, and that it did not.
struct ContradictoryCompletion: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download, method: "GET")), .at(0, TaskResumed()), .at(1, FileOffered(size: 9)),
  ]
  private static let claimed = RuleExample.Step.at(1, FileClaimed(operation: .move, inCallback: true))
  private static func outcome(_ outcome: Outcome) -> AppOutcomeRecorded { AppOutcomeRecorded(task: .example, outcome: outcome) }
  private static func done(_ error: Int? = nil) -> TaskCompleted {
    TaskCompleted(received: 9, status: 200, domain: error == nil ? nil : .curl, error: error)
  }

  static let description = RuleDescription(
    id: "contradictory-completion", severity: .error,
    summary: "A task was told to have gone well, and to have failed.",
    explanation: """
      A download has two callbacks at its end: one with the file, one with the result. Code that reports success in the first and \
      whatever the second says in the second tells its user two things of one task; the order decides which of them stays. The \
      variant says which came first.
      """,
    remedy: "Decide the outcome in one place, when the task is complete, from the error, the status and the file together.",
    sources: ["https://github.com/fluttercommunity/flutter_downloader/pull/635"],
    consequenceOf: ["http-error-as-success", "claim-failed-destination"],
    reports: [
      RuleExample(
        "a success at the file, a failure at the completion", .certain, variant: "success first", cites: [.appOutcomeRecorded],
        steps: begun + [claimed, .at(1, outcome(.success)), .at(2, done(18)), .at(2, outcome(.failure))]),
      RuleExample(
        "a failure, and then a success", .certain, variant: "failure first", cites: [.appOutcomeRecorded],
        steps: begun + [claimed, .at(1, outcome(.failure)), .at(2, done()), .at(2, outcome(.success))]),
    ],
    staysSilent: [
      RuleExample("told once", steps: begun + [claimed, .at(2, done()), .at(2, outcome(.success))]),
      RuleExample(
        "taken for a success once, which its failure shows to be wrong",
        steps: begun + [claimed, .at(1, outcome(.success)), .at(2, done(18))]),
      RuleExample(
        "the same twice",
        steps: begun + [claimed, .at(1, outcome(.success)), .at(2, done()), .at(2, outcome(.success))]),
      RuleExample(
        "the file could not be moved after a good transfer",
        steps: begun + [
          .at(1, FileClaimed(operation: .move, osError: 13, inCallback: true)), .at(1, outcome(.failure)), .at(2, done()),
        ]),
      RuleExample(
        "given up after it had gone well",
        steps: begun + [claimed, .at(1, outcome(.success)), .at(2, done()), .at(3, outcome(.discarded))]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.contradicted)]
  static let watches: Set<EventKind> = [.appOutcomeRecorded]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let contradiction = task.oddities.contradiction else { return asked.isTaskOver ? .silentSoFar : nil }
    // That is a failure of the file's, and the transfer's success is none of the app's.
    if task.file.claimFailed != nil || task.file.lateClaimError != nil { return .silent }
    let story = contradiction.wasSuccess ? "gone well, and then to have failed" : "failed, and then to have gone well"
    return .finding(
      Draft(
        variant: contradiction.wasSuccess ? "success first" : "failure first",
        summary: "Task \(task.identity.text) was told to have \(story).", claim: .presence, evidence: contradiction.first,
        [contradiction.second]))
  }
}
