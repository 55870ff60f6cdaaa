import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// A log with more segments than a process may have file descriptors.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ManySegmentsTests {
  private static let runs = 1100

  /// Returns a log with a segment for each of many short processes, and its number of events.
  private static func log(in directory: TemporaryDirectory) throws -> (path: String, events: Int) {
    let first = try RecordedLog(in: directory)
    first.close()
    for number in 1..<runs {
      let log = try RecordedLog(in: directory, seed: UInt64(number) + 1, pid: Int32(5000 + number), at: Int64(number) * 10)
      log.close()
    }
    let whole = try ToolRun.xferlog("replay", "-o", "json", first.path)
    let events = try #require(whole.text.firstMatch(of: /"events":(\d+)/).flatMap { Int($0.1) })
    #expect(events >= 3 * runs)
    return (first.path, events)
  }

  @Test func `A log of 1,100 segments is read completely with few file descriptors`() throws {
    let directory = TemporaryDirectory()
    let (log, events) = try Self.log(in: directory)
    for limit in [64, 256, 1024] {
      func run(_ command: String) throws -> ToolRun {
        try ToolRun.bash("ulimit -n \(limit); exec timeout -k 1 100 $xferlog \(command)")
      }
      let replay = try run("replay -o json \(log)")
      #expect(replay.status == 0 && replay.text.contains("\"events\":\(events)"), "\(limit): \(replay.standardError)")
      #expect(replay.text.contains("\"complete\":true"), "\(limit)")
      #expect(try run("show -o ndjson \(log)").lines.count == events, "\(limit)")
      #expect(try run("verify \(log)").status == 0, "\(limit)")
      let tail = try run("tail -f -n all --no-findings --timeout 3s -o ndjson \(log)")
      #expect(tail.status == 5 && tail.lines.count == events, "\(limit): \(tail.lines.count) of \(events) \(tail.standardError)")
    }
  }

  @Test func `A segment that cannot be opened for lack of descriptors is reported`() throws {
    let directory = TemporaryDirectory()
    let first = try RecordedLog(in: directory)
    first.close()
    try RecordedLog(in: directory, seed: 2, pid: 5000, at: 10).close()
    // One descriptor beyond the standard ones, first used to load the program, then for one segment.
    func run(_ command: String) throws -> ToolRun { try ToolRun.bash("ulimit -n 4; exec $xferlog \(command) \(first.path)") }
    let replay = try run("replay -o json")
    #expect(replay.status == 0 && replay.text.contains("\"complete\":false"), "\(replay.text) \(replay.standardError)")
    #expect(replay.text.contains("000002.seg: the segment cannot be read (Too many open files, errno 24)"), "\(replay.text)")
    #expect(try run("replay").text.contains("verdict: incomplete"))
    #expect(try run("replay --strict").status == 4)
    #expect(try run("show --strict").status == 4)
    let verify = try run("verify")
    #expect(verify.status == 1 && verify.text.contains("000002.seg: the segment cannot be read (Too many open files"))
    let stats = try run("stats -o json")
    #expect(stats.text.contains("\"complete\":false"), "\(stats.text)")
  }
}
