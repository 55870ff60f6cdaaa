import Foundation
import LogTestSupport
import Testing

@testable import XferLogStore

/// `xferlog salvage`, which copies the readable part of a log.
@Suite struct SalvageCommandTests {
  private static func show(_ log: String, _ options: String...) throws -> [String] {
    try ToolRun.xferlog(["show", "--debug", "-o", "ndjson", log] + options).lines
  }

  private static func events(_ lines: [String]) -> [String] { lines.filter { !$0.contains("\"gap\":") } }

  /// Returns the name of a line's event and its reference.
  private static func reference(_ line: String) -> String {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return "\(object?["event"] ?? "?") \((object?["source"] as? [String: Any])?.sorted { $0.key < $1.key } ?? [])"
  }

  private static func lacksName(_ line: String) -> Bool { line.contains("\"unreadable\":true") || line.contains("\"?\"") }

  /// Damages each segment of a log in a different way.
  private static func damage(_ log: String, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let names = LogDirectory.segments(in: log).map(\.path)
    for (place, path) in names.enumerated() {
      var bytes = try DamagedLog.bytes(path)
      switch (place + Int(seed)) % 5 {
      case 0: for _ in 0..<20 { bytes[Int.random(in: 4096..<bytes.count, using: &random)] ^= 0x10 }
      case 1: bytes = Array(bytes[..<(bytes.count / 2 + Int.random(in: 0..<9000, using: &random))])
      case 2:
        let slots = [1, 3].map { SegmentFormat.chunkOffset($0)..<SegmentFormat.chunkOffset($0 + 1) }
        guard bytes.count >= slots[1].upperBound else { break }
        let moved = Array(bytes[slots[0]])
        bytes.replaceSubrange(slots[0], with: bytes[slots[1]])
        bytes.replaceSubrange(slots[1], with: moved)
      case 3: for byte in 0..<4096 { bytes[byte] = 0 }
      default: bytes += random.bytes(5000)
      }
      try DamagedLog.write(bytes, to: path)
    }
  }

  @Test(arguments: 0..<5 as Range<UInt64>, [false, true])
  func `A salvaged log has the events that --recovery salvage reads, with their references`(seed: UInt64, isSealed: Bool) throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory, events: 6000)
    let original = Set(try Self.show(log))
    if isSealed { try DamagedLog.seal(log) }
    try Self.damage(log, seed: seed)
    let before = try DamagedLog.files(log)
    let output = directory.path("saved.xlog")
    let run = try ToolRun.xferlog("salvage", log, "--output", output)
    #expect([0, 1].contains(run.status), "\(run.standardError)")
    #expect(run.lines.last?.hasPrefix("total") ?? false)
    #expect(try DamagedLog.files(log) == before)

    let (read, saved) = (try Self.show(log, "--recovery", "salvage"), try Self.show(output))
    #expect(Self.events(saved) == Self.events(read))
    // Names whose definition is lost are unreadable. Everything else is unchanged.
    let wrong = Self.events(saved).filter { !Self.lacksName($0) && !original.contains($0) }
    #expect(wrong.isEmpty, "\(wrong.first ?? "")")
    let places = Set(original.map(Self.reference))
    #expect(Self.events(saved).allSatisfy { places.contains(Self.reference($0)) })
    #expect(Set(Self.events(saved)).count == Self.events(saved).count)
    #expect(Self.events(saved).count >= Self.events(try Self.show(log)).count)
    #expect(saved.filter { $0.contains("\"gap\":") }.count == read.filter { $0.contains("\"gap\":") }.count)

    let replay = try ToolRun.xferlog("replay", output, "--fail-on", "never")
    #expect(replay.status == 0)
    // The only problems of the salvaged log are missing records.
    let verified = try ToolRun.xferlog("verify", output)
    #expect([0, 1].contains(verified.status))
    #expect(!verified.text.contains("edited ") && !verified.text.contains("repaired "))
    #expect(verified.text.contains("sealed, salvaged"))
    // Salvaging a salvaged log loses nothing.
    let again = directory.path("again.xlog")
    _ = try ToolRun.xferlog("salvage", output, "--output", again)
    let resaved = try Self.show(again)
    #expect(Self.events(resaved) == Self.events(saved) && resaved.count == saved.count)
  }

  @Test func `An intact log is salvaged completely`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory)
    let output = directory.path("saved.xlog")
    let run = try ToolRun.xferlog("salvage", log, "--output", output)
    #expect(run.status == 0 && run.standardError == "")
    #expect(try Self.show(output) == Self.show(log))
    let verified = try ToolRun.xferlog("verify", output)
    #expect(verified.status == 0 && verified.text.contains("verdict: whole"))
    let replays = try [log, output].map { try ToolRun.xferlog("replay", "--fail-on", "never", $0).lines }
    #expect(replays[0] == replays[1])
  }

  @Test func `A single segment and a log without its first one are salvaged`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory)
    let original = try Self.show(log)
    let single = directory.path("single.xlog")
    #expect(try ToolRun.xferlog("salvage", DamagedLog.segment(log, 2), "--output", single).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: single) == ["000002.seg"])
    #expect(Set(original).isSuperset(of: Self.events(try Self.show(single))))
    try FileManager.default.removeItem(atPath: DamagedLog.segment(log))
    let rest = directory.path("rest.xlog")
    _ = try ToolRun.xferlog("salvage", log, "--output", rest)
    #expect(try Self.show(rest) == Self.show(log))
  }

  @Test func `Salvage never overwrites an existing path, and leaves nothing behind when it fails`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let before = try DamagedLog.files(log)
    let over = try ToolRun.xferlog("salvage", log, "--output", log)
    #expect(over.status == 2 && over.standardError.contains("it already exists and was not changed"))
    #expect(try DamagedLog.files(log) == before)
    let noise = try directory.write([UInt8](repeating: 0x41, count: 300_000), to: "noise.seg")
    let none = try ToolRun.xferlog("salvage", noise, "--output", directory.path("none.xlog"))
    #expect(none.status == 2 && none.standardError.contains("nothing could be salvaged"))
    #expect(!FileManager.default.fileExists(atPath: directory.path("none.xlog")))
    #expect(try ToolRun.xferlog("salvage", log).status == 2)
    #expect(try ToolRun.xferlog("salvage", directory.path("nowhere.xlog"), "--output", directory.path("x.xlog")).status == 3)
  }
}
