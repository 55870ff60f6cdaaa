import XferEvents
import XferLifecycle
import XferReplay

/// Ends of a kind are never written, whatever begins.
struct UnfinishedInstrumentation: ProcessRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))
  private static let exited = ProcessExited(code: 0, exitReason: .returned)
  private static let end = RuleExample.Step.at(90, exited)

  private static func work(_ count: Int, ended: Int = 0) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let id = CorrelationID(UInt64(number))
      let begun = AppWorkBegun(work: id, name: "decode")
      let first: RuleExample.Step =
        .at(.seconds(number), begun)
      return number <= ended ? [first, .at(.seconds(number), AppWorkEnded(work: id, name: "decode"))] : [first]
    }
  }

  /// Tasks that are complete; of their attempts the log has the beginnings.
  private static func tasks(_ count: UInt32, areEnded: Bool = false, areComplete: Bool = true)
    -> [RuleExample.Step]
  {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let task = TaskIdentity.example(number)
      let begun = AttemptStarted(task: task, attempt: 1)
      var steps: [RuleExample.Step] = [
        .at(.seconds(Int(number)), TaskCreated(task: task, type: .data)),
        .at(.seconds(Int(number)), TaskResumed(task: task)),
        .at(.seconds(Int(number)), begun),
      ]
      if areEnded { steps.append(.at(.seconds(Int(number)), AttemptEnded(task: task, attempt: 1, end: .finished))) }
      if areComplete {
        steps += [
          .at(.seconds(Int(number)), TaskTransferred(task: task, received: 1, status: 200)),
          .at(.seconds(Int(number)), DeliverySent(task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete)),
          .at(.seconds(Int(number)), DeliveryReceived(task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete)),
          .at(.seconds(Int(number)), DeliveryEntered(task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete)),
          .at(.seconds(Int(number)), DeliveryLeft(task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete)),
          .at(.seconds(Int(number)), TaskCompleted(task: task, delivery: DeliveryID(UInt64(number)), received: 1, status: 200)),
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
        "work is begun three times and never ended", .possible, variant: "work", cites: [.first(.appWorkBegun), .processExited],
        steps: [started] + work(3) + [end]),
      RuleExample(
        "tasks are complete whose attempts have not ended", .possible, variant: "attempt",
        cites: [.first(.attemptStarted), .processExited],
        steps: [started] + tasks(3) + [end]),
    ],
    staysSilent: [
      RuleExample(
        "one of four has ended: the others hang",
        steps: [started] + work(4, ended: 1) + [.at(90, exited)]),
      RuleExample("only two", steps: [started] + work(2) + [.at(90, exited)]),
      RuleExample("all have ended", steps: [started] + tasks(3, areEnded: true) + [.at(90, exited)]),
      RuleExample(
        "the tasks are under way",
        steps: [started] + tasks(3, areComplete: false) + [.at(90, exited)]),
      RuleExample(
        "the process was killed in the middle of it",
        steps: [started] + work(3) + [
          .at(90, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon)
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
