import XferEvents
import XferLifecycle
import XferReplay

/// A program runs again, and nobody has said how its last life ended.
struct UnloggedDeath: ProcessRule {
  private static func started(_ reason: StartReason = .restart) -> ProcessStarted {
    ProcessStarted(startReason: reason, executable: "app")
  }

  static let description = RuleDescription(
    id: "unlogged-death", severity: .notice,
    summary: "The program was started again, and nothing in the log says how its last life ended.",
    explanation: """
      A process that is killed cannot write of its own death. Whoever opens the log next sees that its writer is gone, and a \
      daemon that watches sees how. Where neither has written, a crash, a kill by the system and a user's quit look the same, \
      and every rule about ends has to guess.
      """,
    remedy: """
      Keep the logs of a program and of its daemon in one place, and let the daemon watch the processes that it serves.
      """,
    sources: ["https://developer.apple.com/documentation/metrickit/mxbackgroundexitdata"],
    reports: [
      RuleExample(
        "started again by its supervisor", .possible, cites: [.processStarted],
        .at(0, started(.user)), .at(3, AppNoted(intent: "a")), .at(60, started(), by: .nextLife))
    ],
    staysSilent: [
      RuleExample(
        "the next life found it dead",
        .at(0, started(.user)), .at(60, started(), by: .nextLife),
        .at(60, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "it had said that it ends",
        .at(0, started(.user)), .at(5, ProcessExited(code: 0, exitReason: .returned)), .at(60, started(), by: .nextLife)),
      RuleExample(
        "both run at the same time",
        .at(0, started(.command)), .at(60, started(.command), by: .nextLife), .at(70, AppNoted(intent: "b"))),
      RuleExample("it is the only one", .at(0, started(.user)), .at(3, AppNoted(intent: "a"))),
    ])

  static let watches: Set<EventKind> = []

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    if process.endFact != nil { return .silent }
    // Whoever is to say it may do so at any time.
    guard asked.isEndOfLog else { return nil }
    guard let next = process.nextLife.map({ world.processes[$0] }), let started = next.started,
      next.boot == process.boot, started.monotonic ?? .min > process.coveredUntil, let begin = process.started
    else { return .silent }
    return .finding(
      Draft(
        summary: "\(process.executable ?? "The program") was started again, and nothing says how its last life ended.",
        claim: .absence(since: begin, shownBy: .endOfLog), evidence: begin, [started],
        missing: [.init(.processExitObserved, dueBy: started.moment)], unless: ["both run at the same time"]))
  }
}
