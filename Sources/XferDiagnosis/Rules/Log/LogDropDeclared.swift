import XferEvents
import XferLifecycle
import XferReplay

/// The writer says that it could not write events.
struct LogDropDeclared: ProcessRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))

  private static func dropped(_ family: String, _ count: Int64, _ why: DropReason, lifecycle: Bool? = nil) -> LogDropped {
    LogDropped(family: family, count: count, why: why, lifecycle: lifecycle)
  }

  static let description = RuleDescription(
    id: "log-drop-declared", severity: .warning,
    summary: "The writer could not write some events, and says how many.",
    explanation: """
      A writer never makes its app wait, and never ends it: what cannot be written is counted by family, and told as soon as \
      something can be written again. That is later than the drops, and the drops need not have been one after another. What \
      a rule would conclude from the absence of such events is lowered by one level. The variant says why they were not \
      written.
      """,
    remedy: """
      Make room where the log is, or move it. Where events were too large or too many, write less at once; the events of \
      lives are never to be among what is left out.
      """,
    sources: [
      "https://www.rootusers.com/how-to-change-log-rate-limiting-in-linux/",
      "https://unix.stackexchange.com/questions/420133/is-it-possible-to-tell-when-dev-kmsg-has-been-ratelimited",
    ],
    reports: [
      RuleExample(
        "the disk was full for a while", .certain, variant: "diskFull", cites: [.logDropped],
        started, .at(9, dropped("task", 12, .diskFull, lifecycle: true))),
      RuleExample(
        "an older writer, which does not say what was among them", .certain, variant: "ioError", cites: [.logDropped],
        started, .at(9, dropped("delivery", 1, .ioError))),
    ],
    staysSilent: [
      RuleExample("progress alone", started, .at(9, dropped("attempt", 500, .rateLimited, lifecycle: false))),
      RuleExample("words alone", started, .at(9, dropped("message", 3, .tooLarge))),
      RuleExample("none", started, .at(9, LogClosed(dropped: 0))),
    ])

  static let watches: Set<EventKind> = [.logDropped]

  /// Families of which nothing tells of a life.
  private static let words: Set = ["message", "signpost", "activity", "cache"]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let drops = process.log.drops.filter { $0.count > 0 && $0.hasLifecycle ?? !Self.words.contains($0.family) }
    guard let first = drops.first else { return process.endFact == nil && !asked.isEndOfLog ? nil : .silent }
    let why = first.reason?.name ?? "unknown"
    let noun = first.count == 1 ? "event" : "events"
    return .finding(
      Draft(
        variant: why,
        summary:
          "\(first.count) \(noun) of \(first.family) could not be written by \(process.executable ?? "a process") (\(why)).",
        claim: .presence, evidence: first.fact))
  }
}
