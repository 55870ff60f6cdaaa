import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests that a gap weakens only the findings whose missing event it may have held, and that the reason names the place.
struct GapReachTests {
  /// A wake that was delivered at 10 ms and whose handler was released at 2 s without a call.
  private static let example = MissedCompletionHandler.description.reports.first { $0.certainty == .certain }!
  private static let app = ExampleProcess.app.launch
  private static let time: Int64 = 1_000_000_000

  private static func gap(
    _ cause: LogGap.Cause, of launch: LaunchID? = app, after: Duration? = nil, before: Duration? = nil,
    sequences: Range<UInt64>? = nil, excluded: [LaunchID] = []
  ) -> LogGap {
    func moment(_ offset: Duration?) -> Moment? { offset.map { Moment(monotonic: time + $0.nanoseconds) } }
    var gap = LogGap(
      cause: cause, segment: 2, name: "000002.seg", launch: launch, lane: sequences == nil ? nil : 1, sequences: sequences,
      after: moment(after), before: moment(before))
    gap.excluded = excluded
    return gap
  }

  /// Returns the certainty of the finding in a log with this gap, and the reasons why it is not higher.
  private static func finding(with gap: LogGap, in log: RuleExample = example) -> (Certainty, [String])? {
    var diagnosis = Diagnosis()
    for member in log.members() + [.gap(gap)] { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis.findings.first { $0.rule == "missed-completion-handler" }.map { ($0.certainty, $0.lowered) }
  }

  @Test func `The reason names the lost record and the event that would be there`() throws {
    let (certainty, lowered) = try #require(
      Self.finding(with: Self.gap(.damaged(problem: ""), after: .milliseconds(11), before: .milliseconds(12), sequences: 8..<9)))
    #expect(certainty == .probable)
    #expect(lowered == ["record 8 of lane 1 in 000002.seg, where wake.handlerCalled would be, is damaged"])
  }

  @Test func `A gap that ends before the missing event could come does not weaken the finding`() throws {
    let gap = Self.gap(.missingSequence, after: .milliseconds(1), before: .milliseconds(2), sequences: 3..<5)
    #expect(try #require(Self.finding(with: gap)).0 == .certain)
  }

  @Test func `A gap that begins after the event that the missing one had to precede does not weaken the finding`() throws {
    let gap = Self.gap(.truncated, after: .seconds(60))
    #expect(try #require(Self.finding(with: gap)).0 == .certain)
  }

  @Test func `Damage in the log of another process does not weaken a finding about an event of this process`() throws {
    let daemon = Self.gap(.damaged(problem: ""), of: ExampleProcess.daemon.launch)
    #expect(try #require(Self.finding(with: daemon)).0 == .certain)
    #expect(try #require(Self.finding(with: Self.gap(.damaged(problem: "")))).0 == .probable)
  }

  @Test func `A missing segment of unknown writer weakens a finding unless the process has all its segments`() throws {
    let (certainty, lowered) = try #require(Self.finding(with: Self.gap(.missingSegments(3...3), of: nil)))
    #expect(certainty == .probable)
    #expect(lowered == ["segment 3, where wake.handlerCalled would be, is missing"])
    #expect(try #require(Self.finding(with: Self.gap(.missingSegments(3...3), of: nil, excluded: [Self.app]))).0 == .certain)
  }

  @Test func `A loss after the last event of the process does not weaken the finding`() throws {
    let session = "com.example.a"
    let log = RuleExample(
      "the process exits without calling the handler", .at(0, ProcessStarted(startReason: .transfer, background: true)),
      .at(0.01, WakeDelivered(session: session, handler: HandlerID(1))),
      .at(1, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: HandlerID(1))),
      .at(5, ProcessExited(code: 0, exitReason: .returned)))
    for (after, certainty) in [(nil, .probable), (.seconds(2), .probable), (.seconds(5), .certain)] as [(Duration?, Certainty)] {
      #expect(try #require(Self.finding(with: Self.gap(.truncated, after: after), in: log)).0 == certainty)
    }
  }
}
