import XferEvents
import XferLifecycle
import XferReplay

/// Ends of a kind are never written, whatever begins.
struct UnfinishedInstrumentation: ProcessRule {
  private static let started = RuleExample.Step.event(ProcessStarted(executable: "app"), at: .zero)
  private static let exited = ProcessExited(code: 0, exitReason: .returned)
  private static let end = RuleExample.Step.evidence(exited, at: .seconds(90))

  private static func work(_ count: Int, ended: Int = 0, isEvidence: Bool = true) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let id = CorrelationID(UInt64(number))
      let begun = AppWorkBegun(work: id, name: "decode")
      let first: RuleExample.Step =
        number == 1 && isEvidence ? .evidence(begun, at: .seconds(number)) : .event(begun, at: .seconds(number))
      return number <= ended ? [first, .event(AppWorkEnded(work: id, name: "decode"), at: .seconds(number))] : [first]
    }
  }

  /// Tasks that are complete; of their attempts the log has the beginnings.
  private static func tasks(_ count: UInt32, areEnded: Bool = false, areComplete: Bool = true, isEvidence: Bool = true)
    -> [RuleExample.Step]
  {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let task = TaskIdentity.example(number)
      let begun = AttemptStarted(task: task, attempt: 1)
      var steps: [RuleExample.Step] = [
        .event(TaskCreated(task: task, type: .data), at: .seconds(Int(number))),
        .event(TaskResumed(task: task), at: .seconds(Int(number))),
        number == 1 && isEvidence ? .evidence(begun, at: .seconds(Int(number))) : .event(begun, at: .seconds(Int(number))),
      ]
      if areEnded { steps.append(.event(AttemptEnded(task: task, attempt: 1, end: .finished), at: .seconds(Int(number)))) }
      if areComplete {
        steps += [
          .event(TaskTransferred(task: task, received: 1, status: 200), at: .seconds(Int(number))),
          .event(
            DeliverySent(task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete), at: .seconds(Int(number))),
          .event(
            DeliveryReceived(task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete), at: .seconds(Int(number))),
          .event(
            DeliveryEntered(task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete), at: .seconds(Int(number))),
          .event(
            DeliveryLeft(task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete), at: .seconds(Int(number))),
          .event(
            TaskCompleted(task: task, delivery: DeliveryID(UInt64(number)), received: 1, status: 200), at: .seconds(Int(number))),
        ]
      }
      return steps
    }
  }

  static let description = RuleDescription(
    id: "unfinished-instrumentation", severity: .notice,
    summary: "The log has beginnings of a kind, and never an end: whoever writes it does not write the ends.",
    explanation: """
      What can hang is logged twice, when it begins and when it ends, and a missing end is taken for something that hangs. \
      Where every single one lacks its end, although the process went on and ended in good order, it is the writing that is \
      unfinished: the place in the code that should say so was forgotten, or an import knows only one of the two. Rules that \
      rest on such an end are then not to be believed. The variant names what is never ended.
      """,
    remedy: "Emit the end as well, in a `defer` right behind the beginning, so that no way out of the code lacks it.",
    sources: [],
    isContractOnly: true,
    reports: [
      RuleExample(
        "work is begun three times and never ended", certainty: .possible, variant: "work",
        steps: [started] + work(3) + [end]),
      RuleExample(
        "tasks are complete whose attempts have not ended", certainty: .possible, variant: "attempt",
        steps: [started] + tasks(3) + [end]),
    ],
    staysSilent: [
      RuleExample(
        "one of four has ended: the others hang",
        steps: [started] + work(4, ended: 1, isEvidence: false) + [.event(exited, at: .seconds(90))]),
      RuleExample("only two", steps: [started] + work(2, isEvidence: false) + [.event(exited, at: .seconds(90))]),
      RuleExample(
        "all have ended",
        steps: [started] + tasks(3, areEnded: true, isEvidence: false) + [.event(exited, at: .seconds(90))]),
      RuleExample(
        "the tasks are under way",
        steps: [started] + tasks(3, areComplete: false, isEvidence: false) + [.event(exited, at: .seconds(90))]),
      RuleExample(
        "the process was killed in the middle of it",
        steps: [started] + work(3, isEvidence: false) + [
          .event(
            ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), at: .seconds(90),
            by: .daemon)
        ]),
    ])

  static let watches: Set<EventKind> = []

  /// Fewer may have been cut off by the end.
  var beginnings = 3

  static let limits = [RuleLimit("beginnings", \Self.beginnings, "how many beginnings without any end show that none is written")]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let end = process.exited ?? process.logClosed else {
      return process.endFact == nil && !asked.isEndOfLog ? nil : .silent
    }
    let pairs = process.log.pairs
    let open = EventPair.allCases.filter { pair in
      pairs[pair].ended == 0 && pairs[pair].begun >= beginnings && (!pair.isOfTask || pairs.completedTasks >= beginnings)
    }
    guard let pair = open.first, let first = pairs[pair].first else { return .silent }
    return .finding(
      Draft(
        variant: "\(pair)",
        summary: """
          The log of \(process.executable ?? "a process") has \(pairs[pair].begun) times \(first.kind.name) and never \
          \(pair.end.name).
          """,
        claim: .absence(since: first, shownBy: .end(end)), evidence: first, [end],
        missing: [.init(pair.end, dueBy: end.moment)], unless: ["each of them hangs"]))
  }
}
