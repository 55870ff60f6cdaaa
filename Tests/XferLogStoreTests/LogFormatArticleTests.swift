import Foundation
import LogTestSupport
import Testing
import XferCrypto
import XferEvents

@testable import XferLogStore

/// Tests the format article against a committed segment: the tables alone must be sufficient to read it.
struct LogFormatArticleTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let article = tests.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/xferlog/xferlog.docc/LogFormat.md")

  private struct Row {
    let offset: Int
    /// The size in bytes; `nil` if it varies.
    let size: Int?
    let name: String
  }

  /// Returns the byte tables below a heading, in order.
  private static func tables(under heading: String) throws -> [[Row]] {
    try rows(under: heading).reduce(into: []) { tables, row in
      if row.offset == 0 { tables.append([]) }
      tables[tables.count - 1].append(row)
    }
  }

  /// Returns the rows of all byte tables below a heading.
  private static func rows(under heading: String) throws -> [Row] {
    let text = try String(contentsOf: article, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") })
    return section.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count == 4, let offset = Int(cells[0]) else { return nil }
      return Row(offset: offset, size: Int(cells[1]), name: cells[2])
    }
  }

  /// The bytes of a structure, with fields that are found through a table of the article.
  private struct Structure {
    let bytes: [UInt8]
    let start: Int
    let rows: [Row]

    func bytes(_ name: String) throws -> ArraySlice<UInt8> {
      let row = try #require(rows.first { $0.name == name }, "the article has no \(name)")
      return bytes[(start + row.offset)..<(start + row.offset + (row.size ?? 0))]
    }

    func number(_ name: String) throws -> UInt64 {
      try bytes(name).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private static func segment() throws -> [UInt8] {
    try contents(of: FormatSample.named("everything").path + "/000001.seg")
  }

  /// Computes the CRC-32C bit by bit, independently of the implementation under test.
  private static func checksum(_ bytes: ArraySlice<UInt8>, seed: UInt32 = 0) -> UInt32 {
    ~bytes.reduce(~seed) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
  }

  @Test func `The tables cover every byte between their fields unless they state otherwise`() throws {
    for heading in ["Header", "Chunks and lanes", "Records", "Levels"] {
      let rows = try Self.rows(under: heading)
      #expect(rows.count > 4)
      for (row, next) in zip(rows, rows.dropFirst()) where row.offset < 132 && row.size != nil && row.offset != 2056 {
        #expect(row.offset + row.size! == next.offset, "\(heading): \(row.name) must end where \(next.name) begins")
      }
    }
  }

  @Test func `A header matches the article`() throws {
    let bytes = try Self.segment()
    let header = Structure(bytes: bytes, start: 0, rows: try Self.rows(under: "Header"))
    #expect(try header.bytes("magic").elementsEqual("XFERLOG\u{1}".utf8))
    let expected: [(String, UInt64)] = [
      ("version", 1), ("headerSize", 4096), ("chunkSize", 32768), ("compatible", 8), ("incompatible", 0), ("number", 1),
      ("previous", 0), ("processStart", 77), ("processNamespace", 88), ("pid", 4242),
      ("vocabularyVersion", UInt64(Vocabulary.version)),
      ("chunkCapacity", 8), ("role", 2), ("captureMode", 0), ("lowestLevel", 2), ("state", 1), ("usedChunks", 6),
      ("claimedChunks", 6 | 1 << 31), ("droppedEvents", 0), ("finalSize", UInt64(bytes.count)),
    ]
    for (name, value) in expected { #expect(try header.number(name) == value, "\(name)") }
    #expect(try header.number("checksum") == UInt64(Self.checksum(bytes[..<1020])))
  }

  @Test func `Chunks and records match the article`() throws {
    let bytes = try Self.segment()
    let header = Structure(bytes: bytes, start: 0, rows: try Self.rows(under: "Header"))
    let nonce = try header.number("nonce")
    let folded = UInt32(truncatingIfNeeded: nonce ^ nonce >> 32)
    let (chunks, records) = (try Self.rows(under: "Chunks and lanes"), try Self.rows(under: "Records"))
    var positions: [UInt64: [UInt64]] = [:]
    var slot = 0
    while slot < (bytes.count - 4096) / 32768 {
      let start = 4096 + slot * 32768
      let chunk = Structure(bytes: bytes, start: start, rows: chunks)
      #expect(try chunk.bytes("magic").elementsEqual("XCHK".utf8))
      #expect(try chunk.number("index") == UInt64(slot))
      #expect(try chunk.number("checksum") == UInt64(Self.checksum(bytes[(start + 4)..<(start + 60)], seed: folded)))
      let seed = folded ^ (UInt32(slot) + 1) &* 0x9E37_79B1
      let span = Int(try chunk.number("span"))
      let isLarge = try chunk.number("kind") == 3
      var place = start + 64
      while place + 4 <= start + span * 32768 {
        let record = Structure(bytes: bytes, start: place, rows: records)
        let word = UInt32(try record.number("commit word"))
        if word == 0 || word == .max { break }
        let length = Int(word & 0xFFFF) * 4
        let body = bytes[(place + 8)..<(place + length)]
        #expect(try record.number("checksum") == UInt64(Self.checksum(body, seed: word ^ seed)))
        if isLarge { #expect(bytes[place + 16..<place + 20].reversed().reduce(0) { $0 << 8 | Int($1) } == length) }
        positions[try chunk.number("lane"), default: []].append(UInt64(word >> 16))
        place += length
      }
      slot += span
    }
    #expect(positions.keys.sorted() == [0, 1])
    // The contents according to `everything.txt`.
    #expect(positions[1] == Array(0..<52))
    #expect(positions[0] == positions[0]?.indices.map(UInt64.init))
  }

  @Test func `Pages of rings match the article`() throws {
    let test = TestLog()
    let log = try test.open { $0.flightRecorder = FlightRecorder() }
    Detail.emit(0..<30, of: 1, to: log)
    Detail.complete(1, error: 28, in: log)
    log.close()
    let bytes = try contents(of: test.segment(1))
    let nonce = try Structure(bytes: bytes, start: 0, rows: try Self.rows(under: "Header")).number("nonce")
    let folded = UInt32(truncatingIfNeeded: nonce ^ nonce >> 32)
    let (chunks, records) = (try Self.rows(under: "Chunks and lanes"), try Self.rows(under: "Records"))
    let slots = stride(from: 4096, to: bytes.count, by: 32768)
    let slot = try #require(try slots.first { try Structure(bytes: bytes, start: $0, rows: chunks).number("kind") == 4 })
    var positions: [UInt64] = []
    for number in 1...30 as ClosedRange<UInt32> {
      let start = slot + 64 + Int(number - 1) * 1088
      let header = Structure(bytes: bytes, start: start, rows: chunks)
      guard try header.number("magic") != 0 else { continue }
      let page = Structure(bytes: bytes, start: start, rows: try Self.rows(under: "Rings"))
      #expect(try header.bytes("magic").elementsEqual("XCHK".utf8))
      #expect(try header.number("kind") == 5 && header.number("span") == UInt64(number) && page.number("kept") == 1)
      #expect(try header.number("checksum") == UInt64(Self.checksum(bytes[(start + 4)..<(start + 60)], seed: folded)))
      let (lane, first) = (UInt32(try header.number("lane")), UInt32(try header.number("firstSequence") & 0xFFFF_FFFF))
      #expect(lane == 0x8000_0001)
      let use = (lane ^ first ^ number << 24) &* 0x85EB_CA6B
      let seed = folded ^ (UInt32(try header.number("index")) + 1) &* 0x9E37_79B1 ^ use
      var place = start + 68
      while place + 4 <= start + 1088 {
        let record = Structure(bytes: bytes, start: place, rows: records)
        let word = UInt32(try record.number("commit word"))
        if word == 0 || word == .max { break }
        let body = bytes[(place + 8)..<(place + Int(word & 0xFFFF) * 4)]
        #expect(try record.number("checksum") == UInt64(Self.checksum(body, seed: word ^ seed)))
        positions.append(UInt64(word >> 16))
        place += Int(word & 0xFFFF) * 4
      }
    }
    #expect(positions == Array(0..<30))
  }

  @Test func `Blocks, index and trailer of a sealed segment match the article`() throws {
    let bytes = try contents(of: FormatSample.named("sealed").path + "/000001.seg")
    let tables = try Self.tables(under: "Sealed segments")
    #expect(tables.count == 2)
    let header = Structure(bytes: bytes, start: 0, rows: try Self.rows(under: "Header"))
    #expect(try header.number("incompatible") == 1 | 2 && header.number("compatible") == 2 | 4 | 8 | 128)
    let nonce = try header.number("nonce")
    let folded = UInt32(truncatingIfNeeded: nonce ^ nonce >> 32)
    let trailer = Structure(bytes: bytes, start: bytes.count - 128, rows: tables[1])
    #expect(try trailer.bytes("magic").elementsEqual("XFERSEAL".utf8))
    #expect(try trailer.number("trailerChecksum") == UInt64(Self.checksum(bytes[(bytes.count - 128)..<(bytes.count - 4)])))
    let end = Int(try trailer.number("indexOffset"))
    let index = bytes[end..<end + Int(try trailer.number("storedSize"))]
    #expect(index.endIndex == bytes.count - 128)
    #expect(try trailer.number("checksum") == UInt64(Self.checksum(index)))
    var link = Array(SHA256.hash(data: Array(try trailer.bytes("previous")) + bytes[..<1024]))
    var (place, kinds, positions, frames) = (4096, [] as [UInt64], 0 as UInt64, 0)
    while place < end {
      let block = Structure(bytes: bytes, start: place, rows: tables[0])
      #expect(place % 8 == 0)
      #expect(try block.bytes("magic").elementsEqual("XBLK".utf8))
      #expect(try block.number("headerChecksum") == UInt64(Self.checksum(bytes[(place + 4)..<(place + 124)], seed: folded)))
      let stored = bytes[place + 128..<place + 128 + Int(try block.number("storedSize"))]
      #expect(try block.number("checksum") == UInt64(Self.checksum(stored, seed: folded)))
      link = Array(SHA256.hash(data: link + bytes[place..<place + 80] + stored))
      #expect(try block.bytes("chain").elementsEqual(link))
      // The magic number of zstd frames.
      let codec = try block.number("codec")
      if codec > 0 {
        let sizes = [Int(try block.number("kindsSize")), Int(try block.number("timesSize"))]
        let isPlain = try block.number("kindSet") != 0
        #expect(isPlain == (sizes[0] > 0) && isPlain == (sizes[1] > 0) && isPlain == (codec == 2))
        frames += isPlain ? 3 : 1
        for start in isPlain ? [0, sizes[0], sizes[0] + sizes[1]] : [0] {
          #expect(stored.dropFirst(start).prefix(4).elementsEqual([0x28, 0xB5, 0x2F, 0xFD]))
        }
      }
      kinds.append(bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
      if kinds.last != 2 { positions += try block.number("positions") }
      place = (stored.endIndex + 7) & ~7
    }
    #expect(place == end)
    #expect(try trailer.bytes("last").elementsEqual(Array(SHA256.hash(data: link + index))))
    // The contents according to `sealed.txt`: the dictionary comes first, and the large event has its own chunk.
    #expect(kinds.first == 2 && kinds.contains(1) && kinds.contains(3) && positions == 52)
    #expect(frames > kinds.count)
  }

  private static func says(_ sentence: String) throws -> Bool {
    let words = try String(contentsOf: article, encoding: .utf8).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.contains(sentence)
  }

  @Test func `Presence bits follow the stored order and choices are numbered from 0, as the article states`() throws {
    #expect(try Self.says("The bits of the presence word follow the same stored order, the lowest bit first"))
    #expect(try Self.says("lists the cases of each choice in the order of their numbers, which count from 0"))
    // The first record of lane 1 is `log.opened`. In the vocabulary's order its fields are count, count, choice, symbol,
    // symbol and flag. They are stored as segment, previousSegment, levels, version, captureMode, synthetic. The sample has
    // the last four.
    let bytes = try Self.segment()
    let chunk = try #require(
      stride(from: 4096, to: bytes.count, by: 32768).first {
        try Structure(bytes: bytes, start: $0, rows: Self.rows(under: "Chunks and lanes")).number("lane") == 1
      })
    let record = Structure(bytes: bytes, start: chunk + 64, rows: try Self.rows(under: "Records"))
    #expect(try record.number("kind") == 1)
    let payload = Array(bytes[(chunk + 64 + 16)...])
    #expect(payload[..<4].elementsEqual([0b11_1100, 0, 0, 0]))
    // The payload continues with two symbols, then "hashed" and "true".
    #expect(payload[12] == 0 && payload[13] == 1)
    #expect(Vocabulary.cases(of: "CaptureMode").first == "hashed")
  }

  /// Decodes a little-endian number.
  private func le(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int {
    var number = 0
    for byte in bytes[place..<place + size].reversed() { number = number << 8 | Int(byte) }
    return number
  }

  @Test func `Lengths count the header, and the size of the times includes padding, as the article states`() throws {
    #expect(try Self.says("A record's length counts all of its bytes: the first 16, which hold the first four fields"))
    #expect(try Self.says("which includes the record's first 20 bytes"))
    #expect(try Self.says("padded with zeroes to a multiple of 4 bytes, which the size of the times includes"))
    let draft = SealedDraft(try sealedSegment(Self.segment(), compresses: false))
    let columns = draft.blocks.filter(\.isColumns).map(\.stored)
    #expect(columns.count >= 2)
    for stored in columns {
      let count = le(stored, 0, 4)
      let times = le(stored, 4, 4)
      var payloads = 0
      for place in 0..<count { payloads += 4 * le(stored, 8 + 2 * count + 2 * place, 2) }
      #expect(times % 4 == 0)
      let sum = 8 + 4 * count + times + payloads
      #expect(sum == stored.count)
    }
  }

  @Test func `A file without a magic is classified as the article states`() throws {
    #expect(try Self.says("The file cannot tell which, so a reader names the file and reports the log as incomplete"))
    #expect(try Self.says("A file without a magic that has nonzero bytes after the header has lost its header"))
    let directory = TemporaryDirectory()
    func code(_ bytes: [UInt8]) throws -> LogError.Code? {
      LogContents([.segment(try directory.write(bytes, to: "000001.seg"))]).problems.first?.error.code
    }
    #expect(try code([UInt8](repeating: 0, count: 4096 + 32_768)) == .unfinished)
    #expect(try code([UInt8](repeating: 0, count: 30_000) + [1] + [UInt8](repeating: 0, count: 9_999)) == .damagedHeader)
    #expect(try code(Array("XFERLOG\u{1}".utf8) + [UInt8](repeating: 0, count: 100)) == .damagedHeader)
  }

  @Test func `A file of levels matches the article`() throws {
    let rule = try LevelRule("com.example:日本=info")
    let bytes = LevelFile(generation: 7, rules: LevelRules([rule, try LevelRule("*=debug")])).encoded()
    let header = Structure(bytes: bytes, start: 0, rows: try Self.rows(under: "Levels"))
    #expect(try header.bytes("levelsMagic").elementsEqual("XFERLVL\u{1}".utf8))
    let expected: [(String, UInt64)] = [
      ("levelsVersion", 1), ("levelsHeaderSize", 40), ("ruleCount", 2), ("generation", 7), ("levelsSize", UInt64(bytes.count)),
      ("superseded", 0), ("levelsChecksum", UInt64(Self.checksum(bytes[40...], seed: Self.checksum(bytes[..<32])))),
    ]
    for (name, value) in expected { #expect(try header.number(name) == value, "\(name)") }
    let any = [0, 0, 1, 0] + Array("*".utf8) + [1, 0] + Array("*".utf8)
    let named = [1, 0, 11, 0] + Array("com.example".utf8) + [6, 0] + Array("日本".utf8)
    #expect(Array(bytes[40...]) == any + named)
  }
}
