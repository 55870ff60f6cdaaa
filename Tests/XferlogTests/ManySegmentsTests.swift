import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// A log with more segments than a process may have file descriptors.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ManySegmentsTests {
  /// A log that gets a segment for each of many short processes.
  private struct GrowingLog {
    let path: String
    private let directory: TemporaryDirectory
    private var runs = 1

    init(in directory: TemporaryDirectory) throws {
      self.directory = directory
      let first = try RecordedLog(in: directory)
      first.close()
      path = first.path
    }

    mutating func grow(to wanted: Int) throws {
      for number in runs..<wanted {
        try RecordedLog(in: directory, seed: UInt64(number) + 1, pid: Int32(5000 + number), at: Int64(number) * 10).close()
      }
      runs = wanted
    }
  }

  @Test func `A log of 1,100 segments is read completely with few file descriptors`() throws {
    var log = try GrowingLog(in: TemporaryDirectory())
    for (limit, segments) in [(64, 80), (1024, 1100)] {
      try log.grow(to: segments)
      func run(_ command: String) throws -> ToolRun {
        try ToolRun.bash("ulimit -n \(limit); exec timeout -k 1 100 $xferlog \(command)")
      }
      let replay = try run("replay -o json \(log.path)")
      let events = try #require(replay.text.firstMatch(of: /"events":(\d+)/).flatMap { Int($0.1) })
      // Each segment has the same events.
      #expect(events >= 3 * segments && events % segments == 0, "\(limit): \(events)")
      #expect(replay.status == 0, "\(limit): \(replay.standardError)")
      #expect(replay.text.contains("\"complete\":true"), "\(limit)")
      #expect(try run("show -o ndjson \(log.path)").lines.count == events, "\(limit)")
      #expect(try run("verify \(log.path)").status == 0, "\(limit)")
      let tail = try run("tail -f -n all --no-findings --timeout 3s -o ndjson \(log.path)")
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
    let verify = try run("verify --strict")
    #expect(verify.status == 4 && verify.text.contains("000002.seg: the segment cannot be read (Too many open files"))
    let stats = try run("stats -o json")
    #expect(stats.text.contains("\"complete\":false"), "\(stats.text)")
  }
}
