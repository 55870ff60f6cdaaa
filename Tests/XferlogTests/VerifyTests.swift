import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// `xferlog verify` on intact, damaged, incomplete and edited logs.
@Suite struct VerifyTests {
  private struct Verification {
    let run: ToolRun
    let document: [String: Any]

    init(_ arguments: String...) throws {
      run = try ToolRun.xferlog(["verify", "-o", "json"] + arguments)
      document = try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    }

    var verdict: String? { document["verdict"] as? String }
    var segments: [[String: Any]] { document["segments"] as? [[String: Any]] ?? [] }
    var problems: [[String: Any]] { document["problems"] as? [[String: Any]] ?? [] }
    var kinds: [String] { problems.map { $0["kind"] as? String ?? "?" } }
    var links: [[String: Any]] { document["lastLinks"] as? [[String: Any]] ?? [] }
  }

  private static func range(_ problem: [String: Any], _ key: String) -> ClosedRange<Int>? {
    guard let range = problem[key] as? [String: Int], let first = range["first"], let last = range["last"] else { return nil }
    return first...last
  }

  private static func tasks(_ problem: [String: Any]) -> [String] {
    (problem["tasks"] as? [[String: Any]] ?? []).map { "\($0["session"] ?? "?")/\($0["number"] ?? "?")" }
  }

  @Test(arguments: [false, true])
  func `An intact log is whole, and verifying changes nothing`(isSealed: Bool) throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory)
    if isSealed { try DamagedLog.seal(log) }
    let files = try DamagedLog.files(log)
    let before = files.filter { $0.key.hasSuffix(".seg") }
    let verified = try Verification(log)
    #expect(verified.run.status == 0 && verified.run.standardError == "")
    #expect(verified.document["schema"] as? String == "xferlog.verify/1")
    #expect(verified.verdict == "whole" && verified.problems.isEmpty)
    #expect(verified.segments.count == before.count && before.count > 1)
    #expect(verified.segments.allSatisfy { $0["form"] as? String == (isSealed ? "sealed" : "live") })
    #expect(verified.segments.map { $0["state"] as? String }.last == "closed")
    #expect(verified.segments.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } == before.values.reduce(0) { $0 + $1.count })
    let shown = try ToolRun.xferlog("show", "--all", "--debug", log).lines.count
    #expect(verified.segments.reduce(0) { $0 + ($1["events"] as? Int ?? 0) } == shown)
    #expect(verified.links.count == (isSealed ? 1 : 0))
    #expect(verified.document["unsealed"] as? Int == (isSealed ? 0 : before.count))
    #expect(try DamagedLog.files(log) == files)
    let text = try ToolRun.xferlog("verify", log).text
    #expect(text.contains("verdict: whole"))
    #expect(text.contains("cannot be detected") == !isSealed)
    if isSealed, let link = verified.links.first?["link"] as? String { #expect(link.count == 64 && text.contains(link)) }
  }

  @Test func `A damaged record is reported with the affected time and tasks`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.flipped(in: directory)
    let verified = try Verification(log)
    #expect(verified.run.status == 1)
    #expect(verified.run.standardError.contains("exit 1 (findings): 1 place differs from what was written"))
    #expect(verified.verdict == "damaged" && verified.kinds == ["damaged"])
    let problem = try #require(verified.problems.first)
    let range = try #require(Self.range(problem, "seqs"))
    #expect(range.count == 1 && problem["lane"] as? Int == 1 && problem["loss"] as? Bool == true)
    // The damaged record created img/7, whose first readable event is within the affected time.
    let events = try ToolRun.xferlog("show", "--debug", "-o", "ndjson", log).lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    func mono(_ sequence: Int) -> String? {
      events.first { ($0["source"] as? [String: Any])?["seq"] as? Int == sequence }?["mono"] as? String
    }
    #expect((problem["from"] as? [String: Any])?["mono"] as? String == mono(range.lowerBound - 1))
    #expect((problem["to"] as? [String: Any])?["mono"] as? String == mono(range.upperBound + 1))
    #expect(mono(range.lowerBound - 1) != nil && mono(range.upperBound + 1) != nil)
    #expect(Self.tasks(problem) == ["img/7"])
    let text = try ToolRun.xferlog("verify", log).text
    #expect(text.contains("damaged 000001.seg, bytes ") && text.contains("img/7 (abcdef01-2345-6789-0123-456789abcdef)"))
  }

  @Test func `Only tasks that were open when a record was lost are affected`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let path = DamagedLog.segment(log)
    var bytes = try DamagedLog.bytes(path)
    let draft = Records(bytes)
    // The first record comes after the beginning of both tasks, the second one after the end of docs/1.
    for (name, expected) in [("task.transferred", ["docs/1", "img/7"]), ("log.closed", ["img/7"])] {
      let record = try #require(draft.events.first { $0.name == name })
      bytes[record.range.upperBound - 1] ^= 0x40
      try DamagedLog.write(bytes, to: path)
      bytes[record.range.upperBound - 1] ^= 0x40
      let verified = try Verification(log)
      #expect(verified.kinds.contains("damaged"), "\(name)")
      #expect(Self.tasks(verified.problems[0]) == expected, "\(name)")
    }
  }

  @Test func `Every torn record is reported, one per lane, and is not a loss`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let writer = try #require(log.writer)
    DamagedLog.emit(150, to: writer)
    let path = DamagedLog.segment(log.path)
    // The bytes after a kill: a record without its commit word.
    var bytes = try DamagedLog.bytes(path)
    let lanes = Records(bytes).ends
    #expect(lanes.count == 3)
    for end in lanes.values { for place in end + 4..<end + 16 { bytes[place] = 0x11 } }
    log.close()
    try DamagedLog.write(bytes, to: path)
    let verified = try Verification(log.path)
    #expect(verified.run.status == 0, "\(verified.run.standardError)")
    #expect(verified.verdict == "torn")
    #expect(verified.kinds == lanes.map { _ in "torn" })
    #expect(Set(verified.problems.compactMap { $0["lane"] as? Int }) == Set(lanes.keys.map(Int.init)))
    #expect(try Verification("--strict", log.path).run.status == 4)
  }

  @Test func `A header that was read from its copy is repaired: no loss, but not whole`() throws {
    let directory = TemporaryDirectory()
    for (offset, isSealed) in [(30, false), (SegmentFormat.chunkOffset(1) + 20, false), (30, true)] {
      let log = try DamagedLog.long(in: directory, name: "\(offset)-\(isSealed).xlog", events: 1500)
      if isSealed { try DamagedLog.seal(log) }
      var bytes = try DamagedLog.bytes(DamagedLog.segment(log))
      bytes[offset] ^= 4
      try DamagedLog.write(bytes, to: DamagedLog.segment(log))
      let verified = try Verification(log)
      #expect(verified.run.status == 1 && verified.verdict == "damaged", "\(offset)")
      #expect(verified.kinds == ["repaired"], "\(offset)")
      #expect(verified.problems.first?["loss"] as? Bool == false)
    }
  }

  @Test func `A damaged index does not change results`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory, events: 3000)
    try DamagedLog.seal(log)
    let shown = try ToolRun.xferlog("show", "--all", "--debug", log).text
    var bytes = try DamagedLog.bytes(DamagedLog.segment(log))
    bytes[bytes.count - SealTrailer.size - 10] ^= 1
    try DamagedLog.write(bytes, to: DamagedLog.segment(log))
    #expect(try ToolRun.xferlog("show", "--all", "--debug", log).text == shown)
    #expect(try Verification(log).kinds == ["repaired"])
  }

  @Test func `Damage of unknown extent affects any task of the process`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory, events: 1500)
    let path = DamagedLog.segment(log)
    let bytes = try DamagedLog.bytes(path)
    var headless = bytes
    for place in [0, SegmentFormat.recordsEnd(span: 1)] { headless[SegmentFormat.chunkOffset(2) + place + 20] ^= 1 }
    try DamagedLog.write(headless, to: path)
    let damaged = try Verification(log)
    #expect(damaged.run.status == 1)
    #expect(damaged.problems.contains { $0["kind"] as? String == "damaged" && $0["anyTask"] as? Bool == true })
    try DamagedLog.write(Array(bytes[..<(SegmentFormat.chunkOffset(3) + 9000)]), to: path)
    let cut = try Verification(log)
    #expect(cut.kinds.contains("truncated") && cut.run.status == 1)
    #expect(try ToolRun.xferlog("verify", log).text.contains("any task of launch"))
  }

  @Test func `Missing segments, unreadable segments, missing logs and other files are distinguished`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory)
    try FileManager.default.removeItem(atPath: DamagedLog.segment(log, 2))
    let missing = try Verification(log)
    #expect(missing.run.status == 1 && missing.kinds.contains("missing"))
    let beheaded = try DamagedLog.beheaded(in: directory)
    var bytes = try DamagedLog.bytes(DamagedLog.segment(beheaded))
    for place in 0..<1100 { bytes[place] = 0x7E }
    for place in SegmentFormat.chunkOffset(0)..<bytes.count { bytes[place] = 0x7E }
    try DamagedLog.write(bytes, to: DamagedLog.segment(beheaded))
    #expect(try ToolRun.xferlog("verify", beheaded).status == 2)
    #expect(try ToolRun.xferlog("verify", directory.path("nowhere.xlog")).status == 3)
    #expect(try ToolRun.xferlog("verify", directory.write([1, 2, 3], to: "text.txt")).status == 2)
    try FileManager.default.copyItem(atPath: DamagedLog.segment(beheaded), toPath: DamagedLog.segment(log, 2))
    let unreadable = try Verification(log)
    #expect(unreadable.run.status == 1)
    #expect(unreadable.problems.contains { $0["name"] as? String == "000002.seg" && $0["anyTask"] as? Bool == true })
  }

  // MARK: Edited or damaged

  /// Each file has one edited record.
  @Test func `Every edited record with recomputed checksums is found and reported as edited`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory, events: 2400)
    try DamagedLog.seal(log)
    let path = DamagedLog.segment(log)
    let sealed = try DamagedLog.bytes(path)
    var found = 0
    let seeds = seeds(100, campaign: 1000)
    for seed in seeds {
      let edit = try DamagedLog.Edit(sealed, seed: seed)
      try DamagedLog.write(edit.bytes, to: path)
      // Every checksum matches, so only the hash chain shows the edit.
      let verified = try Verification(log)
      let isNamed = verified.problems.contains { problem in
        problem["kind"] as? String == "edited" && problem["lane"] as? Int == Int(edit.lane)
          && Self.range(problem, "seqs")?.contains(Int(edit.sequence)) ?? false
      }
      #expect(isNamed, "seed \(seed)")
      #expect(verified.run.status == 1 && verified.verdict == "edited", "seed \(seed)")
      // After the edit, a name may be undefined, but no checksum is wrong.
      #expect(!verified.problems.contains { $0["kind"] as? String == "damaged" && $0["bytes"] is [String: Any] }, "seed \(seed)")
      found += isNamed ? 1 : 0
      guard seed % 25 == 0 else { continue }
      let replayed = try ToolRun("xferlog", ["replay", "-o", "json", log])
      #expect(!replayed.text.contains(#""verdict":"clean""#) && replayed.text.contains("was edited after"), "seed \(seed)")
    }
    print("\(found) of \(seeds.count) edited records found")
    try DamagedLog.write(DamagedLog.Edit(sealed, seed: 1).bytes, to: path)
    #expect(try ToolRun.xferlog("replay", log, "--fail-on", "never", "--strict").status == 4)
  }

  /// A replay does not use the columns, so it neither compares them nor is misled by them.
  @Test func `Columns that do not match their records are reported by verify`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory, events: 2400)
    try DamagedLog.seal(log)
    let path = DamagedLog.segment(log)
    let intact = try ToolRun("xferlog", ["replay", "-o", "json", log])
    try DamagedLog.write(DamagedLog.Edit.withWrongKinds(DamagedLog.bytes(path)), to: path)
    let verified = try Verification(log)
    #expect(verified.run.status == 1 && Set(verified.kinds) == ["edited"])
    #expect(verified.problems.contains { ($0["what"] as? String)?.contains("do not match its records") ?? false })
    #expect(try ToolRun("xferlog", ["replay", "-o", "json", log]).text == intact.text)
  }

  @Test func `A flipped bit of a sealed block is reported as damaged`() throws {
    let directory = TemporaryDirectory()
    let log = try DamagedLog.long(in: directory, events: 3000)
    try DamagedLog.seal(log)
    let path = DamagedLog.segment(log)
    let sealed = try DamagedLog.bytes(path)
    let entries = try #require(sealed.withUnsafeBytes { SealedBlocks.index(of: SegmentBytes(viewing: $0), nonce: nil) }).entries
    for entry in entries where entry.block.chunk.kind == .records && entry.block.positions > 0 {
      var bytes = sealed
      bytes[Int(entry.offset) + BlockHeader.size + Int(entry.block.storedSize) / 2] ^= 8
      try DamagedLog.write(bytes, to: path)
      let verified = try Verification(log)
      #expect(verified.kinds == ["damaged"], "block at \(entry.offset)")
      #expect(verified.problems.first.flatMap { Self.range($0, "bytes") }?.lowerBound == Int(entry.offset))
    }
  }

  @Test func `A replaced sealed segment does not match the hash chain of the next one`() throws {
    let directory = TemporaryDirectory()
    let (log, other) = (try DamagedLog.long(in: directory), try DamagedLog.long(in: directory, name: "other.xlog"))
    let changed = DamagedLog.segment(other)
    var bytes = try DamagedLog.bytes(changed)
    // The flipped bit loses a record. The segment that is sealed afterwards is consistent by itself.
    bytes[SegmentFormat.chunkOffset(1) + 5000] ^= 1
    try DamagedLog.write(bytes, to: changed)
    try DamagedLog.seal(log)
    try DamagedLog.seal(other)
    try DamagedLog.write(DamagedLog.bytes(changed), to: DamagedLog.segment(log))
    let verified = try Verification(log)
    #expect(verified.verdict == "edited")
    let link = try #require(verified.problems.first { $0["kind"] as? String == "edited" })
    #expect(link["segment"] as? Int == 2)
    #expect((link["what"] as? String)?.contains("000001.seg, is not the one that it was chained to") ?? false)
  }
}

/// The positions of records in a live segment, by the numbers of the article LogFormat.
struct Records {
  private(set) var events: [(name: String, range: Range<Int>)] = []
  /// The end of the last record of each lane, if it is in its last chunk.
  private(set) var ends: [UInt32: Int] = [:]

  init(_ bytes: [UInt8]) {
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { offset + $1 < bytes.count ? $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) : $0 }
    }
    for chunk in stride(from: 4096, to: bytes.count - 64, by: 32_768) where word(chunk) != 0 && word(chunk + 4) == 1 {
      var offset = chunk + 64
      while word(offset) != 0, word(offset) != 0xFFFF_FFFF, offset < chunk + 32_704 {
        let length = Int(word(offset) & 0xFFFF) * 4
        let kind = EventKind(rawValue: UInt16(word(offset + 12) >> 16))
        if let kind { events.append((kind.name, offset..<offset + length)) }
        offset += length
      }
      ends[word(chunk + 12)] = word(offset) == 0 ? offset : nil
    }
  }
}
