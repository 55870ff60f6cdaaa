import XferEvents
import XferLifecycle
import XferReplay

/// A process's log has nothing of a kind that another life's has, because its levels left it out.
struct LevelFiltered: ProcessRule {
  private static func message(_ text: String) -> MessageDebug {
    MessageDebug(subsystem: "com.example", category: "net", eventMessage: "\(text)")
  }

  private static let talkative: [RuleExample.Step] = [
    .event(LogOpened(levels: "debug"), at: .zero), .event(ProcessStarted(executable: "app"), at: .zero),
  ]
  private static let end = RuleExample.Step.event(
    ProcessExited(code: 0, exitReason: .returned), at: .seconds(90), by: .nextLife)
  private static let restarted = RuleExample.Step.event(ProcessStarted(executable: "app"), at: .seconds(60), by: .nextLife)

  static let description = RuleDescription(
    id: "level-filtered", severity: .notice,
    summary: "Events of a kind are missing from this life’s log, because its levels left them out.",
    explanation: """
      What code says at debug and info is not kept by default, on Apple systems neither: in the simulator, or with a \
      debugger, it is there, and on the device it is not. A life without such events proves nothing about what the code did. \
      The log says which levels it had; another life of the same program, with other levels, shows what would have been \
      there. The variant names the event.
      """,
    remedy: """
      Say what a diagnosis needs at default level. For a while, lower the level of a family or of a subsystem; the log takes \
      that over while it is written.
      """,
    sources: ["https://man.cameronkatri.com/os_log.5"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the first life had debug messages, the second none", certainty: .certain, variant: "message.debug",
        steps: talkative + [
          .evidence(message("a"), at: .seconds(1)),
          .evidence(LogOpened(levels: "default"), at: .seconds(60), by: .nextLife), restarted, end,
        ])
    ],
    staysSilent: [
      RuleExample(
        "its levels kept them: there was nothing to say",
        steps: talkative + [
          .event(message("a"), at: .seconds(1)), .event(LogOpened(levels: "debug"), at: .seconds(60), by: .nextLife), restarted,
          end,
        ]),
      RuleExample(
        "its levels kept them for a part of the time",
        steps: talkative + [
          .event(message("a"), at: .seconds(1)), .event(LogOpened(levels: "default"), at: .seconds(60), by: .nextLife), restarted,
          .event(LogLevelsChanged(levels: "debug"), at: .seconds(70), by: .nextLife), end,
        ]),
      RuleExample(
        "nobody expects them",
        steps: talkative + [
          .event(LogOpened(levels: "default"), at: .seconds(60), by: .nextLife), restarted, end,
        ]),
      RuleExample(
        "another program has them",
        .event(LogOpened(levels: "debug"), at: .zero, by: .appExtension),
        .event(ProcessStarted(executable: "extension"), at: .zero, by: .appExtension),
        .event(message("a"), at: .seconds(1), by: .appExtension),
        .event(LogOpened(levels: "default"), at: .seconds(60), by: .nextLife), restarted, end),
    ])

  static let watches: Set<EventKind> = []

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard process.endFact != nil || asked.isEndOfLog, let evidence = process.log.opened ?? process.firstSeen else {
      return asked.isEndOfLog ? .silent : nil
    }
    for detail in DetailTrail.Detail.allCases where process.log.details.first(detail) == nil {
      guard let levels = process.levels.leavingOutAlways(detail.kind) else { continue }
      let other = world.processes.lazy.filter { $0.executable == process.executable && $0.role == process.role }
        .compactMap { $0.log.details.first(detail) }.first
      guard let other else { continue }
      return .finding(
        Draft(
          variant: detail.kind.name,
          summary: """
            \(process.executable ?? "A process") kept nothing below \(levels.text): its log has no \(detail.kind.name), which \
            another life’s has.
            """,
          claim: .presence, evidence: evidence, [other]))
    }
    // A later life may show what is missing here.
    return asked.isEndOfLog ? .silent : nil
  }
}
