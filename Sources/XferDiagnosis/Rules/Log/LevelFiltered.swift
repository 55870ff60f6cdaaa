import XferEvents
import XferLifecycle
import XferReplay

/// A process's log has nothing of a kind that another life's has, because its levels left it out.
struct LevelFiltered: ProcessRule {
  private static func message(_ text: String) -> MessageDebug {
    MessageDebug(subsystem: "com.example", category: "net", eventMessage: "\(text)")
  }

  private static let talkative: [RuleExample.Step] = [
    .at(0, LogOpened(levels: "debug")), .at(0, ProcessStarted(executable: "app")),
  ]
  private static let end = RuleExample.Step.at(90, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)
  private static let restarted = RuleExample.Step.at(60, ProcessStarted(executable: "app"), by: .nextLife)

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
        "the first life had debug messages, the second none", .certain, variant: "message.debug",
        cites: [.last(.logOpened), .messageDebug],
        steps: talkative + [.at(1, message("a")), .at(60, LogOpened(levels: "default"), by: .nextLife), restarted, end])
    ],
    staysSilent: [
      RuleExample(
        "its levels kept them: there was nothing to say",
        steps: talkative + [.at(1, message("a")), .at(60, LogOpened(levels: "debug"), by: .nextLife), restarted, end]),
      RuleExample(
        "its levels kept them for a part of the time",
        steps: talkative + [
          .at(1, message("a")), .at(60, LogOpened(levels: "default"), by: .nextLife), restarted,
          .at(70, LogLevelsChanged(levels: "debug"), by: .nextLife), end,
        ]),
      RuleExample(
        "nobody expects them",
        steps: talkative + [.at(60, LogOpened(levels: "default"), by: .nextLife), restarted, end]),
      RuleExample(
        "another program has them",
        .at(0, LogOpened(levels: "debug"), by: .appExtension),
        .at(0, ProcessStarted(executable: "extension"), by: .appExtension), .at(1, message("a"), by: .appExtension),
        .at(60, LogOpened(levels: "default"), by: .nextLife), restarted, end),
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
