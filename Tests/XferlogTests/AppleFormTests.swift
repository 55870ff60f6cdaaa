import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferImport

/// The forms of Apple's unified log as text.
@Suite struct AppleFormTests {
  // MARK: One record

  struct Sample: Sendable, CustomTestStringConvertible {
    let form: AppleForm
    let line: String
    /// The parts of the record, as `describe` writes them.
    let parts: String
    var testDescription: String { form.rawValue }
  }

  private static let samples = [
    Sample(
      form: .json,
      line:
        #"{"eventMessage":"a \"b\" \u00e9\ud83d\ude00\/c","subsystem":"com.x","category":"net","threadID":17,"processImagePath":"\/usr\/bin\/My App","senderImagePath":"\/S\/CFNetwork","timestamp":"2021-02-02 10:34:35.859569-0800","messageType":"Error","processID":231,"activityIdentifier":9223372036854775807}"#,
      parts: "2021-02-02 38075859569000 -28800 My App[231:17] error CFNetwork com.x:net «a \"b\" é😀/c»"),
    Sample(
      form: .standard,
      line:
        "2023-07-19 08:22:51.916784+0300 0x3058     Fault       0x0                  599    0    my proc: (Library) [sub:cat] text",
      parts: "2023-07-19 30171916784000 10800 my proc[599:12376] fault Library sub:cat «text»"),
    Sample(
      form: .standard,
      line:
        "2017-12-07 18:33:56.230481+0800 0x1daa15   Activity    0x80000000000ab54b   48240  App: (UIKit) send gesture actions",
      parts: "2017-12-07 66836230481000 28800 App[48240:1944085] - UIKit -:- «send gesture actions»"),
    Sample(
      form: .standard,
      line: "2023-07-19 08:22:51.916784+0300 0x1 Default 0x0 59 0 runningboardd: [app<com.x(1)>:55] Suspending task.",
      parts: "2023-07-19 30171916784000 10800 runningboardd[59:1] default - -:- «[app<com.x(1)>:55] Suspending task.»"),
    Sample(
      form: .compact, line: "2026-09-25 18:57:04.465 E  Example App[23036:11ed2] [com.apple.UIKit:BackgroundTask] text",
      parts: "2026-09-25 68224465000000 - Example App[23036:73426] error - com.apple.UIKit:BackgroundTask «text»"),
    Sample(
      form: .syslog, line: "2023-09-27 22:55:39.622369+0200  localhost legacyScreenSaver[41737]: (ScreenSaver) text",
      parts: "2023-09-27 82539622369000 7200 legacyScreenSaver[41737:-] - ScreenSaver -:- «text»"),
    Sample(
      form: .console, line: "default\t17:00:52.337504 +0200\tnsurlsessiond\ttext with\ta tab",
      parts: "- 61252337504000 7200 nsurlsessiond[-:-] default - -:- «text with\ta tab»"),
    Sample(
      form: .console, line: "error\t09:17:53.239463-0500\tMy App\tCFNetwork\ttext",
      parts: "- 33473239463000 -18000 My App[-:-] error CFNetwork -:- «text»"),
    Sample(
      form: .console, line: "default  17:00:52.337504 +0200  nsurlsessiond  text",
      parts: "- 61252337504000 7200 nsurlsessiond[-:-] default - -:- «text»"),
    Sample(
      form: .xcode, line: "2020-06-01 17:40:43.086201+0200 My App[49996:11196008] [connection] text",
      parts: "2020-06-01 63643086201000 7200 My App[49996:11196008] - - -:- «[connection] text»"),
    Sample(
      form: .xcode, line: "2019-09-03 13:44:15.345 App[983:48546] text",
      parts: "2019-09-03 49455345000000 - App[983:48546] - - -:- «text»"),
    Sample(
      form: .device, line: "Mar  6 08:51:53 TestPhone kernel(AppleBCM)[0] <Notice>: text",
      parts: "3-6 31913000000000 - kernel[0:-] default AppleBCM -:- «text»"),
    Sample(
      form: .device, line: #"Feb  8 22:22:33  App[22717] <Error>: it\M-b\M^@\M^Ys"#,
      parts: "2-8 80553000000000 - App[22717:-] error - -:- «it’s»"),
    Sample(
      form: .device, line: "Aug 22 16:28:47 Phone com.apple.xpc.launchd[1] (app.x[55]) <Notice>: Service exited",
      parts: "8-22 59327000000000 - com.apple.xpc.launchd[1:-] default - -:- «(app.x[55]) <Notice>: Service exited»"),
    Sample(
      form: .device, line: "2023-05-01 10:00:00.123456 nsurlsessiond{CFNetwork}[88] <INFO>: text",
      parts: "2023-05-01 36000123456000 - nsurlsessiond[88:-] info CFNetwork -:- «text»"),
    Sample(form: .bare, line: "Connection 3: done", parts: "- - - -[-:-] - - -:- «Connection 3: done»"),
  ]

  private static func describe(_ record: AppleRecord) -> String {
    func text(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "-" }
    let time = record.time
    let date =
      time.month.map { month in
        time.year.map { String(format: "%04d-%02d-%02d", $0, month, time.day ?? 0) } ?? "\(month)-\(time.day ?? 0)"
      }
    let level = record.level.map { "\($0)" }
    return
      "\(text(date)) \(text(time.ofDay)) \(text(time.offset)) \(text(record.process))[\(text(record.pid)):\(text(record.thread))]"
      + " \(text(level)) \(text(record.library)) \(text(record.subsystem)):\(text(record.category)) «\(record.text)»"
  }

  @Test(arguments: samples)
  func `A record has the parts that its form tells`(_ sample: Sample) throws {
    let records = try Self.records(sample.line)
    #expect(records.map(\.form) == [sample.form])
    #expect(records.map(Self.describe) == [sample.parts])
  }

  @Test(arguments: samples.filter { $0.form != .json }, ["> ", "    ", "  1234   : ", "// ", "> > ", "12\t"])
  func `A record is found behind what a paste puts before its lines`(_ sample: Sample, _ prefix: String) throws {
    #expect(try Self.records(prefix + sample.line).map(Self.describe) == [sample.parts])
  }

  @Test func `A line of metadata tells the parts of the message above it`() throws {
    let records = try Self.records(
      "text\n\(Self.allMetadata)\nother\nType: Info | Library: Network | Subsystem: com.apple.network\nprinted\nType: stdio")
    #expect(records.map(\.form) == [.xcodeMetadata, .xcodeMetadata, .bare])
    #expect(
      records.map(Self.describe) == [
        "2025-10-17 39683249653000 -18000 My App[-:1543580] error CFNetwork com.apple.CFNetwork:- «text»",
        "- - - -[-:-] info Network com.apple.network:- «other»", "- - - -[-:-] - - -:- «printed»",
      ])
  }

  /// Lines with a word and a colon that Xcode does not write below a message.
  @Test(arguments: [
    "Type: Error", "Type: Thing | Library: X", "Type: Error | Price: 3", "Type: Error | Type: Error | Library: X", "Library: X",
    "Timestamp: soon | Library: X", "Timestamp: 2025-10-17 11:01:23 and more | Library: X", "Process: a | Category: b",
  ])
  func `Text with colons is not a line of metadata`(_ line: String) throws {
    #expect(try Self.records("text\n\(line)").map(\.text) == ["text", line])
  }

  // MARK: Several lines

  /// The records of a text, in the forms that the assembler finds.
  static func records(_ text: String) throws -> [AppleRecord] { try records(Array(text.utf8)) }

  static func records(_ bytes: [UInt8]) throws -> [AppleRecord] {
    let collected = Collected()
    var assembler = RecordAssembler { part in
      if case .record(let record) = part { collected.records.append(record) }
      if case .proseBefore = part { collected.records.removeAll { $0.form == .bare } }
    }
    let directory = TemporaryDirectory()
    let source = try #require(LineSource(path: directory.write(bytes, to: "log.txt")))
    while let line = source.next() { assembler.take(line) }
    assembler.finish()
    return collected.records
  }

  private final class Collected { var records: [AppleRecord] = [] }

  struct Joining: Sendable, CustomTestStringConvertible {
    let what: String
    let text: String
    /// The lines of each record.
    let lines: [ClosedRange<UInt64>]
    var testDescription: String { what }
  }

  private static let header = "2020-11-30 17:50:00.770897+0800 App[1:2] "
  private static let console = "default\t15:23:02.591651+0200\trunningboardd\t"

  private static let allMetadata =
    "Type: Error | Timestamp: 2025-10-17 11:01:23.249653-0500 | Process: My App | Library: CFNetwork | Subsystem: com.apple.CFNetwork | Category:  | TID: 0x178d9c"

  private static let joinings = [
    Joining(
      what: "an error over lines with a blank one", text: "Task failed UserInfo={a=0, \n\nb=(\n  \"x\"\n), c=1} [-999]\nnext",
      lines: [1...5, 6...6]),
    Joining(
      what: "a dictionary that begins on the second line", text: "Error \"unknown\"\nUserInfo={a=1,\nb=2}\nnext",
      lines: [1...3, 4...4]),
    Joining(what: "braces behind a header", text: header + "headers:{\n  a = 1;\n}\n" + header + "b", lines: [1...3, 4...4]),
    Joining(
      what: "continuation with a tab", text: console + "Acquiring [\n\t<A>,\n\t]>\n" + console + "b", lines: [1...3, 4...4]),
    Joining(
      what: "a header without a message",
      text: "2023-07-19 08:22:51.916784+0300 0x3058 Info 0x0 599 0 proc: \n  text\n" + header + "b", lines: [1...2, 3...3]),
    Joining(what: "prints between headers", text: header + "a\nhello\n" + header + "b", lines: [1...1, 2...2, 3...3]),
    Joining(
      what: "metadata behind the message",
      text:
        "one\ntwo\nTimestamp: 2025-02-21 16:09:35.782578+01:00 | Subsystem: X | Category: Y | TID: 0x1f\nthree\nTimestamp: 2025-02-21 16:09:36.782578+01:00 | Library: Z",
      lines: [1...2, 4...4]),
    Joining(
      what: "metadata that begins with the type",
      text:
        "one\ntwo\n\(allMetadata)\nprinted\nlines\nType: stdio\nthree\nType: Fault | Subsystem: com.apple.x | Category: Two words\nfour\nType: Error",
      lines: [1...2, 4...5, 7...7, 9...9, 10...10]),
    Joining(
      what: "a block of diagnostics",
      text:
        "Feb  8 22:22:33  App[1] <Notice>: CFNetwork Diagnostics [3:1] 21:22:33.009 {\n\tA: b {\n\t} [3:1]\nFeb  8 22:22:33  App[1] <Notice>: b",
      lines: [1...3, 4...4]),
    Joining(
      what: "text around a block of code",
      text: "My app fails:\n```\n" + header + "a\n```\nAny ideas?\n```\nConnection 1: done\n```", lines: [3...3, 7...7]),
    Joining(
      what: "banner, columns and trailer of log show",
      text:
        "Filtering the log data using \"process == \"x\"\"\nSkipping debug messages, pass --debug to include.\nTimestamp                       Thread     Type        Activity             PID    TTL  \n2023-07-19 08:22:51.916784+0300 0x3058 Info 0x0 599 0 proc: text\n"
        + String(repeating: "-", count: 116)
        + "\nLog      - Default:     106,706, Info:                0, Debug:             0, Error:          0, Fault:          0\nActivity - Create:           0, Transition:          0, Actions:           0",
      lines: [4...4]),
    Joining(
      what: "an array of pretty-printed objects",
      text:
        "[{\n  \"eventMessage\" : \"a\",\n  \"processID\" : 1, \"processImagePath\" : \"/a\", \"timestamp\" : \"2021-02-02 10:34:35.859569-0800\"\n},{\n  \"eventMessage\" : \"b\", \"backtrace\" : {\"frames\":[{\"a\":1}]},\n  \"processImagePath\" : \"/a\", \"timestamp\" : \"2021-02-02 10:34:35.859569-0800\"\n}]",
      lines: [1...4, 4...7]),
    Joining(
      what: "objects and a trailer on one line",
      text:
        #"{"eventMessage":"a","processImagePath":"/a","timestamp":"2021-02-02 10:34:35.859569-0800"}{"count":1,"finished":1}"#,
      lines: [1...1]),
  ]

  @Test(arguments: joinings)
  func `The lines of a record are joined`(_ joining: Joining) throws {
    #expect(try Self.records(joining.text).map(\.lines) == joining.lines)
    let windows = joining.text.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(try Self.records([0xEF, 0xBB, 0xBF] + Array(windows.utf8)).map(\.lines) == joining.lines)
  }

  /// Reads a log to its end.
  private static func gaps(_ path: String) throws -> (log: AppleLog, gaps: [AppleLog.Gap]) {
    let log = AppleLog(try #require(LineSource(path: path)), input: 0, options: ImportOptions())
    var gaps: [AppleLog.Gap] = []
    repeat {
      while let (gap, _) = log.nextGap() { gaps.append(gap) }
    } while log.next() != nil
    return (log, gaps)
  }

  @Test func `A truncated JSON object is damage, and the next one is read`() throws {
    let whole = #"{"eventMessage":"a","processImagePath":"/a","timestamp":"2021-02-02 10:34:35.859569-0800"}"#
    let directory = TemporaryDirectory()
    let path = try directory.write(Array((whole.prefix(40) + "\n" + whole + "\n").utf8), to: "log.ndjson")
    let (log, gaps) = try Self.gaps(path)
    #expect(log.records == 1)
    #expect(gaps.map(\.lines) == [1...1])
  }

  @Test func `A loss record becomes a gap`() throws {
    let text = """
      {"eventMessage":"","eventType":"lossEvent","processImagePath":"/a","timestamp":"2021-02-02 10:34:35.859569-0800"}
      """
    let directory = TemporaryDirectory()
    #expect(try Self.gaps(directory.write(Array(text.utf8), to: "log.ndjson")).gaps.map(\.cause) == [.dropped])
  }

  @Test func `A trailer that counts more records shows that some are missing`() throws {
    let record = #"{"eventMessage":"a","processImagePath":"/a","timestamp":"2021-02-02 10:34:35.859569-0800"}"#
    for (count, missing) in [(1, 0), (3, 1)] {
      let directory = TemporaryDirectory()
      let text = record + "\n{\"count\":\(count),\"finished\":1}\n"
      let (log, gaps) = try Self.gaps(directory.write(Array(text.utf8), to: "log.ndjson"))
      #expect(gaps.count == missing)
      #expect(log.hasTrailer)
    }
  }
}
