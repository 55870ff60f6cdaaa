import XferEvents
import XferLifecycle
import XferReplay

/// A log whose writer was killed while it wrote a record.
struct LogTailTorn: GapRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))
  private static let foundDead = RuleExample.Step.at(
    5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)

  static let description = RuleDescription(
    id: "log-tail-torn", severity: .notice,
    summary: "The writer ended while it was writing a record.",
    explanation: """
      A record is valid once its last word is stored. Bytes after the last complete record belong to a call that had not \
      returned, so no event that the program could consider logged is missing. The torn record marks the moment of the kill. \
      The rule does not report a record that was incomplete when the writer closed its log, because the call \
      that wrote it had not returned before the close.
      """,
    remedy: "The log needs no repair. If it does not say what ended the process, look for a crash report.",
    sources: ["https://github.com/aria2/aria2/issues/859"],
    isStatedByEvents: true,
    consequenceOf: ["crash-mid-transfer"],
    untriggerable: "Whether a kill interrupts the write of a record depends on the instruction, which a script cannot choose.",
    reports: [
      RuleExample(
        "the record is torn, and the writer was found dead", .certain, cites: [.processExitObserved],
        started, .gap(.torn, at: .seconds(1)), foundDead),
      RuleExample(
        "the record is torn, and the writer may still be running", .possible, cites: [.processStarted],
        started, .gap(.torn, at: .seconds(1))),
    ],
    staysSilent: [
      RuleExample("the last record is complete", started, foundDead),
      RuleExample(
        "the writer closed its log while one of its threads was still writing",
        started, .at(1, ProcessExited(launch: ExampleProcess.app.launch, code: 0, exitReason: .exitCall)),
        .at(1, LogClosed(dropped: 0)), .gap(.torn, at: .seconds(2))),
    ])

  func verdict(on gap: LogGap, process: ProcessLifecycle?, in world: World) -> Verdict? {
    guard gap.cause == .torn, process?.logClosed == nil else { return .silent }
    let place = "\(gap.name), lane \(gap.lane.map(String.init) ?? "?")"
    let summary = "The last record of \(place) is incomplete: the call that wrote it had not returned."
    if let observed = process?.exitObserved { return .finding(Draft(summary: summary, claim: .presence, evidence: observed)) }
    guard let evidence = process?.firstSeen else { return .undecidable(needs: "an event of the writer") }
    return .finding(
      Draft(
        summary: summary, claim: .absence(since: evidence, shownBy: .endOfLog), evidence: evidence,
        unless: ["the writer is still running"]))
  }
}
