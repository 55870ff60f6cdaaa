import XferEvents
import XferLifecycle
import XferReplay

/// A log whose first events are missing.
struct LogHeadLost: GapRule {
  static let description = RuleDescription(
    id: "log-head-lost", severity: .warning,
    summary: "The beginning of a writer’s log is missing.",
    explanation: """
      A log begins with events that later events depend on: they identify the writer and introduce its sessions and tasks with \
      their settings. If the first segments were removed to free space, or were not copied, the log mentions tasks whose \
      creation it does not contain, so the absence of a creation event proves nothing. A writer that lists its tasks at the beginning of \
      each segment, as the daemon does, compensates for most of the loss.
      """,
    remedy: """
      Read the whole directory, including the earlier segments. Raise the maximum size or age of the log. Make a long-running \
      writer list its tasks again at the beginning of each segment.
      """,
    sources: ["https://developer.apple.com/reference/os/logging"],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the first hundred events were removed", .certain, cites: [.appNoted],
        .gap(.missingHead, sequences: 0..<100, at: .zero), .at(1, AppNoted(intent: "a")),
        .at(2, ProcessExited(code: 0, exitReason: .returned)))
    ],
    staysSilent: [
      RuleExample("the log has its beginning", .at(0, ProcessStarted(executable: "app"))),
      RuleExample(
        "the daemon listed its tasks again",
        .gap(.missingHead, sequences: 0..<100, at: .zero, by: .daemon),
        .at(1, DaemonTasksListed(generation: 1, count: 1, tasks: [.example]), by: .daemon)),
      RuleExample(
        "events are missing from the middle of the log instead",
        .at(0, ProcessStarted(executable: "app")), .gap(.missingSequence, sequences: 5..<6, at: .seconds(1))),
    ])

  func verdict(on gap: LogGap, process: ProcessLifecycle?, in world: World) -> Verdict? {
    guard gap.cause == .missingHead else { return .silent }
    guard let process, let evidence = process.firstSeen else { return .undecidable(needs: "an event of the writer") }
    if process.daemon?.listed != nil { return .silent }
    // Several lanes of a writer may lack their beginning; the rule reports the writer once.
    if let first = world.gaps.first(where: { $0.cause == .missingHead && $0.launch == gap.launch }), first != gap {
      return .silent
    }
    let count = gap.sequences.map { " \($0.count)" } ?? ""
    return .finding(
      Draft(
        summary: "The first\(count) events of \(process.executable ?? "a writer") (\(gap.name)) are missing.",
        claim: .presence, evidence: evidence))
  }
}
