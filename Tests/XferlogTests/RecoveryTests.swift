import Foundation
import LogTestSupport
import Testing

@testable import XferLogStore

/// `--recovery` on every command that reads logs.
@Suite struct RecoveryTests {
  private static let commands = [
    ["show", "--debug"], ["tail", "-n", "all", "--debug"], ["replay", "--fail-on", "never"], ["stats"], ["index"],
    ["sql", "SELECT count(*) FROM events"],
  ]

  private static func run(_ command: [String], _ log: String, _ recovery: String, in directory: TemporaryDirectory) throws
    -> ToolRun
  {
    var arguments = [command[0], log] + command.dropFirst()
    arguments.insert(contentsOf: ["--recovery", recovery], at: 1)
    return try ToolRun.xferlog(arguments, environment: ["XDG_CACHE_HOME": directory.path("cache")])
  }

  @Test(arguments: commands)
  func `Strict rejects a damaged log`(command: [String]) throws {
    let directory = TemporaryDirectory()
    let whole = try RecordedLog.sample(in: directory)
    #expect(try Self.run(command, whole, "strict", in: directory).status == 0)
    let flipped = try Self.run(command, DamagedLog.flipped(in: directory), "strict", in: directory)
    #expect(flipped.status == 4)
    #expect(flipped.text.isEmpty)
    #expect(
      flipped.standardError.contains(
        "exit 4 (incomplete): nothing was read, because the log is not intact: 1 record of lane 1 is damaged"))
    #expect(flipped.standardError.contains("(000001.seg, record "))
  }

  @Test(arguments: commands)
  func `The other modes read a damaged log, and an unknown mode is rejected`(command: [String]) throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.flipped(in: directory)
    for recovery in ["tail", "prefix", "salvage"] {
      #expect(try Self.run(command, log, recovery, in: directory).status == 0, "\(recovery)")
    }
    #expect(try Self.run(command, log, "hope", in: directory).status == 2)
  }

  @Test func `Strict rejects truncated, repaired and missing parts with their reason`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory)
    let path = DamagedLog.segment(log)
    let bytes = try DamagedLog.bytes(path)
    func remark() throws -> String {
      let run = try ToolRun.xferlog("show", "--recovery", "strict", log)
      #expect(run.status == 4 && run.text.isEmpty)
      return run.standardError
    }
    try DamagedLog.write(Array(bytes[..<SegmentFormat.chunkOffset(4)]), to: path)
    #expect(try remark().contains("not intact"))
    var damaged = bytes
    damaged[40] ^= 1
    try DamagedLog.write(damaged, to: path)
    #expect(try remark().contains("the segment's header is damaged; its copy was used"))
    damaged = bytes
    damaged[SegmentFormat.chunkOffset(1) + 8] ^= 1
    try DamagedLog.write(damaged, to: path)
    #expect(try remark().contains("the header of chunk 1 is damaged; its copy was used"))
    try FileManager.default.removeItem(atPath: path)
    #expect(try remark().contains("the log begins later"))
  }

  @Test func `Prefix stops at the first damage in the log's order and reports it`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory, events: 3000)
    let path = DamagedLog.segment(log)
    let all = try ToolRun.xferlog("show", "--debug", "-o", "ndjson", log).lines
    let bytes = try DamagedLog.bytes(path)
    for seed in seeds(12, campaign: 400) {
      var random = SeededRandom(seed: seed)
      var damaged = bytes
      // The damage includes places that belong to no lane: headers, definitions and the end of the file.
      switch seed % 4 {
      case 0: for _ in 0..<3 { damaged[Int.random(in: 4096..<bytes.count, using: &random)] ^= 0x20 }
      case 1:
        let slot = SegmentFormat.chunkOffset(Int.random(in: 1..<5, using: &random))
        for place in [slot, slot + SegmentFormat.recordsEnd(span: 1)] { damaged[place + 9] ^= 1 }
      case 2: damaged = Array(bytes[..<Int.random(in: 40_000..<bytes.count, using: &random)])
      default: for _ in 0..<2 { damaged[Int.random(in: 4200..<9000, using: &random)] ^= 0x20 }
      }
      try DamagedLog.write(damaged, to: path)
      let lines = try ToolRun.xferlog("show", "--debug", "-o", "ndjson", "--recovery", "prefix", log).lines
      guard let last = lines.last, last.contains("\"gap\"") else {
        #expect(lines == all, "seed \(seed): damage where nothing is")
        continue
      }
      #expect(last.contains("nothing after it is read"), "seed \(seed)")
      // A flipped bit after the last record of a lane looks like a torn record, which loses nothing.
      let before = lines.dropLast().filter { !$0.contains("\"cause\":\"torn\"") }
      #expect(Array(all.prefix(before.count)) == before, "seed \(seed): \(before.count) of \(all.count)")
    }
  }

  @Test func `A log can be followed only with --recovery tail`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog("tail", "-f", "--timeout", "1ms", "--recovery", "salvage", log)
    #expect(run.status == 2 && run.standardError.contains("--follow works only with --recovery tail"))
  }
}
