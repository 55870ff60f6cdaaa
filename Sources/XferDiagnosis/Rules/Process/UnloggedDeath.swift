import XferEvents
import XferLifecycle
import XferReplay

/// A program was started again, and the log does not show how its last process ended.
struct UnloggedDeath: ProcessRule {
  private static func started(_ reason: StartReason = .restart) -> ProcessStarted {
    ProcessStarted(startReason: reason, executable: "app")
  }

  static let description = RuleDescription(
    id: "unlogged-death", severity: .notice,
    summary: "The program was started again, and nothing in the log shows how its last process ended.",
    explanation: """
      A killed process cannot log its own end. The next process that opens the log records that the previous process has ended, \
      if the system lets it check. A daemon that watches a process records how that process ended. Without either record, a \
      crash, a kill by the system and a quit by the user look the same, and no rule about exits can decide between them.
      """,
    remedy: """
      Keep the logs of a program and of its daemon in one directory, and let the daemon watch the processes that it serves.
      """,
    sources: ["https://developer.apple.com/documentation/metrickit/mxbackgroundexitdata"],
    reports: [
      RuleExample(
        "a supervisor restarted the program", .possible, cites: [.processStarted],
        .at(0, started(.user)), .at(3, AppNoted(intent: "a")), .at(60, started(), by: .nextLife))
    ],
    staysSilent: [
      RuleExample(
        "the next process found it dead",
        .at(0, started(.user)), .at(60, started(), by: .nextLife),
        .at(60, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "the process logged its exit",
        .at(0, started(.user)), .at(5, ProcessExited(code: 0, exitReason: .returned)), .at(60, started(), by: .nextLife)),
      RuleExample(
        "both processes run at the same time",
        .at(0, started(.command)), .at(60, started(.command), by: .nextLife), .at(70, AppNoted(intent: "b"))),
      RuleExample("the program was not started again", .at(0, started(.user)), .at(3, AppNoted(intent: "a"))),
    ])

  static let watches: Set<EventKind> = []

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    if process.endFact != nil { return .silent }
    // The exit may be logged at any time before the end of the log.
    guard asked.isEndOfLog else { return nil }
    guard let next = process.nextLife.map({ world.processes[$0] }), let started = next.started,
      next.boot == process.boot, started.monotonic ?? .min > process.coveredUntil, let begin = process.started
    else { return .silent }
    // The next process records the end of earlier processes that it can look up, unless they still run.
    if process.place != nil, process.place == next.place { return .silent }
    return .finding(
      Draft(
        summary: "\(process.executable ?? "The program") was started again, and nothing shows how its last process ended.",
        claim: .absence(since: begin, shownBy: .endOfLog), evidence: begin, [started],
        missing: [.init(.processExitObserved, dueBy: started.moment)], unless: ["both processes run at the same time"]))
  }
}
