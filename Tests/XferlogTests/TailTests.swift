import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

@Suite(.timeLimit(.minutes(2))) struct TailTests {
  @Test func `The last ten events are shown`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    // The sample has a finding, which is not an event.
    let all = try ToolRun.xferlog("show", log, "-o", "ndjson").lines
    #expect(try ToolRun.xferlog("tail", "--no-findings", log, "-o", "ndjson").lines == Array(all.suffix(10)))
    #expect(try ToolRun.xferlog("tail", "--no-findings", log, "-n", "3", "-o", "ndjson").lines == Array(all.suffix(3)))
    #expect(try ToolRun.xferlog("tail", "--no-findings", log, "-n", "all", "-o", "ndjson").lines == all)
    #expect(
      try ToolRun.xferlog("tail", "--no-findings", log, "-n", "2", "-t", "7", "-o", "ndjson").lines.map(\.eventName) == [
        "attempt.bytesReceived", "task.transferred",
      ])
  }

  @Test func `Following shows the last events, then new ones`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    for step in 0..<5 { log.emit(at: Int64(step), AppJournalSaved(upTo: Int64(step))) }
    let follower = try Follower(["tail", "-f", "-n", "2", "-o", "ndjson", log.path])
    #expect(follower.lines { $0.count >= 2 }.map(\.savedUpTo) == [3, 4])
    for step in 5..<9 {
      log.emit(at: Int64(step), AppJournalSaved(upTo: Int64(step)))
      #expect(follower.lines { $0.last?.savedUpTo == Int64(step) }.last?.savedUpTo == Int64(step))
    }
    follower.interrupt()
    #expect(follower.rest().map(\.savedUpTo) == [3, 4, 5, 6, 7, 8])
    log.close()
  }

  @Test func `With -n 0, following shows only new events`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    for step in 0..<5 { log.emit(at: Int64(step), AppJournalSaved(upTo: Int64(step))) }
    // The message about the missing log is printed after the existing log was first read.
    let follower = try Follower(["tail", "-f", "-n", "0", "-o", "ndjson", log.path, "\(directory.path)/later.xlog"])
    #expect(follower.remark() == "xferlog: waiting for \(directory.path)/later.xlog\n")
    log.emit(at: 9, AppJournalSaved(upTo: 9))
    #expect(follower.lines { !$0.isEmpty }.map(\.savedUpTo) == [9])
    log.close()
  }

  @Test func `Following waits for a log that does not exist yet`() throws {
    let directory = TemporaryDirectory()
    let path = "\(directory.path)/run.xlog"
    let follower = try Follower(["tail", "-f", "-o", "ndjson"], environment: ["XFERLOG_DIR": path])
    #expect(follower.remark() == "xferlog: waiting for \(path)\n")
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, AppJournalSaved(upTo: 1))
    #expect(follower.lines { $0.last?.savedUpTo == 1 }.map(\.eventName).first == "log.opened")
    log.close()
  }

  @Test func `Filters apply while following`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let follower = try Follower(["tail", "-f", "-n", "all", "-l", "error", "-t", "docs/1", "-o", "ndjson", log.path])
    for step in 0..<3 {
      let task = step == 1 ? RecordedLog.other : RecordedLog.task
      log.emit(at: 1, TaskResumed(task: task))
      log.emit(at: 1, DeliveryDropped(task: task, delivery: DeliveryID(UInt64(step)), callback: .didComplete))
    }
    let lines = follower.lines { !$0.isEmpty }
    #expect(lines.count == 1 && lines[0].contains(#""delivery":"1""#))
    log.close()
  }

  /// Three writers: one with several segments, one that is killed, and one after it.
  @Test func `Following loses and repeats nothing across rotations and a killed writer`() async throws {
    let directory = TemporaryDirectory()
    let path = "\(directory.path)/run.xlog"
    let follower = try Follower(["tail", "-f", "-n", "all", "-o", "ndjson", path])
    _ = follower.remark()

    // These events exceed the first segment's 256 KiB by far.
    let first = try RecordedLog(in: directory, seed: 1)
    for step in 0..<30_000 { first.emit(at: Int64(step / 10), AppJournalSaved(upTo: Int64(step))) }
    first.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".seg") }.count > 2)

    let counted = 7000
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, counted = counted as Int] in
      let hook = KillHook(lane: 1, sequence: UInt64(counted), afterCommit: true)
      let configuration = LogConfiguration(role: .app, privacy: PrivacyPolicy(key: (1, 2)), killHook: hook)
      let log = try EventLog(directory: path, configuration: configuration)
      for step in 0..<counted * 2 { log.emit(AppJournalSaved(upTo: Int64(step))) }
    }

    let last = try RecordedLog(in: directory, seed: 2)
    last.emit(at: 99_999, AppNoted(intent: "the end"))
    // Each writer begins with four records of its own, and the last one records the end of the killed writer.
    let total = 4 + 30_000 + 2 + counted + 1 + 4 + 1 + 1
    _ = follower.lines { $0.count >= total }
    follower.interrupt()
    let lines = follower.rest()
    #expect(lines.count == total)

    let places = lines.compactMap(\.place)
    #expect(places.count == lines.count, "\(lines.filter { $0.place == nil })")
    #expect(Set(places).count == places.count)
    let lanes = Dictionary(grouping: places, by: \.writer)
    #expect(lanes.count == 3)
    for lane in lanes.values { #expect(lane.map(\.sequence) == Array(0..<lane.count)) }
    #expect(lines.filter { $0.contains(#""role":"app""#) }.count == counted + 1)
    #expect(lines.filter { $0.contains("process.exitObserved") }.count == 1)
    last.close()
  }
}

extension String {
  fileprivate var savedUpTo: Int64? { firstMatch(of: /"upTo":(\d+)/).flatMap { Int64($0.1) } }

  fileprivate struct Place: Hashable {
    let writer: Substring
    let sequence: Int
  }

  fileprivate var place: Place? {
    firstMatch(of: /"launch":"([^"]+)".*"source":\{"segment":\d+,"lane":(\d+),"seq":(\d+)\}/)
      .flatMap { match in Int(match.3).map { Place(writer: match.1 + "/" + match.2, sequence: $0) } }
  }
}
