import XferEvents
import XferLifecycle
import XferReplay

/// The writer was killed in the middle of a record.
struct LogTailTorn: GapRule {
  static let description = RuleDescription(
    id: "log-tail-torn", severity: .notice,
    summary: "A record was being written when its writer ended.",
    explanation: """
      A record counts from the moment its last word is stored. Bytes behind the last whole record belong to one whose \
      call had not returned: nothing that the program could know to be logged is missing. It marks the very instant of \
      the kill. A writer that had closed its log while another of its threads was still writing lost nothing by it: what \
      comes behind the end of a log does not count.
      """,
    remedy: "Nothing is to be done about the log; look at what ended the process.",
    sources: ["https://github.com/aria2/aria2/issues/859"],
    consequenceOf: ["crash-mid-transfer"],
    reports: [
      RuleExample(
        "torn, and the writer was found dead", .certain, cites: [.processExitObserved],
        .at(0, ProcessStarted(executable: "app")), .gap(.torn, at: .seconds(1)),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "torn, and nobody knows whether the writer lives", .possible, cites: [.processStarted],
        .at(0, ProcessStarted(executable: "app")), .gap(.torn, at: .seconds(1))),
    ],
    staysSilent: [
      RuleExample(
        "whole to the end",
        .at(0, ProcessStarted(executable: "app")),
        .at(5, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)),
      RuleExample(
        "the writer had closed its log, and a thread of it was still writing",
        .at(0, ProcessStarted(executable: "app")),
        .at(1, ProcessExited(launch: ExampleProcess.app.launch, code: 0, exitReason: .exitCall)), .at(1, LogClosed(dropped: 0)),
        .gap(.torn, at: .seconds(2))),
    ])

  func verdict(on gap: LogGap, process: ProcessLifecycle?, in world: World) -> Verdict? {
    guard gap.cause == .torn, process?.logClosed == nil else { return .silent }
    let place = "\(gap.name), lane \(gap.lane.map(String.init) ?? "?")"
    let summary = "The last record of \(place) is incomplete: its call had not returned."
    if let observed = process?.exitObserved { return .finding(Draft(summary: summary, claim: .presence, evidence: observed)) }
    guard let evidence = process?.firstSeen else { return .undecidable(needs: "an event of the writer") }
    return .finding(
      Draft(
        summary: summary, claim: .absence(since: evidence, shownBy: .endOfLog), evidence: evidence,
        unless: ["the writer is alive and at work"]))
  }
}
