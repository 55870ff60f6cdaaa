import XferEvents
import XferLifecycle
import XferReplay

/// A daemon that keeps a processor core fully busy without making progress.
struct DaemonWedged: ProcessRule {
  /// The steps of an example: the daemon logs its processor time, in seconds, and the length of its queue in a heartbeat each
  /// minute.
  private static func story(cpu: [Int] = [10, 69, 128], depth: [Int64], tasks: Int64 = 4) -> [RuleExample.Step] {
    let beats = zip(cpu, depth).enumerated().map { place, beat in
      RuleExample.Step.at(
        Double(60 * (place + 1)),
        LogHeartbeatWritten(liveTasks: tasks, queueDepth: beat.1, cpuTime: .seconds(beat.0)), by: .daemon)
    }
    return [.at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon)] + beats
  }

  static let description = RuleDescription(
    id: "daemon-wedged", severity: .error,
    summary: "The daemon kept a processor core fully busy for minutes, but its queue did not get shorter.",
    explanation: """
      A daemon that is overloaded by thousands of tasks, or caught in a loop, still moves bytes, but its apps receive no \
      events: the callbacks wait in the daemon's queue. Heartbeats that carry the processor time and the queue length show \
      this state: the daemon uses nearly all the time of a processor core, it has live tasks, and its queue does not get \
      shorter.
      """,
    remedy: """
      Limit the number of tasks in flight in background sessions. A daemon should monitor itself, and restart from its journal \
      when its queue makes no progress.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/9974", "https://forums.developer.apple.com/message/32659"],
    untriggerable: "The daemon writes no heartbeats; those of other daemons may carry a processor time.",
    reports: [
      RuleExample(
        "the daemon is fully busy for two minutes, and its queue grows", .certain,
        cites: [.first(.logHeartbeatWritten), .last(.logHeartbeatWritten)], steps: story(depth: [40, 60, 90]))
    ],
    staysSilent: [
      RuleExample("the queue gets shorter", steps: story(depth: [90, 60, 10])),
      RuleExample("the daemon is idle", steps: story(cpu: [1, 1, 1], depth: [0, 0, 0])),
      RuleExample("the daemon has no live tasks", steps: story(depth: [1, 1, 1], tasks: 0)),
      RuleExample("the daemon is busy for one minute only", steps: story(cpu: [10, 69, 75], depth: [40, 60, 60])),
    ])

  static let watches: Set<EventKind> = [.logHeartbeatWritten]

  /// The minimum busy time that is reported; a shorter time may be a burst of work.
  var patience: Duration = .seconds(120)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long the daemon may be fully busy while its queue does not get shorter")
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let isOver = process.endFact != nil || asked.isEndOfLog
    guard process.role == .daemon || process.daemon != nil, let since = process.work.busySince,
      let until = process.work.busyUntil, let time = since.duration(to: until), time >= patience
    else { return isOver ? .silent : nil }
    return .finding(
      Draft(
        summary: Self.summary(time), claim: .presence,
        evidence: since, [until]))
  }

  private static func summary(_ time: Duration) -> String {
    "The daemon was fully busy for \(time.inSeconds), and its queue did not get shorter."
  }

  func finalSummary(of finding: Finding, about place: Int, in world: World) -> String? {
    Self.summary(world.processes[place].work.longest)
  }
}
