import XferEvents
import XferLifecycle
import XferReplay

/// Events that are missing from the middle of a log.
struct LogGapFound: GapRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))

  static let description = RuleDescription(
    id: "log-gap", severity: .warning,
    summary: "Events are missing in the middle of the log.",
    explanation: """
      Each thread of a writer has its own lane in the log, and each event stored in a lane gets the lane's next position. Events \
      that the log level excludes get no position, so they leave no jump. A jump in the positions shows that events were stored \
      and then lost: a segment was removed, or some of its bytes cannot be read. A finding that rests on the absence of such \
      events is lowered by one level of certainty. The variant is "damaged" if the log has the bytes of the events but they \
      cannot be read.
      """,
    remedy: "Copy logs as whole directories. `xferlog replay` names the file and the positions; look for them in a backup.",
    sources: ["https://git.morgan.kr/morgan/systemd/src/commit/ebc19b154c12ca58aecca2087ca4fb9eb4095eaa/src/journal-remote"],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "12 events in sequence are missing", .certain, cites: [.processStarted],
        started, .gap(.missingSequence, sequences: 5..<17, at: .seconds(1)))
    ],
    staysSilent: [
      RuleExample("the writer was killed while it wrote its last record", started, .gap(.torn, at: .seconds(1))),
      RuleExample("retention removed the oldest segments", started, .gap(.missingHead, sequences: 0..<100, at: .zero)),
    ])

  func verdict(on gap: LogGap, process: ProcessLifecycle?, in world: World) -> Verdict? {
    guard let sequences = gap.sequences, !sequences.isEmpty else { return .silent }
    switch gap.cause {
    case .missingSequence, .damaged: break
    case .torn, .dropped, .missingHead, .missingSegments, .truncated: return .silent
    }
    guard let evidence = process?.firstSeen ?? world.processes.lazy.compactMap(\.firstSeen).first else {
      return .undecidable(needs: "an event of the writer")
    }
    return .finding(
      Draft(
        variant: gap.cause == .missingSequence ? nil : "damaged",
        summary: gap.terms == .log ? Self.summary(gap, sequences) : Self.foreignSummary(gap, sequences),
        claim: .presence, evidence: evidence))
  }

  private static func summary(_ gap: LogGap, _ sequences: Range<UInt64>) -> String {
    let count = sequences.upperBound - sequences.lowerBound
    let events = count == 1 ? "1 event is" : "\(count) events are"
    let place = "\(gap.name), lane \(gap.lane.map(String.init) ?? "?")"
    return "\(events) missing in \(place): positions \(sequences.lowerBound)–\(sequences.upperBound - 1)."
  }

  /// The summary for a log of another program, whose records are lines or entries.
  private static func foreignSummary(_ gap: LogGap, _ sequences: Range<UInt64>) -> String {
    let count = Int(clamping: sequences.upperBound - sequences.lowerBound)
    let records = "\(gap.terms.record.counted(count)) of \(gap.name)"
    let problem = gap.cause == .missingSequence ? count == 1 ? "is missing" : "are missing" : "cannot be read"
    let positions =
      count == 1
      ? "\(gap.terms.record.singular) \(sequences.lowerBound)"
      : "\(gap.terms.record.plural) \(sequences.lowerBound)–\(sequences.upperBound - 1)"
    return "\(records) \(problem): \(positions)."
  }
}
