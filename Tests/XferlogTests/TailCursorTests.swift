import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

@testable import xferlog

/// Runs of `xferlog tail` that continue after an earlier run.
@Suite(.timeLimit(.minutes(5))) struct TailCursorTests {
  private static func tail(_ log: String, _ options: String...) throws -> ToolRun {
    try ToolRun.xferlog(["tail", log, "-o", "ndjson", "--allow-empty"] + options)
  }

  @Test func `Each run with a cursor file prints the events since the previous one, also after a rotation`() throws {
    let directory = TemporaryDirectory()
    let (state, log) = (directory.path("state.cursor"), try RecordedLog(in: directory))
    var printed: [String] = []
    var seeded = SeededRandom(seed: 7)
    // 256 KiB are the first segment; each round writes more than that.
    for round in 0..<6 {
      let count = round == 3 ? 0 : 9000 + Int(seeded.next() % 3000)
      for step in 0..<count { log.emit(at: Int64(round * 20_000 + step), AppJournalSaved(upTo: Int64(printed.count + step))) }
      let run = try Self.tail(log.path, "--cursor-file", state)
      #expect(run.status == 0, "\(run.standardError)")
      #expect(run.lines.count { $0.contains("app.journalSaved") } == count)
      printed += run.lines
    }
    log.close()
    printed += try Self.tail(log.path, "--cursor-file", state).lines
    #expect(try FileManager.default.contentsOfDirectory(atPath: log.path).count { $0.hasSuffix(".seg") } > 2)
    #expect(try printed == ToolRun.xferlog("show", log.path, "-o", "ndjson").lines)
  }

  @Test func `Each run continues where the previous one stopped, whatever ended it`() throws {
    let directory = TemporaryDirectory()
    let (state, log) = (directory.path("state.cursor"), try RecordedLog.sample(in: directory))
    let all = try ToolRun.xferlog("show", log, "-o", "ndjson").lines
    var printed: [String] = []
    for kind in ["task.held", "task.resumed", "attempt.responseReceived"] {
      let run = try Self.tail(log, "--no-findings", "--cursor-file", state, "--until-event", "event=\(kind)", "--timeout", "30s")
      #expect(run.status == 0 && run.lines.last?.contains("\"\(kind)\"") == true, "\(run.standardError)")
      printed += run.lines
    }
    // The time limit ends a run after the last event.
    printed += try Self.tail(log, "--no-findings", "--cursor-file", state, "--timeout", "100ms").lines
    printed += try Self.tail(log, "--no-findings", "--cursor-file", state).lines
    #expect(printed == all)
  }

  @Test func `A followed log is continued after an interruption`() throws {
    let directory = TemporaryDirectory()
    let (state, log) = (directory.path("state.cursor"), try RecordedLog(in: directory))
    var printed: [Int64] = []
    for round in 0..<4 {
      for step in 0..<10 { log.emit(at: Int64(round * 100 + step), AppJournalSaved(upTo: Int64(round * 20 + step))) }
      let follower = try Follower(["tail", "-f", "-o", "ndjson", "--cursor-file", state, log.path])
      _ = follower.lines { $0.last?.contains(#""upTo":\#(round * 20 + 9)"#) == true }
      for step in 10..<20 { log.emit(at: Int64(round * 100 + step), AppJournalSaved(upTo: Int64(round * 20 + step))) }
      _ = follower.lines { $0.last?.contains(#""upTo":\#(round * 20 + 19)"#) == true }
      if round % 2 == 0 { follower.interrupt() } else { follower.end() }
      printed += follower.rest().compactMap { $0.firstMatch(of: /"upTo":(\d+)/).flatMap { Int64($0.1) } }
      #expect(follower.status == (round % 2 == 0 ? 130 : 128 + SIGTERM))
    }
    log.close()
    #expect(printed == (0..<80).map { Int64($0) })
  }

  @Test func `--show-cursor prints a cursor for --after-cursor`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let all = try ToolRun.xferlog("show", log, "-o", "ndjson").lines
    let first = try Self.tail(log, "--no-findings", "-n", "all", "--until-event", "event=task.held", "--show-cursor")
    let cursor = try #require(first.remarks.last?.firstMatch(of: /cursor: (\S+)$/)?.1)
    let rest = try Self.tail(log, "--no-findings", "--after-cursor", String(cursor))
    #expect(first.lines + rest.lines == all && !rest.lines.isEmpty)
    #expect(try Self.tail(log, "--after-cursor", String(cursor), "-n", "2", "--no-findings").lines == Array(all.suffix(2)))
  }

  @Test func `A finding is printed by the run that prints the event which triggers it`() throws {
    let directory = TemporaryDirectory()
    let (state, log) = (directory.path("state.cursor"), try ShownLog.write(in: directory))
    let all = try ToolRun.xferlog("tail", "--findings", log, "-n", "all", "-o", "ndjson").lines
    let first = try Self.tail(log, "--cursor-file", state, "--until-event", "event=task.transferred", "--timeout", "30s")
    let second = try Self.tail(log, "--cursor-file", state)
    #expect(first.lines + second.lines == all)
    #expect(second.lines.contains { $0.contains("lost-completion") })
  }

  // MARK: What is gone

  @Test func `Removed segments after the cursor are stated as a gap`() throws {
    let directory = TemporaryDirectory()
    let (state, log) = (directory.path("state.cursor"), try RecordedLog(in: directory))
    for step in 0..<10 { log.emit(at: Int64(step), AppJournalSaved(upTo: Int64(step))) }
    _ = try Self.tail(log.path, "--cursor-file", state)
    for step in 10..<12_000 { log.emit(at: Int64(step), AppJournalSaved(upTo: Int64(step))) }
    log.close()
    try FileManager.default.removeItem(atPath: log.path + "/000001.seg")
    let run = try Self.tail(log.path, "--cursor-file", state)
    #expect(run.status == 0)
    let first = try #require(run.lines.first { $0.contains("upTo") }?.firstMatch(of: /"upTo":(\d+)/).flatMap { Int($0.1) })
    #expect(first > 10)
    // 4 events of the log itself precede the others.
    #expect(run.lines.contains { $0.contains("gap") && $0.contains("missing") }, "\(run.lines.prefix(3))")
    #expect(run.text.contains("\(first - 10)") || run.text.contains("\"from\":14"), "\(run.lines.prefix(3))")
  }

  @Test func `A cursor of another log is an error that says what to do`() throws {
    let directory = TemporaryDirectory()
    let state = directory.path("state.cursor")
    let one = try RecordedLog.sample(in: directory, name: "one.xlog", seed: 1)
    let two = try RecordedLog.sample(in: directory, name: "two.xlog", seed: 2)
    _ = try Self.tail(one, "--cursor-file", state)
    let run = try Self.tail(two, "--cursor-file", state)
    #expect(run.status == 2 && run.text.isEmpty)
    #expect(run.standardError.contains("is from another log than \(two)") && run.standardError.contains("remove \(state)"))
    // The cursor is kept.
    #expect(try Self.tail(one, "--cursor-file", state).text.isEmpty)
  }

  @Test func `Process lives whose segments were removed are stated, unless they had ended before the cursor`() throws {
    let directory = TemporaryDirectory()
    let state = directory.path("state.cursor")
    func write(_ seed: UInt64, closes: Bool) throws -> RecordedLog {
      let log = try RecordedLog(in: directory, seed: seed)
      log.emit(at: Int64(seed), AppNoted(intent: "\(seed)"))
      if closes { log.close() }
      return log
    }
    let log = try write(1, closes: true)
    let open = try write(2, closes: false)
    _ = try Self.tail(log.path, "--cursor-file", state)
    _ = try write(3, closes: true)
    try FileManager.default.removeItem(atPath: log.path + "/000001.seg")
    let quiet = try Self.tail(log.path, "--no-findings", "--cursor-file", state)
    #expect(!quiet.standardError.contains("after the cursor"), "\(quiet.standardError)")
    #expect(quiet.lines.contains { $0.contains(#""intent":"3""#) } && !quiet.text.contains(#""intent":"2""#))
    open.close()
    try FileManager.default.removeItem(atPath: log.path + "/000002.seg")
    let stated = try Self.tail(log.path, "--no-findings", "--cursor-file", state)
    #expect(stated.standardError.contains("lacks the segments of 1 process life after the cursor"), "\(stated.standardError)")
  }

  // MARK: Wrong cursors

  static let wrong = [
    "", "x", "xferlog-cursor-2", "xferlog-cursor-1;", "xferlog-cursor-1;12:0=1", "xferlog-cursor-1;\(zeros):0",
    "xferlog-cursor-1;\(zeros):0=-1", "xferlog-cursor-1;\(zeros):0=1;\(zeros):0=1", "xferlog-cursor-1;\(zeros):0=5+4",
    "xferlog-cursor-1;\(zeros):0=1,", "xferlog-cursor-1;\(zeros):0=99999999999999999999", "s=1;i=2",
  ]
  private static let zeros = String(repeating: "0", count: 32)

  @Test(arguments: wrong)
  func `A text that is not a cursor is refused`(text: String) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try Self.tail(log, "--after-cursor", text)
    #expect(run.status == 2 && run.standardError.contains("is not a cursor"), "\(run.standardError)")
    if text.isEmpty { return }
    let file = try directory.write(Array(text.utf8), to: "state.cursor")
    let other = try Self.tail(log, "--cursor-file", file)
    #expect(other.status == 2 && other.standardError.contains("\(file): the file is not a cursor"), "\(other.standardError)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text, "the file is left alone")
  }

  @Test func `A cursor file that cannot be read or written is an error`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    for (path, problem) in [
      (directory.path, "the cursor cannot be"), (directory.path("no/such/file"), "the cursor cannot be written"),
      ("", "the name of the file for the cursor is empty"),
    ] {
      let run = try Self.tail(log, "--cursor-file", path)
      #expect(run.status == 2 && run.standardError.contains(problem), "\(run.standardError)")
      #expect(run.text.isEmpty, "the next run would print the events again")
    }
  }

  @Test func `Logs of other programs have no cursor`() throws {
    let directory = TemporaryDirectory()
    let file = try directory.write(
      Array("* Connected to example.com (10.0.0.1) port 80\n> GET / HTTP/1.1\n".utf8), to: "curl.txt")
    let run = try Self.tail(file, "--show-cursor")
    #expect(run.status == 2 && run.standardError.contains("have cursors"), "\(run.standardError)")
  }

  /// Positions at the limits of their type cause no trap.
  @Test func `The last possible position of a lane can be passed`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let launch = try #require(
      try ToolRun.xferlog("show", log, "-o", "ndjson").lines.first?.firstMatch(of: /"launch":"([^"]+)"/)?.1)
    for position in ["18446744073709551615", "18446744073709551614+18446744073709551615", "0+1+2+3"] {
      let cursor = "xferlog-cursor-1;\(launch.filter { $0 != "-" }):0=\(position),1=\(position)"
      #expect(try Self.tail(log, "--after-cursor", cursor).status == 0)
    }
  }

  @Test(arguments: seeds(200, campaign: 5000))
  func `A cursor survives its text, and excludes exactly the passed records`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var cursor = LogCursor()
    let launches = (0..<3).map { LaunchID(high: seed &+ 1, low: UInt64($0)) }
    var passed: Set<[UInt64]> = []
    // Records arrive in order, except that some come a few places early, as causes do.
    var queues: [[UInt64]: [UInt64]] = [:]
    for launch in 0..<3 { for lane in 0..<2 { queues[[UInt64(launch), UInt64(lane)]] = Array(0..<40) } }
    for _ in 0..<Int(random.next() % 150) {
      let key = [random.next() % 3, random.next() % 2]
      guard var queue = queues[key], !queue.isEmpty else { continue }
      let place = random.next() % 8 == 0 ? min(queue.count - 1, Int(random.next() % 5)) : 0
      let sequence = queue.remove(at: place)
      queues[key] = queue
      cursor.pass(Self.gap(launches[Int(key[0])], UInt32(key[1]), sequence))
      passed.insert(key + [sequence])
    }
    let read = try #require(LogCursor("\(cursor)"))
    #expect(read == cursor)
    for key in queues.keys {
      for sequence in UInt64(0)..<40 {
        #expect(
          read.covers(Self.gap(launches[Int(key[0])], UInt32(key[1]), sequence)) == passed.contains(key + [sequence]),
          "seed \(seed): \(key) \(sequence)")
      }
    }
  }

  /// A record, as a gap of one record has it.
  private static func gap(_ launch: LaunchID, _ lane: UInt32, _ sequence: UInt64) -> LogMember {
    .gap(LogGap(cause: .dropped, segment: 1, name: "1", launch: launch, lane: lane, sequences: sequence..<sequence + 1))
  }
}
