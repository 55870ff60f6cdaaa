import Testing
import XferEvents
import XferPredicate
import XferReport

/// The texts of messages, durations, sizes and widths in lines of events.
@Suite struct EventTextTests {
  static let messages: [(template: String, values: [String: String], text: String)] = [
    (
      "{type} {method} {scheme}://{host}{path}", ["method": "GET", "scheme": "https", "host": "h", "path": "/p"],
      "GET https://h/p"
    ),
    ("{type} {method} {scheme}://{host}{path}", ["type": "data", "host": "h", "path": "/p"], "data h/p"),
    ("{type} {method} {scheme}://{host}{path}", ["type": "data", "scheme": "https", "host": "h"], "data https://h"),
    ("{type} {method} {scheme}://{host}{path}", [:], ""),
    // Templates of a newer or damaged vocabulary. An unclosed brace once exhausted the memory.
    ("{type seen by {host}", ["type": "data", "host": "h"], "{type seen by h"),
    ("waits for {hold} {slotsUsed}/{slots}", ["hold": "hostSlots", "slotsUsed": "6", "slots": "6"], "waits for hostSlots 6/6"),
    ("waits for {hold} {slotsUsed}/{slots}", ["hold": "network"], "waits for network"),
    ("waits for {hold} {slotsUsed}/{slots}", ["hold": "hostSlots", "slotsUsed": "6"], "waits for hostSlots 6"),
    ("waits for {hold} {slotsUsed}/{slots}", [:], "waits"),
    (
      "transferred: {received} received, {sent} sent, status {status} {errorName}", ["received": "1 B"],
      "transferred: 1 B received"
    ),
    ("transferred: {received} received, {sent} sent, status {status} {errorName}", ["status": "200"], "transferred: status 200"),
    ("transferred: {received} received, {sent} sent, status {status} {errorName}", ["errorName": "x"], "transferred: x"),
    ("transferred: {received} received, {sent} sent, status {status} {errorName}", [:], "transferred"),
    ("complete: status {status}, {received} received {errorName}", ["errorName": "timeout"], "complete: timeout"),
    (
      "complete: status {status}, {received} received {errorName}", ["status": "200", "received": "5 B"],
      "complete: status 200, 5 B received"
    ),
    ("attempt {attempt} to {host} from byte {offset}", ["attempt": "2", "host": "h"], "attempt 2 to h"),
    ("attempt {attempt} to {host} from byte {offset}", ["attempt": "2", "offset": "9"], "attempt 2 from byte 9"),
    ("{protocol} connection to {host}, reused {reused}", ["host": "h", "reused": "no"], "connection to h, reused no"),
    ("{protocol} connection to {host}, reused {reused}", ["protocol": "h2"], "h2 connection"),
    (
      "{executable} started as {role}, pid {pid}, because of {startReason}", ["role": "app", "pid": "7"], "started as app, pid 7"
    ),
    (
      "{executable} started as {role}, pid {pid}, because of {startReason}", ["executable": "x", "startReason": "user"],
      "x started, because of user"
    ),
    ("{end} {errorName}: {received} received", ["received": "1 B"], "1 B received"),
    ("{end} {errorName}: {received} received", ["end": "finished"], "finished"),
    ("exits with {code} ({exitReason})", ["exitReason": "signal"], "exits (signal)"),
    ("exits with {code} ({exitReason})", ["code": "0"], "exits with 0"),
    ("cancellation requested by {by}", [:], "cancellation requested"),
    ("{challengeMethod} challenge from {host}", ["challengeMethod": "basic"], "basic challenge"),
    (
      "the wake of {session} is held for {delay}: {holdWake}", ["session": "img", "holdWake": "rateLimit"],
      "the wake of img is held: rateLimit"
    ),
    ("charging {charging}, battery {battery} %", ["charging": "yes", "battery": "80"], "charging yes, battery 80 %"),
    ("charging {charging}, battery {battery} %", ["charging": "yes"], "charging yes"),
    ("resumed", [:], "resumed"),
    ("{message}", ["message": "a, b: {c} (d)"], "a, b: {c} (d)"),
    ("", [:], ""),
  ]

  @Test(arguments: messages)
  func `A message omits the words around absent values`(
    _ message: (template: String, values: [String: String], text: String)
  ) {
    #expect(MessageTemplate(message.template).text { message.values[$0] } == message.text)
  }

  @Test func `No message of the vocabulary shows a trace of an absent value`() {
    for event in Vocabulary.events {
      let template = MessageTemplate(event.message)
      for present in [nil] + event.fields.map(Optional.some) {
        let text = template.text { $0 == present ? "VALUE" : nil }
        #expect(!text.contains("{") && !text.contains("?") || event.message.contains("?"), "\(event.name): \(text)")
        #expect(
          !text.contains("  ") && text.first != " " && text.last != " " && text.last != ":" && text.last != ",",
          "\(event.name): \(text)")
        #expect(!text.contains("://") && !text.contains("()"), "\(event.name): \(text)")
      }
      let whole = template.text { "<\($0)>" }
      #expect(whole == event.message.replacing("{", with: "<").replacing("}", with: ">"))
    }
  }

  static let durations: [(nanoseconds: Int64, text: String)] = [
    (0, "0s"), (1, "1ns"), (999, "999ns"), (1000, "1µs"), (120_400, "120µs"), (999_999, "999µs"), (1_000_000, "1ms"),
    (62_900_000, "62ms"), (999_999_999, "999ms"), (1_000_000_000, "1s"), (1_950_000_000, "1.9s"), (59_999_000_000, "59.9s"),
    (60_000_000_000, "1m"), (130_000_000_000, "2m 10s"), (3_600_000_000_000, "1h"), (11_100_000_000_000, "3h 5m"),
    (86_400_000_000_000, "1d"), (187_200_000_000_000, "2d 4h"), (-4_000_000, "-4ms"), (.max, "106751d 23h"),
  ]

  @Test(arguments: durations)
  func `A duration is printed briefly`(_ duration: (nanoseconds: Int64, text: String)) {
    #expect(Duration.nanoseconds(duration.nanoseconds).short == duration.text)
  }

  static let sizes: [(bytes: Int64, text: String)] = [
    (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (34_812_723, "33.1 MiB"), (1 << 30, "1 GiB"),
    ((1 << 20) - 1, "1023.9 KiB"), (.max, "7.9 EiB"), (-2048, "-2 KiB"), (.min, "-8 EiB"), (1 << 50, "1 PiB"),
  ]

  @Test(arguments: sizes)
  func `A size is printed in binary units`(_ size: (bytes: Int64, text: String)) {
    #expect(ByteCount(size.bytes).description == size.text)
  }

  static let widths: [(text: String, columns: Int)] = [
    ("abc", 3), ("", 0), ("日本", 4), ("e\u{301}", 1), ("🚀", 2), ("ملف", 3), ("한글", 4), ("ｆｕｌｌ", 8),
  ]

  @Test(arguments: widths)
  func `The width of a text equals its width on a terminal`(_ text: (text: String, columns: Int)) {
    #expect(TerminalText.width(text.text) == text.columns)
  }

  @Test func `Text is shortened to columns, at its end or in its middle`() {
    #expect(TerminalText.cut("abcdef", to: 6) == "abcdef")
    #expect(TerminalText.cut("abcdef", to: 5) == "abcd…")
    #expect(TerminalText.cut("日本語", to: 5) == "日本…")
    #expect(TerminalText.cut("日本語", to: 4) == "日…")
    #expect(TerminalText.cut("abc", to: 1) == "…")
    #expect(TerminalText.cut("abc", to: 0) == "")
    #expect(TerminalText.cutMiddle("https://cdn/a/b/file.bin", to: 15) == "https:/…ile.bin")
    #expect(TerminalText.cutMiddle("short", to: 15) == "short")
    for columns in 0..<12 { #expect(TerminalText.width(TerminalText.cutMiddle("日本語abc日本語", to: columns)) <= columns) }
  }
}
