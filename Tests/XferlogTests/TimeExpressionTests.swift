import LogTestSupport
import Testing
import XferEvents
import XferReport
import xferlog

@Suite struct TimeExpressionTests {
  /// Central European time of 2026: from UTC+2 back to UTC+1 on 25 October at 01:00 UTC, forward on 29 March.
  private static let berlin = ZoneRule { second in
    second >= 1_774_746_000 && second < 1_792_890_000 ? 7200 : 3600
  }

  /// Friday 2026-11-20T14:02:07.5Z, which is 15:02:07.5 in Berlin.
  private static let now = WallTime(nanoseconds: 1_795_183_327_500_000_000)

  /// Typed times, each with its RFC 3339 form.
  static let times: [(text: String, time: String)] = [
    ("now", "2026-11-20T14:02:07.500000000Z"),
    ("5m", "2026-11-20T13:57:07.500000000Z"),
    ("-5m", "2026-11-20T13:57:07.500000000Z"),
    ("5m ago", "2026-11-20T13:57:07.500000000Z"),
    ("  5 minutes ago ", "2026-11-20T13:57:07.500000000Z"),
    ("1h30m", "2026-11-20T12:32:07.500000000Z"),
    ("1.5s", "2026-11-20T14:02:06.000000000Z"),
    ("250ms ago", "2026-11-20T14:02:07.250000000Z"),
    ("1ns", "2026-11-20T14:02:07.499999999Z"),
    ("2d", "2026-11-18T14:02:07.500000000Z"),
    ("1w", "2026-11-13T14:02:07.500000000Z"),
    // Days begin at midnight in Berlin.
    ("today", "2026-11-19T23:00:00.000000000Z"),
    ("Yesterday", "2026-11-18T23:00:00.000000000Z"),
    ("tomorrow", "2026-11-20T23:00:00.000000000Z"),
    ("friday", "2026-11-19T23:00:00.000000000Z"),
    ("thu", "2026-11-18T23:00:00.000000000Z"),
    ("Saturday", "2026-11-13T23:00:00.000000000Z"),
    ("14:00", "2026-11-20T13:00:00.000000000Z"),
    ("9:05:30.25", "2026-11-20T08:05:30.250000000Z"),
    ("2026-11-20", "2026-11-19T23:00:00.000000000Z"),
    ("2026-11-20 14:00", "2026-11-20T13:00:00.000000000Z"),
    ("2026-11-20T14:00:01", "2026-11-20T13:00:01.000000000Z"),
    ("2026-11-20T14:02:07.118Z", "2026-11-20T14:02:07.118000000Z"),
    ("2026-11-20t14:02:07.123456789z", "2026-11-20T14:02:07.123456789Z"),
    ("2026-11-20T14:02:07.1234567891Z", "2026-11-20T14:02:07.123456789Z"),
    ("2026-11-20T14:02:07+01:00", "2026-11-20T13:02:07.000000000Z"),
    ("2026-11-20 14:02:07 -0530", "2026-11-20T19:32:07.000000000Z"),
    ("2024-02-29", "2024-02-28T23:00:00.000000000Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000000Z"),
    ("@1780000000", "2026-05-28T20:26:40.000000000Z"),
    ("@1780000000.000000001", "2026-05-28T20:26:40.000000001Z"),
    ("@0", "1970-01-01T00:00:00.000000000Z"),
    ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500000000Z"),
    // On 25 October, the hour from 02:00 to 03:00 occurs twice. The first one is chosen.
    ("2026-10-25 01:59:59", "2026-10-24T23:59:59.000000000Z"),
    ("2026-10-25 02:30", "2026-10-25T00:30:00.000000000Z"),
    ("2026-10-25 03:00", "2026-10-25T02:00:00.000000000Z"),
    ("2026-10-25", "2026-10-24T22:00:00.000000000Z"),
    // On 29 March, that hour does not exist. The result is later by the length of the jump.
    ("2026-03-29 01:59:59", "2026-03-29T00:59:59.000000000Z"),
    ("2026-03-29 02:30", "2026-03-29T01:30:00.000000000Z"),
    ("2026-03-29 03:00", "2026-03-29T01:00:00.000000000Z"),
  ]

  @Test(arguments: times)
  func `A time is read as people write it`(_ time: (text: String, time: String)) throws {
    let expression = TimeExpression(now: Self.now, zone: Self.berlin)
    #expect(try expression.time(time.text).description == time.time)
  }

  /// A time of day, and its time for a log from the evening of the 18th to the morning of the 20th there.
  static let covered: [(text: String, time: String)] = [
    ("08:00", "2026-11-20T07:00:00.000000000Z"), ("21:30", "2026-11-19T20:30:00.000000000Z"),
    ("20:00", "2026-11-19T19:00:00.000000000Z"), ("8:30Z", "2026-11-20T08:30:00.000000000Z"),
    ("08:30:00.5", "2026-11-20T07:30:00.500000000Z"), ("2026-11-01 08:00", "2026-11-01T07:00:00.000000000Z"),
    ("1h", "2026-11-20T13:02:07.500000000Z"),
  ]

  @Test(arguments: covered)
  func `A time of day belongs to the last day on which a log covers it`(_ time: (text: String, time: String)) throws {
    // 2026-11-18T20:15:00.7Z to 2026-11-20T09:00:00Z.
    let span = WallTime(nanoseconds: 1_795_032_900_700_000_000)...WallTime(nanoseconds: 1_795_165_200_000_000_000)
    let expression = TimeExpression(now: Self.now, zone: Self.berlin, covered: span)
    #expect(try expression.time(time.text).description == time.time)
  }

  @Test(arguments: [
    ("14:00", true), ("9:05:30.25Z", true), ("5m", false), ("2026-11-20 14:00", false), ("@5", false), ("now", false),
  ])
  func `A time of day is told from other times`(_ text: String, _ isTimeOfDay: Bool) {
    #expect(TimeExpression(now: Self.now, zone: .utc).isTimeOfDay(text) == isTimeOfDay)
  }

  @Test func `Yesterday begins at local midnight even after a clock change`() throws {
    let morning = WallTime(nanoseconds: 1_792_915_200_000_000_000)
    let expression = TimeExpression(now: morning, zone: Self.berlin)
    #expect(try expression.time("now").description == "2026-10-25T08:00:00.000000000Z")
    #expect(try expression.time("today").description == "2026-10-24T22:00:00.000000000Z")
    #expect(try expression.time("yesterday").description == "2026-10-23T22:00:00.000000000Z")
    #expect(try expression.time("1d").description == "2026-10-24T08:00:00.000000000Z")
  }

  static let others = [
    "", " ", "whenever", "5", "5x", "-", "m", "5m5", "ago", "@", "@x", "@1e9", "2026-13-01", "2026-00-10", "2026-02-29",
    "2026-11-31",
    "2026-11-20 24:00", "2026-11-20 14:60", "14:00:61", "2026-11-20T14", "26-11-20", "2026-11-20T14:00+25:00",
    "2026-11-20 14:00 Berlin",
    "fr", "9999999999999w", "@99999999999999999999", "1..5s", "2026/11/20", "٥m", "1h-5m",
  ]

  @Test(arguments: others)
  func `An invalid time is rejected with the accepted forms`(_ text: String) {
    let expression = TimeExpression(now: Self.now, zone: Self.berlin)
    let problem = #expect(throws: TimeExpression.Problem.self) { try expression.time(text) }
    #expect(problem?.text == text)
    #expect(problem?.description.contains("Accepted: 5m") ?? false)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `A date and time survives conversion to seconds and back`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let second = Int64.random(in: -60_000_000_000..<250_000_000_000, using: &random)
    let civil = CivilTime(second: second)
    #expect(civil.seconds == second)
    #expect(civil.exists)
    let time = WallTime(nanoseconds: Int64.random(in: .min / 2 ... .max / 2, using: &random))
    #expect(try TimeExpression(now: Self.now, zone: .utc).time(time.description) == time)
    // In Berlin, each time of day is unique, except for the hour that occurs twice.
    let again = Self.berlin.second(of: Self.berlin.civil(at: second))
    #expect(again == second || second >= 1_792_890_000 && second < 1_792_893_600 && again == second - 3600)
  }

  @Test(
    arguments: [("30s", 30_000_000_000), ("1h30m", 5_400_000_000_000), ("2 hours", 7_200_000_000_000), ("0.5ms", 500_000)]
      as [(String, Int64)])
  func `A duration is read`(_ span: (text: String, nanoseconds: Int64)) {
    #expect(TimeSpan(argument: span.text)?.nanoseconds == span.nanoseconds)
  }
}
