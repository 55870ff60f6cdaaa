import LogTestSupport
import Testing
import XferEvents

struct TextTests {
  @Test func `An identifier is parsed from its own description`() {
    for seed in seeds(50, campaign: 5000) {
      var random = SeededRandom(seed: seed)
      let task = TaskUID(using: &random)
      #expect(TaskUID(task.description) == task, "seed \(seed)")
      #expect(TaskUID(task.description.uppercased()) == task, "seed \(seed)")
      #expect(TaskUID(task.description.filter { $0 != "-" }) == task, "seed \(seed)")
      let launch = LaunchID(using: &random)
      #expect(LaunchID(launch.description) == launch, "seed \(seed)")
      let boot = BootID(high: random.next(), low: random.next())
      #expect(BootID(boot.description) == boot, "seed \(seed)")
    }
    #expect(TaskUID(high: 0, low: 1).description == "00000000-0000-0000-0000-000000000001")
    #expect(TaskUID(high: .max, low: .max).description == "ffffffff-ffff-ffff-ffff-ffffffffffff")
    #expect(
      TaskUID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210).description == "01234567-89ab-cdef-fedc-ba9876543210")
  }

  @Test(arguments: [
    "", "0", "01234567-89ab-cdef-fedc-ba987654321", "01234567-89ab-cdef-fedc-ba98765432100",
    "01234567-89ab-cdef-fedc-ba987654321g", "+1234567-89ab-cdef-+edc-ba9876543210", "0123456789abcdef+edcba9876543210",
    "0-1-2-3-4-5-6-7-8-9-a-b-c-d-e-f-fedcba9876543210", "{1234567-89ab-cdef-fedc-ba987654321}",
    "--------------------------------", "01234567_89ab_cdef_fedc_ba9876543210",
  ])
  func `An invalid identifier is refused`(text: String) {
    #expect(TaskUID(text) == nil)
    #expect(LaunchID(text) == nil)
    #expect(BootID(text) == nil)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000000000Z"),
      (-1, "1969-12-31T23:59:59.999999999Z"),
      (-86_400_000_000_000, "1969-12-31T00:00:00.000000000Z"),
      (951_782_399_000_000_000, "2000-02-28T23:59:59.000000000Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00.000000000Z"),
      (951_868_800_000_000_001, "2000-03-01T00:00:00.000000001Z"),
      (1_709_210_096_123_456_789, "2024-02-29T12:34:56.123456789Z"),
      (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000000000Z"),
      (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000000000Z"),
      (.max, "2262-04-11T23:47:16.854775807Z"),
      (.min, "1677-09-21T00:12:43.145224192Z"),
    ] as [(Int64, String)])
  func `A wall time is written in the form of RFC 3339`(nanoseconds: Int64, text: String) {
    #expect(WallTime(nanoseconds: nanoseconds).description == text)
  }

  @Test func `Durations are whole nanoseconds, clamped to 64 bits`() {
    #expect(Duration.seconds(3).nanoseconds == 3_000_000_000)
    #expect(Duration.nanoseconds(-1).nanoseconds == -1)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).nanoseconds == 0)
    #expect(Duration.seconds(10_000_000_000).nanoseconds == .max)
    #expect(Duration.seconds(-10_000_000_000).nanoseconds == .min)
    #expect(Duration.nanoseconds(Int64.max).nanoseconds == .max)
    #expect(Duration.nanoseconds(Int64.min).nanoseconds == .min)
  }

  @Test func `A text is truncated between two code points`() {
    for seed in seeds(100, campaign: 10_000) {
      var random = SeededRandom(seed: seed)
      var text = random.text(characters: Int.random(in: 0...30, using: &random))
      let whole = Array(text.utf8)
      let limit = Int.random(in: 0...40, using: &random)
      let kept = text.withUTF8 { Array(TextForm.cut($0, to: limit)) }
      #expect(kept.count <= limit || kept == whole, "seed \(seed)")
      #expect(kept.count > limit - 4 || kept == whole, "seed \(seed)")
      #expect(whole.starts(with: kept), "seed \(seed)")
      #expect(String(validating: kept, as: UTF8.self) != nil, "seed \(seed)")
    }
  }

  @Test(arguments: [
    "", "a", "لا إله إلا الله", "日本語のテキスト", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧‍👦", "e\u{301}", "\u{0}\u{1}\u{1b}[31m\u{202e}", "\u{10FFFF}",
  ])
  func `A text is read back unchanged`(text: String) {
    let archive = EventArchive(name: "texts", writer: WriterContext())
    let event = archive.record(AppNoted(intent: text, message: text), at: Moment())
    #expect(event.intent == .plain(text))
    #expect(event.message == .plain(text))
    let named = archive.record(AppBeatSent(name: text), at: Moment())
    #expect(named.name == text)
  }

  @Test(arguments: [65_534, 65_535, 65_536, 1 << 20])
  func `A text of up to 1 MiB is stored completely`(count: Int) {
    let archive = EventArchive(name: "texts", writer: WriterContext())
    let text = String(repeating: "x", count: count)
    #expect(archive.record(AppNoted(message: text), at: Moment()).message == .plain(text))
  }

  @Test(arguments: ["x", "م", "本", "😀"])
  func `A longer text is truncated between characters and keeps its original length`(character: String) {
    let archive = EventArchive(name: "texts", writer: WriterContext())
    let size = character.utf8.count
    let count = (1 << 20) / size + 5
    // One byte at the start, so that the limit falls inside a character.
    let text = "." + String(repeating: character, count: count)
    let event = archive.record(AppNoted(message: text), at: Moment())
    let kept = ((1 << 20) - 1) / size
    #expect(event.message == .cut("." + String(repeating: character, count: kept), count: 1 + count * size))
  }

  @Test func `A masked text is shown in the form of os_log`() {
    #expect(RecordedText.hashed(0xAB).description == "<mask.hash: 00000000000000ab>")
    #expect(RecordedText.redacted.description == "<private>")
    #expect(RecordedText.cut("abc", count: 9).description == "abc… (9 bytes)")
    #expect(RecordedText.plain("abc").description == "abc")
  }

  @Test func `References are compared and shown part by part`() {
    let record = EventReference.record(segment: 2, lane: 3, sequence: 4)
    #expect(record.description == "2/3/4")
    #expect(EventReference.line(file: 1, line: 9).description == "1:9")
    #expect(record < .record(segment: 2, lane: 3, sequence: 5))
    #expect(record < .record(segment: 2, lane: 4, sequence: 0))
    #expect(!(record < record))
  }
}
