import XferEvents
import XferLifecycle
import XferReplay

/// A task that was reported as a success and as a failure.
struct ContradictoryCompletion: RememberingTaskRule {
  /// The steps of a download whose file the app moves, or fails to move if there is a `claimError`.
  private static func begun(claimError: Int? = nil) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, method: "GET")), .at(0, TaskResumed()), .at(1, FileOffered(size: 9)),
      .at(1, FileClaimed(operation: .move, osError: claimError, inCallback: true)),
    ]
  }
  private static func outcome(_ outcome: Outcome, at time: Double) -> RuleExample.Step {
    .at(time, AppOutcomeRecorded(task: .example, outcome: outcome))
  }
  private static func done(error: Int? = nil) -> RuleExample.Step {
    .at(2, TaskCompleted(received: 9, status: 200, domain: error == nil ? nil : .curl, error: error))
  }

  static let description = RuleDescription(
    id: "contradictory-completion", severity: .error,
    summary: "The app recorded both a success and a failure for one task.",
    explanation: """
      A download ends with two callbacks: one offers the file, the other delivers the result. Code that reports success in the \
      first callback and the result in the second gives its user two answers about one task; their order decides which one \
      remains. The variant says which came first.
      """,
    remedy: "Decide the outcome in one place, when the task is complete, from its error, its status and its file together.",
    sources: ["https://github.com/fluttercommunity/flutter_downloader/pull/635"],
    consequenceOf: ["http-error-as-success", "claim-failed-destination"],
    reports: [
      RuleExample(
        "a success in the file callback, then a failure at completion", .certain, variant: "success first",
        cites: [.appOutcomeRecorded],
        steps: begun() + [outcome(.success, at: 1), done(error: 18), outcome(.failure, at: 2)]),
      RuleExample(
        "a failure in the file callback, then a success at completion", .certain, variant: "failure first",
        cites: [.appOutcomeRecorded], steps: begun() + [outcome(.failure, at: 1), done(), outcome(.success, at: 2)]),
    ],
    staysSilent: [
      RuleExample("the app recorded one outcome", steps: begun() + [done(), outcome(.success, at: 2)]),
      RuleExample(
        "the app recorded only a success, although the task then failed",
        steps: begun() + [outcome(.success, at: 1), done(error: 18)]),
      RuleExample(
        "the app recorded the same outcome twice",
        steps: begun() + [outcome(.success, at: 1), done(), outcome(.success, at: 2)]),
      RuleExample(
        "the file could not be moved after a successful transfer",
        steps: begun(claimError: 13) + [outcome(.failure, at: 1), done()]),
      RuleExample(
        "the app recorded a success and later discarded the result",
        steps: begun() + [outcome(.success, at: 1), done(), outcome(.discarded, at: 3)]),
    ])

  static let watches: Set<EventKind> = [.appOutcomeRecorded]
  static let remembers: Set<EventKind> = [.appOutcomeRecorded]

  /// The last outcome that the app recorded, and the first two outcomes that contradict each other.
  struct Memory {
    var last: (outcome: Outcome, fact: Fact)
    var contradiction: Contradiction?
  }

  struct Contradiction {
    let first: Fact
    let second: Fact
    let wasSuccess: Bool
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    guard let outcome = event.outcome else { return memory = memory?.contradiction == nil ? nil : memory }
    if let last = memory?.last, memory?.contradiction == nil, outcome != last.outcome,
      [.success, .failure].contains(outcome), [.success, .failure].contains(last.outcome)
    {
      memory?.contradiction = Contradiction(first: last.fact, second: fact, wasSuccess: last.outcome == .success)
    }
    memory = Memory(last: (outcome, fact), contradiction: memory?.contradiction)
  }

  func verdict(on task: TaskLifecycle, remembering memory: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard let contradiction = memory.contradiction else { return asked.isTaskOver ? .silentSoFar : nil }
    // A file that could not be moved is a failure of its own, even if the transfer succeeded.
    if task.file.claimFailed != nil || task.file.lateClaimError != nil { return .silent }
    let outcomes = contradiction.wasSuccess ? "a success, then as a failure" : "a failure, then as a success"
    return .finding(
      Draft(
        variant: contradiction.wasSuccess ? "success first" : "failure first",
        summary: "The app recorded task \(task.identity.label) as \(outcomes).", claim: .presence,
        evidence: contradiction.first, [contradiction.second]))
  }
}
