import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// `xferlog stats --storage`: the storage use of a log by category.
@Suite struct StorageTests {
  private static func document(_ log: String) throws -> [String: Any] {
    let run = try ToolRun.xferlog("stats", "--storage", "-o", "json", log)
    #expect(run.status == 0, "\(run.standardError)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
  }

  private static func rows(_ document: [String: Any], _ table: String) -> [[String: Any]] {
    document[table] as? [[String: Any]] ?? []
  }

  private static func rest(_ document: [String: Any], _ name: String) -> Int? {
    rows(document, "rest").first { $0["what"] as? String == name }?["bytes"] as? Int
  }

  private static func checkSum(_ log: String) throws -> [String: Any] {
    let document = try document(log)
    let bytes = (rows(document, "events") + rows(document, "rest")).reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) }
    let size = try DamagedLog.files(log).filter { $0.key.hasSuffix(".seg") }.values.reduce(0) { $0 + $1.count }
    #expect(document["total"] as? Int == size)
    #expect(bytes == size)
    return document
  }

  @Test(arguments: [false, true], [false, true])
  func `Every byte of the files is accounted for, and every event counted`(isSealed: Bool, isAppended: Bool) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory, forcesAppending: isAppended)
    let writer = try #require(log.writer)
    DamagedLog.emit(6000, to: writer)
    log.emit(at: 9000, AppNoted(intent: "large", message: String(repeating: "large ", count: 9000)))
    log.close()
    if isSealed { try DamagedLog.seal(log.path) }
    let document = try Self.checkSum(log.path)
    let counts = Dictionary(
      uniqueKeysWithValues: Self.rows(document, "events").map { ($0["event"] as? String ?? "?", $0["count"] as? Int ?? 0) })
    // These include the large event, and the fault about full capture.
    #expect([counts["attempt.bytesReceived"], counts["app.noted"], counts["message.fault"]] == [1500, 1501, 1])
    let read = try ToolRun.xferlog("show", "--all", "--debug", log.path).lines.count
    #expect(counts.values.reduce(0, +) == read)
    #expect(Self.rest(document, "damaged") == 0)
    if !isSealed {
      // A record has a header of 16 bytes, 4 bytes of presence bits, and its fields.
      let bytes = Self.rows(document, "events").first { $0["event"] as? String == "attempt.bytesReceived" }?["bytes"] as? Int
      #expect(bytes == 1500 * (16 + 4 + 8 + 8 + 4 + 4))
    }
    let text = try ToolRun.xferlog("stats", "--storage", log.path)
    #expect(text.lines.contains { $0.hasPrefix("total") } && text.text.contains("by their decoded size"))
    let csv = try ToolRun.xferlog("stats", "--storage", "-o", "csv", log.path).lines
    #expect(csv.first == "table,row,column,value")
    #expect(csv.contains("storage-events,attempt.bytesReceived,count,1500"))
    #expect(csv.contains("storage,total,bytes,\(document["total"] ?? "")"))
  }

  @Test func `Damaged bytes are accounted for`() throws {
    let directory = TemporaryDirectory()
    for isSealed in [false, true] {
      let log = try DamagedLog.long(in: directory, name: "\(isSealed).xlog", events: 3000)
      if isSealed { try DamagedLog.seal(log) }
      let path = DamagedLog.segment(log)
      let bytes = try DamagedLog.bytes(path)
      for seed in 0..<8 as Range<UInt64> {
        var random = SeededRandom(seed: seed)
        var damaged = bytes
        for _ in 0..<9 { damaged[Int.random(in: 4096..<bytes.count, using: &random)] ^= 0x10 }
        if seed % 2 == 0 { damaged = Array(damaged[..<Int.random(in: 5000..<bytes.count, using: &random)]) }
        if seed % 3 == 0 { damaged += random.bytes(777) }
        try DamagedLog.write(damaged, to: path)
        let document = try Self.checkSum(log)
        #expect(seed % 2 == 0 || Self.rest(document, "damaged") ?? 0 > 0, "seed \(seed)")
      }
    }
  }
}
