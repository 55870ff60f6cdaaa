import XferEvents
import XferLifecycle
import XferReplay

/// The daemon computes and gets nothing done.
struct DaemonWedged: ProcessRule {
  /// Heartbeats of the daemon, a minute apart.
  private static func beats(cpu: [Duration], depth: [Int64], tasks: Int64 = 4) -> [RuleExample.Step] {
    cpu.indices.map { place in
      let beat = LogHeartbeatWritten(liveTasks: tasks, queueDepth: depth[place], cpuTime: cpu[place])
      let time: Duration = .seconds(60 * (place + 1))
      return .at(time, beat, by: .daemon)
    }
  }

  private static let started: [RuleExample.Step] = [.at(0, DaemonStarted(generation: 1, version: "1.0"), by: .daemon)]

  static let description = RuleDescription(
    id: "daemon-wedged", severity: .error,
    summary: "The daemon used a whole processor for minutes, and what waited for it did not become less.",
    explanation: """
      A daemon that is overwhelmed, by thousands of tasks or by a loop of its own, still moves bytes, but no app hears of them: \
      callbacks wait in its queue. Its heartbeats show it, when they carry processor time and the length of the queue: nearly \
      all the time is used, there are tasks to look after, and the queue does not get shorter.
      """,
    remedy: """
      Give background sessions fewer tasks at a time. A daemon should watch itself, and start anew from its journal when its \
      queue stands still.
      """,
    sources: ["https://github.com/lionheart/openradar-mirror/issues/9974", "https://forums.developer.apple.com/message/32659"],
    reports: [
      RuleExample(
        "three minutes at full load, and the queue grows", .certain,
        cites: [.first(.logHeartbeatWritten), .last(.logHeartbeatWritten)],
        steps: started + beats(cpu: [.seconds(10), .seconds(69), .seconds(128)], depth: [40, 60, 90]))
    ],
    staysSilent: [
      RuleExample(
        "busy, and the queue gets shorter",
        steps: started + beats(cpu: [.seconds(10), .seconds(69), .seconds(128)], depth: [90, 60, 10])),
      RuleExample("idle", steps: started + beats(cpu: [.seconds(1), .seconds(1), .seconds(1)], depth: [0, 0, 0])),
      RuleExample(
        "nothing to look after",
        steps: started + beats(cpu: [.seconds(10), .seconds(69), .seconds(128)], depth: [1, 1, 1], tasks: 0)),
      RuleExample(
        "for a minute only",
        steps: started + beats(cpu: [.seconds(10), .seconds(69), .seconds(75)], depth: [40, 60, 60])),
    ])

  static let watches: Set<EventKind> = [.logHeartbeatWritten]

  /// Shorter is a burst.
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
        summary: "The daemon was fully busy for \(time.inSeconds), and its queue did not get shorter.", claim: .presence,
        evidence: since, [until]))
  }
}
