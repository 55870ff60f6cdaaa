import XferEvents
import XferLifecycle
import XferReplay

/// A log with begin events of one kind but no end events.
struct UnfinishedInstrumentation: ProcessRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))
  private static let end = RuleExample.Step.at(90, ProcessExited(code: 0, exitReason: .returned))

  private static func work(_ count: Int, ended: Int = 0) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let id = CorrelationID(UInt64(number))
      let begun = RuleExample.Step.at(Double(number), AppWorkBegun(work: id, name: "decode"))
      return number <= ended ? [begun, .at(Double(number), AppWorkEnded(work: id, name: "decode"))] : [begun]
    }
  }

  /// The steps of three tasks whose attempts start; the attempts end if `attemptsEnd`, and the tasks complete if `complete`.
  private static func tasks(attemptsEnd: Bool = false, complete: Bool = true) -> [RuleExample.Step] {
    (UInt32(1)...3).flatMap { number -> [RuleExample.Step] in
      let (task, delivery, time) = (TaskIdentity.example(number), DeliveryID(UInt64(number)), Double(number))
      let begun: [RuleExample.Step] = [
        .at(time, TaskCreated(task: task, type: .data)), .at(time, TaskResumed(task: task)),
        .at(time, AttemptStarted(task: task, attempt: 1)),
      ]
      let ended = RuleExample.Step.at(time, AttemptEnded(task: task, attempt: 1, end: .finished))
      let completed: [RuleExample.Step] = [
        .at(time, TaskTransferred(task: task, received: 1, status: 200)),
        .at(time, DeliverySent(task: task, delivery: delivery, callback: .didComplete)),
        .at(time, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
        .at(time, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
        .at(time, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
        .at(time, TaskCompleted(task: task, delivery: delivery, received: 1, status: 200)),
      ]
      return begun + (attemptsEnd ? [ended] : []) + (complete ? completed : [])
    }
  }

  static let description = RuleDescription(
    id: "unfinished-instrumentation", severity: .notice,
    summary: "The log has begin events of one kind but no end events: the writer does not log the ends.",
    explanation: """
      Work that can hang is logged twice, when it begins and when it ends, and a missing end counts as a hang. If every end is \
      missing although the process continued and exited normally, the logging is incomplete: the code does not log the end, or \
      an import covers only one of the two events. A Pulse store, for example, shows a request as pending for ever if Pulse did \
      not see the delegate's last callback. Findings that rest on such a missing end are not reliable. The variant \
      names the kind of work that never ends.
      """,
    remedy: """
      Log the end as well, in a `defer` block right after the beginning, so that every exit path logs it. In an app with Pulse, \
      use URLSessionProxy, or call NetworkLogger in urlSession(_:task:didCompleteWithError:).
      """,
    sources: [],
    isContractOnly: true,
    reports: [
      RuleExample(
        "work begins three times and never ends", .possible, variant: "work", cites: [.first(.appWorkBegun), .processExited],
        steps: [started] + work(3) + [end]),
      RuleExample(
        "three tasks are complete, but their attempts never end", .possible, variant: "attempt",
        cites: [.first(.attemptStarted), .processExited], steps: [started] + tasks() + [end]),
    ],
    staysSilent: [
      RuleExample("one of four pieces of work ended, so the others hang", steps: [started] + work(4, ended: 1) + [end]),
      RuleExample("work begins only twice", steps: [started] + work(2) + [end]),
      RuleExample("all attempts ended", steps: [started] + tasks(attemptsEnd: true) + [end]),
      RuleExample("the tasks are still in flight", steps: [started] + tasks(complete: false) + [end]),
      RuleExample(
        "the process was killed during the work",
        steps: [started] + work(3) + [
          .at(90, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .memoryPressure), by: .daemon)
        ]),
    ])

  static let watches: Set<EventKind> = []

  /// The number of unfinished begin events that is reported; fewer may have been interrupted by the end of the process.
  var beginnings = 3

  static let limits = [RuleLimit("beginnings", \Self.beginnings, "how many begin events without any end event are reported")]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    if process.coverage?.mayLeaveOutEnds ?? false {
      // Later requests may still end.
      return asked.isEndOfLog ? pending(tasks, in: world) : nil
    }
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
          The log of \(process.executable ?? "a process") has \(pairs[pair].begun) \(first.kind.name) events but no \
          \(pair.end.name).
          """,
        claim: .absence(since: first, shownBy: .end(end)), evidence: first, [end],
        missing: [.init(pair.end, dueBy: end.moment)], unless: ["all of this work hangs"]))
  }

  /// Reports requests whose ends the writer may have left out.
  private func pending(_ tasks: [Int], in world: World) -> Verdict {
    let open = tasks.filter { world.tasks[$0].completed == nil }
    guard let first = open.first, let last = open.last,
      let started = world.tasks[first].firstAttempt ?? world.tasks[first].resumed
    else { return .silent }
    let end = world.tasks[last].firstAttempt ?? world.tasks[last].resumed
    let (what, them) = open.count == 1 ? ("1 request", "it") : ("\(open.count) requests", "they")
    return .finding(
      Draft(
        variant: "pending",
        summary: """
          The log shows \(what) as pending. The writer of this log often misses the end of a request, so the log does not show \
          whether \(them) ended.
          """,
        claim: .absence(since: started, shownBy: .endOfLog), evidence: started, [end == started ? nil : end],
        missing: [.init(.taskCompleted)], unless: ["the requests were still running when the log was saved"]))
  }
}
