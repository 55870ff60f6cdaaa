import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Texts from servers, file names and apps that must not control a terminal.
@Suite struct HostileTextTests {
  static let texts = [
    "\u{1b}[2J\u{1b}]0;owned\u{7}", "bell\u{7}", "line\nbreak\r\n", "tab\tback\u{8}", "\u{202e}txt.exe",
    "\u{2066}isolate\u{2069}",
    "c1 \u{9b}31m", "del\u{7f}", "nul\u{0}", "soft\u{ad}hyphen", "zero\u{200b}width\u{feff}", "separators\u{2028}\u{2029}",
    "tags \u{e0001}\u{e0041}", "\u{85}next", "{message}", "%s%n", "\u{600}number", "\u{fff9}anchor",
  ]

  private func log(in directory: TemporaryDirectory) throws -> String {
    let log = try RecordedLog(in: directory)
    for text in Self.texts {
      let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: text, number: 1)
      log.emit(at: 1, AppNoted(task: task, intent: text, message: text))
      log.emit(at: 2, AttemptStarted(task: task, attempt: 1, scheme: text, host: text))
      log.emit(at: 3, AppListenerAttached(session: text, name: text))
      var message: LogMessage = "said \(text, privacy: .public)"
      message.attach(text, text, privacy: .public)
      log.emit(at: 4, MessageError(subsystem: text, category: text, eventMessage: message, fileID: text, function: text))
    }
    log.close()
    return log.path
  }

  @Test(arguments: ["short", "wide", "verbose", "cat", "json", "ndjson", "logfmt", "csv", "log", "log-compact"])
  func `No control or formatting character reaches the output`(_ format: String) throws {
    let directory = TemporaryDirectory()
    let path = try log(in: directory)
    let run = try ToolRun.xferlog("show", "--all", path, "-o", format)
    let raw = run.text.unicodeScalars.filter { scalar in
      if scalar == "\n" { return false }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return true
      default: return false
      }
    }
    #expect(raw.isEmpty, "\(raw.map { String($0.value, radix: 16) })")
    #expect(run.standardOutput.allSatisfy { $0 != 0x1b && $0 != 0x7f && ($0 >= 0x20 || $0 == 10) })
    if ["short", "wide", "cat", "ndjson", "logfmt"].contains(format) { #expect(run.lines.count == 6 + 4 * Self.texts.count) }
  }

  @Test func `JSON preserves every character`() throws {
    let directory = TemporaryDirectory()
    let path = try log(in: directory)
    let lines = try ToolRun.xferlog("show", path, "-o", "ndjson").lines.filter { $0.eventName == "app.noted" }
    let messages = try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (object?["fields"] as? [String: Any])?["message"] as? String
    }
    #expect(messages == Self.texts)
  }

  @Test func `Escapes show the original characters`() throws {
    let directory = TemporaryDirectory()
    let path = try log(in: directory)
    let text = try ToolRun.xferlog("show", path).text
    for escape in [#"\x1b[2J\x1b]0;owned\x07"#, #"\u202etxt.exe"#, #"c1 \u009b31m"#, #"line\nbreak\r\n"#, #"\U000e0001"#] {
      #expect(text.contains(escape))
    }
  }

  /// Command lines with names of files. Standard error quotes the names.
  static let named: [[String]] = [
    ["show", "a\nINJECTED"], ["show", "d\nINJECTED"], ["show", "s\nINJECTED.seg"], ["show", "none\nINJECTED"],
    ["replay", "none\nINJECTED*"], ["replay", "."], ["replay", "--rules", "a\nINJECTED", "."],
    ["replay", "--rules", "none\nINJECTED", "."],
    ["replay", "--junit", "d\nINJECTED/none/j.xml", "."], ["replay", "--ci", "--anchor", "/x\nINJECTED", "."],
    ["show", "--level", "x\nINJECTED", "."], ["show", "--level=x\nINJECTED", "."], ["verify", "a\nINJECTED"],
    ["export", "--format", "csv", "-o", "d\nINJECTED/none/x", "log.xlog"], ["why", "x\nINJECTED", "log.xlog"],
    ["show", "--template", "{x\nINJECTED}", "log.xlog"],
    ["show", "--since", "x\nINJECTED", "log.xlog"], ["replay", "--at", "x\nINJECTED", "log.xlog"],
    ["replay", "--baseline", "a\nINJECTED", "log.xlog"], ["x\nINJECTED"],
  ]

  @Test(arguments: named)
  func `A line feed in a name begins no line of a message`(_ arguments: [String]) throws {
    let directory = TemporaryDirectory()
    _ = try directory.write(Array("a text\n".utf8), to: "a\nINJECTED")
    _ = try directory.write([], to: "s\nINJECTED.seg")
    try FileManager.default.createDirectory(atPath: directory.path("d\nINJECTED"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: try log(in: directory), toPath: directory.path("log.xlog"))
    let run = try ToolRun(ToolRun.tool, arguments, environment: ["XFERLOG_CONFIG": "-"], in: directory.path)
    let lines = run.standardError.split(separator: "\n")
    #expect(!lines.contains { $0.drop { $0 == " " }.hasPrefix("INJECTED") }, "\(run.standardError)")
    #expect(run.standardError.contains(#"\nINJECTED"#), "\(run.standardError)")
  }

  @Test func `Letters of all scripts are printed unchanged`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let texts = ["ملف التنزيل", "ダウンロード完了", "файл", "प्रगति", "e\u{301}", "🚀 done", "Ünïcödé"]
    for text in texts { log.emit(at: 1, AppNoted(intent: "x", message: text)) }
    log.close()
    for format in ["short", "verbose", "ndjson"] {
      let shown = try ToolRun.xferlog("show", log.path, "-o", format).text
      for text in texts { #expect(shown.contains(text)) }
    }
  }

  @Test func `Bytes that are not UTF-8 are replaced`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, AppNoted(message: String(decoding: [0x61, 0xff, 0xc3, 0x28, 0x80, 0x62] as [UInt8], as: UTF8.self)))
    log.emit(at: 2, AppNoted(message: "placeholder-of-bytes"))
    log.close()
    #expect(try ToolRun.xferlog("show", log.path).text.contains("a\u{fffd}\u{fffd}(\u{fffd}b"))
  }

  @Test func `A hostile path is escaped in messages`() throws {
    let run = try ToolRun.xferlog("show", "/tmp/xferlog-cli-\u{1b}[31m\u{202e}none")
    #expect(run.status == 3)
    #expect(run.standardError.contains(#"\x1b[31m\u202enone"#))
    #expect(!run.standardError.contains("\u{1b}"))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Random text never reaches a terminal as a control sequence`(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    var random = SeededRandom(seed: seed)
    for step in 0..<500 {
      let bytes = (0..<Int.random(in: 0..<24, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      log.emit(at: Int64(step), AppNoted(message: String(decoding: bytes, as: UTF8.self)))
      let scalars = (0..<8).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &random)) }
      log.emit(at: Int64(step), AppNoted(message: String(String.UnicodeScalarView(scalars))))
    }
    log.close()
    for format in ["short", "ndjson"] {
      let run = try ToolRun.xferlog("show", "--all", log.path, "-o", format)
      #expect(run.lines.count == 1006)
      let raw = run.text.unicodeScalars.contains { scalar in
        scalar != "\n" && (scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format)
      }
      #expect(!raw)
    }
  }
}
