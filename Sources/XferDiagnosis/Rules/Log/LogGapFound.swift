import XferEvents
import XferLifecycle
import XferReplay

/// The positions of one lane jump.
struct LogGapFound: GapRule {
  static let description = RuleDescription(
    id: "log-gap", severity: .warning,
    summary: "Events are missing in the middle of the log.",
    explanation: """
      Each thread of a writer numbers its events without a hole, before anything is filtered. Where the numbers jump, \
      events were written and are no longer there: a segment was removed, or bytes of it cannot be read. What a rule would \
      conclude from their absence is lowered by one level.
      """,
    remedy: "Copy logs as whole directories. `xferlog replay` names the segment and the positions; look for them in a backup.",
    sources: ["https://git.morgan.kr/morgan/systemd/src/commit/ebc19b154c12ca58aecca2087ca4fb9eb4095eaa/src/journal-remote"],
    reports: [
      RuleExample(
        "12 positions are missing", .certain, cites: [.processStarted],
        .at(0, ProcessStarted(executable: "app")), .gap(.missingSequence, sequences: 5..<17, at: .seconds(1)))
    ],
    staysSilent: [
      RuleExample(
        "the last record was being written when the writer was killed",
        .at(0, ProcessStarted(executable: "app")), .gap(.torn, at: .seconds(1))),
      RuleExample(
        "the oldest segments were removed by retention",
        .at(0, ProcessStarted(executable: "app")), .gap(.missingHead, sequences: 0..<100, at: .zero)),
    ])

  func verdict(on gap: LogGap, process: ProcessLifecycle?, in world: World) -> Verdict? {
    guard let sequences = gap.sequences, !sequences.isEmpty else { return .silent }
    switch gap.cause {
    case .missingSequence, .damaged: break
    case .torn, .dropped, .missingHead, .truncated: return .silent
    }
    guard let evidence = process?.firstSeen ?? world.processes.lazy.compactMap(\.firstSeen).first else {
      return .undecidable(needs: "an event of the writer")
    }
    let count = sequences.upperBound - sequences.lowerBound
    let events = count == 1 ? "1 event is" : "\(count) events are"
    let place = "\(gap.name), lane \(gap.lane.map(String.init) ?? "?")"
    let positions = "\(sequences.lowerBound)–\(sequences.upperBound - 1)"
    return .finding(
      Draft(
        variant: gap.cause == .missingSequence ? nil : "damaged",
        summary: "\(events) missing before what follows in \(place): positions \(positions).",
        claim: .presence, evidence: evidence))
  }
}
