import XferEvents
import XferLifecycle
import XferReplay

/// A writer's first events are gone.
struct LogHeadLost: GapRule {
  private static let noted = AppNoted(intent: "a")

  static let description = RuleDescription(
    id: "log-head-lost", severity: .warning,
    summary: "The beginning of a writer’s log is not here.",
    explanation: """
      A log begins with its writer saying who it is, and everything after that rests on it: which tasks were made, which \
      sessions, under which settings. Where the first segments were removed to make room, or were not copied, tasks appear \
      out of nowhere, and “never seen before” means nothing. A writer that lists what it has at the beginning of each \
      segment, as the daemon does, makes good what matters of that.
      """,
    remedy: """
      Read the whole directory, with the segments from before. Raise the size that the log may have, or its age; have a \
      long-running writer say again what it has when a new segment begins.
      """,
    sources: ["https://developer.apple.com/reference/os/logging"],
    reports: [
      RuleExample(
        "its first hundred events were removed", .certain, cites: [.appNoted],
        .gap(.missingHead, sequences: 0..<100, at: .zero), .at(1, noted), .at(2, ProcessExited(code: 0, exitReason: .returned)))
    ],
    staysSilent: [
      RuleExample("it begins at its beginning", .at(0, ProcessStarted(executable: "app"))),
      RuleExample(
        "the daemon lists what it has",
        .gap(.missingHead, sequences: 0..<100, at: .zero, by: .daemon),
        .at(1, DaemonTasksListed(generation: 1, count: 1, tasks: [.example]), by: .daemon)),
      RuleExample(
        "events are missing from the middle, which is another matter",
        .at(0, ProcessStarted(executable: "app")), .gap(.missingSequence, sequences: 5..<6, at: .seconds(1))),
    ])

  func verdict(on gap: LogGap, process: ProcessLifecycle?, in world: World) -> Verdict? {
    guard gap.cause == .missingHead else { return .silent }
    guard let process, let evidence = process.firstSeen else { return .undecidable(needs: "an event of the writer") }
    if process.daemon?.listed != nil { return .silent }
    // What is missing of one lane is missing of the writer; it is said once.
    if let first = world.gaps.first(where: { $0.cause == .missingHead && $0.launch == gap.launch }), first != gap {
      return .silent
    }
    let count = gap.sequences.map { " \($0.count)" } ?? ""
    return .finding(
      Draft(
        summary: "The first\(count) events of \(process.executable ?? "a writer") (\(gap.name)) are not here.", claim: .presence,
        evidence: evidence))
  }
}
