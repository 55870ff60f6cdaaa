import XferEvents
import XferLifecycle
import XferReplay

/// Events that a process's log lacks because its log levels excluded them.
struct LevelFiltered: ProcessRule {
  private static let debugMessage = MessageDebug(subsystem: "com.example", category: "net", eventMessage: "a")
  private static let talkative: [RuleExample.Step] = [
    .at(0, LogOpened(levels: "debug")), .at(0, ProcessStarted(executable: "app")),
  ]
  private static let said = RuleExample.Step.at(1, debugMessage)

  /// The steps of the next launch, which logs no debug message.
  private static func next(levels: String = "default", _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(60, LogOpened(levels: levels), by: .nextLife), .at(60, ProcessStarted(executable: "app"), by: .nextLife),
    ] + steps + [.at(90, ProcessExited(code: 0, exitReason: .returned), by: .nextLife)]
  }

  static let description = RuleDescription(
    id: "level-filtered", severity: .notice,
    summary: "Events of one kind are missing from this launch’s log because its log levels excluded them.",
    explanation: """
      Messages at debug and info level are not stored by default, also on Apple systems: they appear in the simulator or with \
      a debugger, but not on the device. The absence of such events proves nothing about what the code did. The log records \
      its levels, and another launch of the same program with other levels shows which events are missing. The variant names \
      the event.
      """,
    remedy: """
      Log what a diagnosis needs at default level. To see more for a while, lower the level of a subsystem or of an event \
      family (the part of an event's name before the full stop) with xferlog config level; the change takes effect while the \
      log is being written.
      """,
    sources: ["https://man.cameronkatri.com/os_log.5"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the first launch logged debug messages, the second one excluded them", .certain, variant: "message.debug",
        cites: [.last(.logOpened), .messageDebug], steps: talkative + [said] + next())
    ],
    staysSilent: [
      RuleExample("the levels of the second launch include debug messages", steps: talkative + [said] + next(levels: "debug")),
      RuleExample(
        "the second launch included debug messages for part of the time",
        steps: talkative + [said] + next(.at(70, LogLevelsChanged(levels: "debug"), by: .nextLife))),
      RuleExample("no launch has debug messages", steps: talkative + next()),
      RuleExample(
        "only another program has debug messages",
        steps: [
          .at(0, LogOpened(levels: "debug"), by: .appExtension),
          .at(0, ProcessStarted(executable: "extension"), by: .appExtension), .at(1, debugMessage, by: .appExtension),
        ] + next()),
    ])

  static let watches: Set<EventKind> = []

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard process.endFact != nil || asked.isEndOfLog, let evidence = process.log.opened ?? process.firstSeen else {
      return asked.isEndOfLog ? .silent : nil
    }
    let others = world.processes.filter {
      $0 !== process && $0.executable == process.executable && $0.role == process.role
    }
    if others.isEmpty { return asked.isEndOfLog ? .silent : nil }
    for detail in DetailTrail.Detail.allCases where process.log.details.first(detail) == nil {
      guard let levels = process.levels.leavingOutAlways(detail.kind),
        let other = others.lazy.compactMap({ $0.log.details.first(detail) }).first
      else { continue }
      return .finding(
        Draft(
          variant: detail.kind.name,
          summary: """
            \(process.executable ?? "A process") stored no events below \(levels.text): its log has no \(detail.kind.name), \
            although the log of another launch does.
            """,
          claim: .presence, evidence: evidence, [other]))
    }
    // A later launch may still log the missing kind of event.
    return asked.isEndOfLog ? .silent : nil
  }
}
