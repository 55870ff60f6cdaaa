import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// `xferlog emit` as a shell uses it.
@Suite(.timeLimit(.minutes(2))) struct EmitTests {
  private let directory = TemporaryDirectory()
  private var log: String { directory.path("shell.xlog") }

  private func emit(
    _ arguments: [String] = [], input: [UInt8]? = nil, environment: [String: String] = [:]
  ) throws -> ToolRun {
    try ToolRun.xferlog(
      ["emit", "--log", log] + arguments, input: input,
      environment: ["XDG_STATE_HOME": directory.path("state")].merging(environment) { $1 })
  }

  /// The events without those that the log writes about itself.
  private func spoken() throws -> [RecordedEvent] {
    LogReader([.directory(log)]).compactMap { member in
      guard case .event(let event) = member else { return nil }
      return event.layout.family == "message" || event.layout.family == "app" ? event : nil
    }
  }

  private func shown(_ options: String...) throws -> [String] {
    try ToolRun.xferlog(["show", log] + options).lines.filter { $0.contains(" message.") || $0.contains(" app.") }
  }

  /// Returns the end of a line of `show`, starting with the event's name.
  private func said(_ line: String) -> String { String(line[line.range(of: "message.")!.lowerBound...]) }

  @Test func `Arguments are written as one message with the properties from the options`() throws {
    #expect(try emit(["hello", "world"]).status == 0)
    #expect(try emit(["--subsystem", "com.example", "--category", "c", "-l", "error", "--field", "n=1=2", "-", "x"]).status == 0)
    #expect(
      try shown().map(said) == [
        "message.default    [shell:default] hello world", "message.error      [com.example:c] - x n=1=2",
      ])
    #expect(try spoken().map(\.source.writer.role) == [.tool, .tool])
    #expect(try ToolRun.xferlog("show", "--all", log).lines.count { $0.contains("log.closed") } == 2)
  }

  @Test func `A message alone is shown alone, and takes little room`() throws {
    #expect(try emit(["hello"]).status == 0)
    let shown = try ToolRun.xferlog("show", log)
    #expect(shown.lines.count == 1 && shown.text.contains("[shell:default] hello"), "\(shown.text)")
    #expect(shown.standardError == "")
    let all = try ToolRun.xferlog("show", "--all", log).lines
    #expect(all.count == 6)
    #expect(try ToolRun.xferlog("show", "-o", "ndjson", log).lines.count == 6)
    #expect(try ToolRun.xferlog("show", "--event", "log.*", log).lines.count == 2)
    var status = stat()
    #expect(stat("\(log)/000001.seg", &status) == 0)
    #expect(status.st_blocks * 512 <= 16_384, "\(status.st_blocks * 512)")
  }

  @Test func `A log of bookkeeping alone says how to show it`() throws {
    let empty = try RecordedLog(in: directory, name: "empty.xlog", role: .tool, mode: .hashed)
    empty.close()
    let run = try ToolRun.xferlog("show", empty.path)
    #expect(run.status == 0 && run.text == "")
    #expect(run.standardError == "xferlog: 5 events of the log's own bookkeeping left out; --all shows them\n")
  }

  @Test func `Each line of standard input is written as a message, even if it is not UTF-8`() throws {
    let input: [UInt8] = Array("one\n\n  two \r\n".utf8) + [0xFF, 0x00, 0x1B, 0x5B, 0x0A] + Array("日本".utf8)
    let run = try emit(input: input)
    #expect(run.status == 0 && run.standardError == "" && run.text == "")
    #expect(
      try shown().map { said($0).dropFirst("message.default    [shell:default]".count) } == [
        " one", "", "   two \\r", " \u{fffd}\\x00\\x1b[", " 日本",
      ])
  }

  @Test func `A line of megabytes is truncated, which the log and the command report`() throws {
    let run = try emit(["--ack"], input: [UInt8](repeating: UInt8(ascii: "a"), count: 3_000_000) + Array("\nb\n".utf8))
    #expect(run.status == 0)
    #expect(run.lines.count == 2)
    #expect(run.standardError == "xferlog: line 1 has 3000000 bytes and was truncated to 1048576\n")
    let lines = try shown()
    #expect(lines.count == 2)
    #expect(lines[0].utf8.count < 1_100_000 && lines[0].utf8.count > 900_000)
    #expect(!lines[0].hasSuffix("aa"), "the log says that the text is cut: \(lines[0].suffix(60))")
  }

  @Test func `Text is public by default, and a hash with --private`() throws {
    #expect(try emit(["--private"], input: Array("secret\nsecret\nother\n".utf8)).status == 0)
    let lines = try shown().map(said)
    #expect(lines.allSatisfy { $0.contains("<mask.hash: ") && !$0.contains("secret") })
    #expect(lines[0] == lines[1] && lines[1] != lines[2])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: log + "/000001.seg"))
    #expect(bytes.range(of: Data("secret".utf8)) == nil)
    // Without a key, private text is rejected at once; public text needs no key.
    let nowhere = ["XDG_STATE_HOME": "/proc/none"]
    #expect(try emit(["--private", "x"], environment: nowhere).status == 2)
    #expect(try emit(["x"], environment: nowhere).status == 0)
    #expect(
      try emit(["--input", "ndjson"], input: Array(#"{"message":"hush","private":true}"#.utf8), environment: nowhere).status == 0)
    #expect(try said(shown().last!).hasSuffix("<private>"))
  }

  @Test func `An NDJSON line overrides the options, or is an event of the app`() throws {
    let input = """
      {"message":"a \\"b\\"\\n\\u0000 \\ud83d\\ude00","level":"fault","subsystem":"s","category":"c"}

      {"level":"debug","message":"quiet"}
      {"message":"hidden","private":true}
      {"event":"app.intentDeclared","fields":{"intent":"i1","step":"upload","durable":true}}
      {"event":"app.outcomeRecorded","fields":{"intent":"i1","outcome":"failure","message":"no"}}
      {"event":"app.noted","fields":{"message":"noted"}}
      """
    let run = try emit(["--input", "ndjson", "--ack"], input: Array(input.utf8))
    #expect(run.status == 0 && run.standardError == "")
    #expect(run.lines.count == 6)
    let events = try spoken()
    #expect(events.map { "\($0.reference)" } == run.lines)
    #expect(
      events.map(\.layout.name) == [
        "message.fault", "message.debug", "message.default", "app.intentDeclared", "app.outcomeRecorded", "app.noted",
      ])
    #expect(events[0].subsystem == "s" && events[0].category == "c")
    #expect(try shown()[0].contains(#"a "b"\n\x00 😀"#))
    #expect(try shown()[2].contains("<mask.hash: "))
    #expect(events[3].step == "upload" && events[3].durable == true)
    #expect(events[4].outcome == .failure && events[4].message == .plain("no"))
  }

  @Test(arguments: [
    (#"{"message":1}"#, "'message' is a number instead of a string"),
    (#"{"mesage":"a"}"#, "a message has no 'mesage'. Did you mean message?"),
    (#"[1]"#, "it is an array instead of an object"), (#"{"message":"a""#, "not JSON: a comma or } is missing, at byte 15"),
    (#"{"message":"a"} x"#, "not JSON: unexpected text after the value"), ("{}", "neither a message nor an event"),
    (#"{"message":"a","level":"loud"}"#, "'loud' is not a level"),
    (#"{"message":"a","private":"yes"}"#, "'private' is a string instead of a boolean"),
    (#"{"event":"app.note"}"#, "there is no event 'app.note' to write. Did you mean app.noted?"),
    (#"{"event":"task.created"}"#, "Known names: app.noted, app.intentDeclared, app.outcomeRecorded."),
    (#"{"event":"app.noted","fields":{"mesage":"a"}}"#, "app.noted has no 'mesage'. Did you mean message?"),
    (#"{"event":"app.outcomeRecorded","fields":{"outcome":"sucess"}}"#, "Did you mean success?"),
    (#"{"event":"app.outcomeRecorded","fields":{"intent":"i1"}}"#, "app.outcomeRecorded needs the field 'outcome'"),
    (#"{"event":"app.intentDeclared","fields":{"intent":null}}"#, "app.intentDeclared needs the field 'intent'"),
    (#"{"event":"app.noted"}"#, "app.noted needs the field 'message'"),
    (String(repeating: "[", count: 100_000), "nested more than 64 levels deep"), ("\u{1}", "not JSON"),
  ])
  func `An invalid NDJSON line ends the command, and earlier lines stay in the log`(line: String, problem: String) throws {
    let input = #"{"message":"first"}"# + "\n\n\(line)\n" + #"{"message":"never"}"#
    let run = try emit(["--input", "ndjson", "--ack"], input: Array(input.utf8))
    #expect(run.status == 2)
    #expect(run.standardError.contains("line 3: ") && run.standardError.contains(problem), "\(run.standardError)")
    #expect(run.standardError.hasSuffix("1 event was written before it.\n"))
    #expect(try spoken().count == 1 && run.lines.count == 1)
  }

  @Test func `A task is selected as in other commands`() throws {
    let recorded = try RecordedLog.sample(in: directory)
    let known = try ToolRun.xferlog("emit", "--log", recorded, "--task", "img/7", "seen by me")
    #expect(known.status == 0, "\(known.standardError)")
    let shown = try ToolRun.xferlog("show", recorded, "--task", "7")
    #expect(shown.lines.last?.contains("seen by me") == true)
    for (selector, problem) in [("99", "has no task 99"), ("*", "matches several tasks; ")] {
      let run = try ToolRun.xferlog("emit", "--log", recorded, "--task", selector, "x")
      #expect(run.status == 2 && run.standardError.contains(problem), "\(run.standardError)")
    }
  }

  @Test func `Events excluded by the log's levels are counted and reported`() throws {
    #expect(try ToolRun.xferlog("config", "level", "--log", log, "shell=info").status == 0)
    let run = try emit(["--ack", "--input", "ndjson"], input: Array(#"{"message":"a","level":"debug"}"#.utf8))
    #expect(run.status == 0 && run.text == "")
    #expect(run.standardError.hasPrefix("xferlog: 1 event was excluded by the log's levels"))
    #expect(try emit(["-l", "info", "b"]).status == 0)
    #expect(try spoken().count == 1)
  }

  @Test func `Wrong usage and a log that cannot be written end with 2`() throws {
    #expect(try emit(["-l", "loud", "x"]).standardError.contains("'loud' is not a level"))
    #expect(try emit(["--field", "x", "y"]).standardError.contains("'x' is not a field"))
    let file = try directory.write([1], to: "a-file")
    let run = try ToolRun.xferlog("emit", "--log", file, "x")
    #expect(run.status == 2 && run.standardError.contains("it is not a directory"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a-file"])
  }

  @Test func `A file-size limit is reported with the line that could not be written`() throws {
    // Files are limited to 200 KiB, which is less than the smallest segment.
    let none = try ToolRun.bash("ulimit -f 200; printf 'a\\nb\\n' | $xferlog emit --ack --log \(log)")
    #expect(none.status == 2 && none.text == "")
    #expect(none.standardError.contains("line 1: ") && none.standardError.contains("File too large"))
  }

  @Test func `A log that is moved away is reported with the lines that could not be written`() throws {
    let (input, output, remarks) = (Pipe(), Pipe(), Pipe())
    let process = ToolRun.process(ToolRun.tool, ["emit", "--log", log, "--ack"])
    process.environment?["XDG_STATE_HOME"] = directory.path("state")
    process.standardInput = input
    process.standardOutput = output
    process.standardError = remarks
    try process.run()
    input.fileHandleForWriting.write(Data("one\n".utf8))
    let first = output.fileHandleForReading.availableData
    // The open segment stays writable, but no further one can be created.
    try FileManager.default.moveItem(atPath: log, toPath: log + "-away")
    let line = String(repeating: "x", count: 1000) + "\n"
    input.fileHandleForWriting.write(Data(String(repeating: line, count: 999).utf8))
    try input.fileHandleForWriting.close()
    let acknowledged = first + output.fileHandleForReading.readDataToEndOfFile()
    let said = String(decoding: remarks.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try FileManager.default.moveItem(atPath: log + "-away", toPath: log)
    let references = String(decoding: acknowledged, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(try spoken().map { "\($0.reference)" } == references)
    #expect(references.count > 100 && references.count < 500)
    #expect(process.terminationStatus == 2)
    let missing = 1000 - references.count
    #expect(said.contains("line \(references.count + 1) was not written: "), "\(said)")
    #expect(said.contains("\(missing) of 1000 lines were not written, lines \(references.count + 1)-1000: "), "\(said)")
  }

  @Test(arguments: seeds(6, campaign: 200))
  func `Every acknowledged line survives SIGKILL`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let target = Int.random(in: 1...4000, using: &random)
    let pipe = Pipe()
    let process = ToolRun.process(ToolRun.tool, ["emit", "--log", log, "--ack"])
    process.environment?["XDG_STATE_HOME"] = directory.path("state")
    let lines = (0..<20_000).map { "line \($0)\n" }.joined()
    let input = try directory.write(Array(lines.utf8), to: "lines")
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = pipe
    try process.run()
    var acknowledged = Data()
    while acknowledged.count(where: { $0 == 0x0A }) < target {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { break }
      acknowledged += more
    }
    kill(process.processIdentifier, SIGKILL)
    acknowledged += pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let references = String(decoding: acknowledged, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(references.count >= target, "seed \(seed)")
    let events = try spoken()
    #expect(events.prefix(references.count).map { "\($0.reference)" } == references, "seed \(seed)")
    // One more line may have been written whose acknowledgement was lost.
    #expect(events.count <= references.count + 1, "seed \(seed)")
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 15)] as [(Int32, Int32)])
  func `A signal ends the command with the log closed`(signal: Int32, status: Int32) throws {
    let (input, output) = (Pipe(), Pipe())
    let process = ToolRun.process(ToolRun.tool, ["emit", "--log", log, "--ack"])
    process.environment?["XDG_STATE_HOME"] = directory.path("state")
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    input.fileHandleForWriting.write(Data("one\n".utf8))
    // Acknowledged, so it waits for the next line by now or soon.
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == status)
    #expect(process.terminationReason == (signal == SIGINT ? .exit : .uncaughtSignal))
    let last = try ToolRun.xferlog("show", "--all", log).lines
    #expect(last.last?.contains("log.closed") == true)
    #expect(try spoken().count == 1)
  }

  @Test func `A closed reader of acknowledgements is a normal end`() throws {
    let run = try ToolRun.bash("set -o pipefail; seq 1 30000 2>/dev/null | $xferlog emit --ack --log \(log) | head -n 1")
    // `seq` may find its own pipe closed, and says so.
    #expect(run.lines.count == 1 && run.standardError == "")
    #expect(try ToolRun.xferlog("show", "--all", log).lines.last?.contains("log.closed") == true)
  }
}
