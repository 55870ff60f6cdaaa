import XferEvents
import XferLifecycle
import XferReplay

/// Events that the writer declared as dropped.
struct LogDropDeclared: ProcessRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))

  private static func dropped(_ family: String, _ count: Int64, _ why: DropReason, lifecycle: Bool? = nil) -> RuleExample.Step {
    .at(9, LogDropped(family: family, count: count, why: why, lifecycle: lifecycle))
  }

  static let description = RuleDescription(
    id: "log-drop-declared", severity: .warning,
    summary: "The writer could not write some events, and logged their number.",
    explanation: """
      A writer never blocks or ends its app: it counts the events that it cannot write, by family (the part of their name \
      before the full stop), and logs the counts as soon as it can write again. The count therefore appears later than the \
      drops, which need not be contiguous. A finding that rests on the absence of such events is lowered by one level of \
      certainty. The variant says why the events were dropped.
      """,
    remedy: """
      Free disk space for the log, or move the log to another disk. If events were too large or too frequent, log fewer \
      progress events and messages. Keep all lifecycle events, because the rules depend on them.
      """,
    sources: [
      "https://www.rootusers.com/how-to-change-log-rate-limiting-in-linux/",
      "https://unix.stackexchange.com/questions/420133/is-it-possible-to-tell-when-dev-kmsg-has-been-ratelimited",
    ],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the disk was full for a while", .certain, variant: "diskFull", cites: [.logDropped],
        started, dropped("task", 12, .diskFull, lifecycle: true)),
      RuleExample(
        "an older writer did not record whether lifecycle events were among the dropped ones", .certain, variant: "ioError",
        cites: [.logDropped], started, dropped("delivery", 1, .ioError)),
    ],
    staysSilent: [
      RuleExample("only progress was dropped", started, dropped("attempt", 500, .rateLimited, lifecycle: false)),
      RuleExample("only messages were dropped", started, dropped("message", 3, .tooLarge)),
      RuleExample("no event was dropped", started, .at(9, LogClosed(dropped: 0))),
    ])

  static let watches: Set<EventKind> = [.logDropped]

  /// The event families without lifecycle events.
  private static let familiesWithoutLifecycle: Set = ["message", "signpost", "activity", "cache"]

  private static func drops(of process: ProcessLifecycle) -> [LogTroubles.Drop] {
    process.log.drops.filter { $0.count > 0 && $0.hasLifecycle ?? !familiesWithoutLifecycle.contains($0.family) }
  }

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let first = Self.drops(of: process).first else { return process.endFact == nil && !asked.isEndOfLog ? nil : .silent }
    let why = first.reason?.name ?? "unknown"
    return .finding(
      Draft(variant: why, summary: Self.summary(process), claim: .presence, evidence: first.fact))
  }

  func finalSummary(of finding: Finding, about place: Int, in world: World) -> String? { Self.summary(world.processes[place]) }

  /// Names the numbers of dropped events by family, in the order of the families' first drops.
  private static func summary(_ process: ProcessLifecycle) -> String {
    var (families, counts): ([String], [String: Int64]) = ([], [:])
    for drop in drops(of: process) {
      if counts[drop.family] == nil { families.append(drop.family) }
      counts[drop.family] = (counts[drop.family] ?? 0).addingClamped(drop.count)
    }
    let parts = families.map { "\(counts[$0]!.counted("event")) of the family “\($0)”" }
    let why = drops(of: process).first?.reason?.name ?? "unknown"
    return "\(process.executable ?? "A process") could not write \(parts.joined(separator: ", ")) (\(why))."
  }
}
