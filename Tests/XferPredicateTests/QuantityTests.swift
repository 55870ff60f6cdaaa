import Testing
import XferEvents
import XferPredicate

/// Numbers with units, and times.
struct QuantityTests {
  @Test(
    arguments: [
      ("10MB", 10_000_000), ("1.5 KiB", 1536), ("0", 0), ("7", 7), ("-3kb", -3000), ("9223372036854775807", Int64.max),
      ("-9223372036854775808", Int64.min), ("0.0000000000000000001GB", 0), ("2gib", 2 << 30), ("1_000B", 1000),
    ] as [(String, Int64)])
  func `A number of bytes is read exactly`(text: String, bytes: Int64) throws {
    #expect(try Quantity.bytes(text) == bytes)
  }

  @Test(
    arguments: [
      ("", .malformed), ("B", .malformed), ("1.2.3MB", .malformed), ("9223372036854775808", .tooLarge),
      ("10000000000GB", .tooLarge), ("1MB2", .malformed), ("MB1", .malformed), ("1 parsec", .malformed), ("--1", .malformed),
      ("1.MB", .malformed), (".5MB", .malformed),
    ] as [(String, Quantity.Problem)])
  func `A text that is not a number of bytes is rejected`(text: String, problem: Quantity.Problem) {
    #expect(throws: problem) { try Quantity.bytes(text) }
  }

  @Test(
    arguments: [
      ("2s", 2_000_000_000), ("1h30m", 5_400_000_000_000), ("1.5ms", 1_500_000), ("-5m", -300_000_000_000), ("0", 0),
      ("9223372036854775807ns", Int64.max), ("1d 2h", 93_600_000_000_000), ("3us", 3000), ("3µs", 3000),
    ] as [(String, Int64)])
  func `A duration is read exactly`(text: String, nanoseconds: Int64) throws {
    #expect(try Quantity.nanoseconds(text) == nanoseconds)
  }

  @Test(
    arguments: [
      ("", .malformed), ("5", .noUnit), ("-0.5", .noUnit), ("1h30", .noUnit), ("s", .malformed), ("1x", .malformed),
      ("300y", .malformed), ("99999999999h", .tooLarge), ("106751d24h", .tooLarge), ("1h-3m", .malformed),
    ] as [(String, Quantity.Problem)])
  func `A text that is not a duration is rejected`(text: String, problem: Quantity.Problem) {
    #expect(throws: problem) { try Quantity.nanoseconds(text) }
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-20T14:02:07.118Z", 1_795_183_327_118_000_000),
      ("2026-11-20T15:02:07.118+01:00", 1_795_183_327_118_000_000), ("@1795183327.118", 1_795_183_327_118_000_000),
      ("@-1.5", -1_500_000_000), ("@-9223372036.854775808", Int64.min), ("@0", 0),
      ("2000-02-29T23:59:59.999999999Z", 951_868_799_999_999_999),
      ("2262-04-11T23:47:16.854775807Z", Int64.max),
    ] as [(String, Int64)])
  func `A time is read exactly, and its text is read as the same time`(text: String, nanoseconds: Int64) {
    #expect(WallTime(queryText: text)?.nanoseconds == nanoseconds)
    #expect(WallTime(queryText: WallTime(nanoseconds: nanoseconds).queryText)?.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "2026", "2026-11-20", "2026-13-20T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T14:02:07", "9999-01-01T00:00:00Z",
    "2026-11-20T14:02:07.Z", "2026-11-20T14:02:07Zx", "@", "@x",
  ])
  func `A text that is not a complete time is rejected`(text: String) {
    #expect(WallTime(queryText: text) == nil)
  }
}
