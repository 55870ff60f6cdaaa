import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// A segment after something happened to its bytes.
///
/// One log is written and kept as bytes; each trial damages a copy. Whatever is read must be what was written, and what
/// is missing must be reported.
struct DamageTests {
  /// What one event of the pristine log said, found by its place.
  private struct Place: Hashable {
    let launch: LaunchID?
    let lane: UInt32
    let sequence: UInt64
  }

  private struct Statement: Equatable {
    let name: String
    let monotonic: Int64?
    let thread: UInt32?
    let values: [RecordedValue]

    init(_ event: RecordedEvent) {
      name = event.layout.name
      monotonic = event.monotonic
      thread = event.thread
      values = event.values.map(\.value)
    }
  }

  private struct Pristine {
    let bytes: [UInt8]
    let statements: [Place: Statement]
    let chunks: Int
    var total: Int { statements.count }
  }

  /// More events than any chunk holds.
  private static let chunkfull = 1000

  private static func place(_ event: RecordedEvent) -> Place {
    guard case .record(_, let lane, let sequence) = event.reference else { preconditionFailure("a record of a segment") }
    return Place(launch: event.source.writer.launch, lane: lane, sequence: sequence)
  }

  /// Two threads, three chunks and a large event, closed; about 150 KiB.
  private static func pristine(appends: Bool = false, closes: Bool = true) throws -> Pristine {
    let test = TestLog()
    let log = try test.open { $0.forcesAppending = appends }
    Workload.emit(0, numbers: 0..<500, to: log)
    SystemThread { Workload.emit(1, numbers: 0..<500, to: log) }.join()
    log.emit(AppNoted(intent: "large", message: String(repeating: "large ", count: 6000)))
    Workload.emit(0, numbers: 500..<700, to: log)
    if closes { log.close() }
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(test.segments.count == 1)
    let bytes = try contents(of: test.segment(1))
    let used = closes ? bytes.count : SegmentFormat.fileSize(chunks: 7)
    withExtendedLifetime(log) {}
    return Pristine(
      bytes: Array(bytes[..<min(used, bytes.count)]),
      statements: Dictionary(uniqueKeysWithValues: read.events.map { (place($0), Statement($0)) }),
      chunks: (min(used, bytes.count) - SegmentFormat.headerSize) / SegmentFormat.chunkSize)
  }

  /// Reads damaged bytes and checks that nothing in them is invented.
  ///
  /// - Returns: what was read, and how many events are missing.
  @discardableResult
  private func read(
    _ bytes: some Sequence<UInt8>, of pristine: Pristine, _ trial: String
  ) throws -> (read: LogContents, missing: Int) {
    let directory = TemporaryDirectory()
    try write(bytes, to: directory.path("000001.seg"))
    let read = LogContents([.directory(directory.path)])
    var seen: Set<Place> = []
    for event in read.events {
      let place = Self.place(event)
      #expect(seen.insert(place).inserted, "\(trial): \(place) twice")
      let statement = Statement(event)
      if statement != pristine.statements[place] {
        // A name whose definition is lost is said to be unreadable, and the task of such a session has a mark for it.
        let isHonest = statement.values.contains(.unreadable) || event.task?.session == "?"
        #expect(isHonest && !read.gaps.isEmpty, "\(trial): \(place) says \(statement)")
        #expect(pristine.statements[place] != nil, "\(trial): \(place) was never written")
      }
    }
    return (read, pristine.total - read.events.count)
  }

  @Test(arguments: [false, true])
  func `A segment cut anywhere gives every record before the cut`(appends: Bool) throws {
    let pristine = try Self.pristine(appends: appends)
    let ends = records(of: pristine.bytes).filter(\.isEvent).map(\.bytes.upperBound).sorted()
    #expect(ends.count == pristine.total)
    let step = isCampaign ? 1 : appends ? 397 : 97
    let directory = TemporaryDirectory()
    let path = directory.path("000001.seg")
    try write(pristine.bytes, to: path)
    var cut = pristine.bytes.count
    while cut >= SegmentFormat.headerSize {
      truncate(path, off_t(cut))
      let reader = LogReader([.segment(path)])
      var (events, gaps) = (0, 0)
      while let member = reader.next() {
        switch member {
        case .event(let event):
          events += 1
          if pristine.statements[Self.place(event)] == nil { Issue.record("cut at \(cut): \(event.reference) was never written") }
        case .gap: gaps += 1
        }
      }
      let expected = ends.count { $0 <= cut }
      if events != expected { Issue.record("cut at \(cut): \(events) events of \(expected)") }
      if events < pristine.total, gaps == 0 { Issue.record("cut at \(cut): nothing is said to be missing") }
      #expect(reader.problems.isEmpty)
      // Every place where a record ends is one where the cut could go unnoticed.
      cut = max(cut - step, ends.last { $0 < cut && $0 > pristine.bytes.count - 2000 } ?? 0)
    }
    // Within the header there is nothing to read, and it says so.
    for cut in [4095, 1024, 100, 9, 8] {
      truncate(path, off_t(cut))
      let read = LogContents([.segment(path)])
      #expect(read.events.isEmpty)
      #expect(read.problems.map(\.error.code) == [.unfinished], "cut at \(cut)")
    }
  }

  /// Where records stand, by an independent walk after the format article's numbers.
  private func records(of bytes: [UInt8]) -> [(bytes: Range<Int>, isEvent: Bool)] {
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { offset + $1 < bytes.count ? $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) : $0 }
    }
    var records: [(Range<Int>, Bool)] = []
    var chunk = 4096
    while chunk + 64 < bytes.count {
      let (kind, span) = (word(chunk + 4), max(1, word(chunk + 20)))
      let end = chunk + Int(span) * 32_768
      var offset = chunk + 64
      while offset + 16 <= min(end - 64, bytes.count), word(offset) != 0, word(offset) != 0xFFFF_FFFF {
        let length = kind == 3 ? Int(word(offset + 16)) : Int(word(offset) & 0xFFFF) * 4
        let number = UInt16(word(offset + 12) >> 16)
        records.append((offset..<offset + length, kind != 2 && number < 0xFFF0))
        offset += length
      }
      chunk = end
    }
    return records
  }

  @Test func `A flipped bit never changes what is read, and costs at most its chunk`() throws {
    let pristine = try Self.pristine()
    let records = records(of: pristine.bytes)
    var inRecords = 0
    for seed in seeds(200, campaign: 2000) {
      var random = SeededRandom(seed: seed)
      var bytes = pristine.bytes
      let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let trial = "seed \(seed), bit \(bit % 8) of byte \(bit / 8)"
      let (read, missing) = try read(bytes, of: pristine, trial)
      #expect(read.problems.isEmpty, "\(trial)")
      #expect(missing <= Self.chunkfull, "\(trial): \(missing) events lost")
      if records.contains(where: { $0.bytes.contains(bit / 8) }) {
        inRecords += 1
        #expect(!read.gaps.isEmpty, "\(trial): not reported")
      } else {
        // Headers are there twice, and room that is not used says nothing.
        #expect(missing == 0, "\(trial): \(missing) events lost to a header or unused room")
      }
    }
    #expect(inRecords > 0)
  }

  @Test func `Many flips at once never change what is read`() throws {
    let pristine = try Self.pristine()
    for seed in seeds(40, campaign: 1000) {
      var random = SeededRandom(seed: 10_000 + seed)
      var bytes = pristine.bytes
      for _ in 0..<Int.random(in: 2...64, using: &random) {
        let byte = Int.random(in: SegmentFormat.headerSize..<bytes.count, using: &random)
        bytes[byte] ^= UInt8.random(in: 1...255, using: &random)
      }
      let (read, missing) = try read(bytes, of: pristine, "seed \(seed)")
      if missing > 0 { #expect(!read.gaps.isEmpty, "seed \(seed): \(missing) events lost in silence") }
    }
  }

  @Test func `Zeroed pages lose what stood there and say so`() throws {
    let pristine = try Self.pristine()
    for page in 1..<pristine.bytes.count / 4096 {
      var bytes = pristine.bytes
      for place in page * 4096..<(page + 1) * 4096 { bytes[place] = 0 }
      let (read, missing) = try read(bytes, of: pristine, "page \(page)")
      if missing > 0 { #expect(!read.gaps.isEmpty, "page \(page): \(missing) events lost in silence") }
      #expect(missing <= Self.chunkfull, "page \(page)")
    }
  }

  @Test func `Zeroed chunks lose what stood there and say so`() throws {
    let pristine = try Self.pristine()
    for chunk in 0..<pristine.chunks {
      var bytes = pristine.bytes
      let start = SegmentFormat.chunkOffset(chunk)
      for place in start..<start + SegmentFormat.chunkSize { bytes[place] = 0 }
      let (read, _) = try read(bytes, of: pristine, "chunk \(chunk)")
      #expect(!read.gaps.isEmpty, "chunk \(chunk)")
    }
  }

  @Test func `Swapped, doubled and foreign chunks are recognised`() throws {
    let (pristine, other) = (try Self.pristine(), try Self.pristine())
    func chunk(_ index: Int) -> Range<Int> {
      SegmentFormat.chunkOffset(index)..<SegmentFormat.chunkOffset(index) + SegmentFormat.chunkSize
    }
    for left in 0..<pristine.chunks {
      for right in 0..<pristine.chunks where right != left {
        var swapped = pristine.bytes
        swapped.replaceSubrange(chunk(left), with: pristine.bytes[chunk(right)])
        var doubled = swapped
        swapped.replaceSubrange(chunk(right), with: pristine.bytes[chunk(left)])
        let (read, _) = try read(swapped, of: pristine, "chunks \(left) and \(right) swapped")
        #expect(
          !read.gaps.isEmpty,
          "chunks \(left) and \(right) swapped, \(pristine.bytes[chunk(left)].prefix(24)) \(pristine.bytes[chunk(right)].prefix(24))"
        )
        try self.read(doubled, of: pristine, "chunk \(right) also at \(left)")
        // Only the records, under the right header: they belong to another chunk all the same.
        doubled.replaceSubrange(chunk(left).prefix(64), with: pristine.bytes[chunk(left).prefix(64)])
        try self.read(doubled, of: pristine, "records of chunk \(right) also in \(left)")
      }
      var foreign = pristine.bytes
      foreign.replaceSubrange(chunk(left), with: other.bytes[chunk(left)])
      // The end of the large text is the same in both, but for the copy of a header that is whole.
      if foreign[chunk(left).dropLast(64)] == pristine.bytes[chunk(left).dropLast(64)] { continue }
      let (read, missing) = try read(foreign, of: pristine, "foreign chunk \(left)")
      #expect(!read.gaps.isEmpty, "foreign chunk \(left)")
      #expect(missing <= Self.chunkfull)
      // With its header forged to fit.
      foreign.replaceSubrange(chunk(left).prefix(64), with: pristine.bytes[chunk(left).prefix(64)])
      try self.read(foreign, of: pristine, "foreign records in chunk \(left)")
    }
  }

  @Test func `Pages moved within a segment give nothing twice and nothing wrong`() throws {
    let pristine = try Self.pristine()
    let pages = pristine.bytes.count / 4096
    for seed in seeds(60, campaign: 2000) {
      var random = SeededRandom(seed: 20_000 + seed)
      let from = Int.random(in: 1..<pages, using: &random)
      let to = Int.random(in: 1..<pages, using: &random)
      var bytes = pristine.bytes
      bytes.replaceSubrange(to * 4096..<(to + 1) * 4096, with: pristine.bytes[from * 4096..<(from + 1) * 4096])
      let (read, missing) = try read(bytes, of: pristine, "seed \(seed): page \(from) also at \(to)")
      if missing > 0 { #expect(!read.gaps.isEmpty, "seed \(seed): page \(from) also at \(to)") }
    }
  }

  @Test func `Garbage behind the end changes nothing`() throws {
    for appends in [false, true] {
      let pristine = try Self.pristine(appends: appends)
      for seed in seeds(10, campaign: 200) {
        var random = SeededRandom(seed: 30_000 + seed)
        let garbage = random.bytes(Int.random(in: 1...70_000, using: &random))
        let (_, missing) = try read(pristine.bytes + garbage, of: pristine, "seed \(seed), appended \(appends)")
        #expect(missing == 0, "seed \(seed), appended \(appends)")
      }
    }
  }

  @Test func `Random bytes under a right header give nothing`() throws {
    let pristine = try Self.pristine()
    for seed in seeds(10, campaign: 500) {
      var random = SeededRandom(seed: 40_000 + seed)
      let bytes = pristine.bytes[..<SegmentFormat.headerSize] + random.bytes(pristine.bytes.count - SegmentFormat.headerSize)
      let (read, missing) = try read(bytes, of: pristine, "seed \(seed)")
      #expect(missing == pristine.total)
      #expect(read.gaps.count == pristine.chunks)
    }
  }

  @Test func `A segment left open is damaged no worse than a closed one`() throws {
    let pristine = try Self.pristine(closes: false)
    for seed in seeds(60, campaign: 1000) {
      var random = SeededRandom(seed: 50_000 + seed)
      var bytes = pristine.bytes
      let byte = Int.random(in: SegmentFormat.headerSize..<bytes.count, using: &random)
      bytes[byte] ^= UInt8.random(in: 1...255, using: &random)
      let (read, missing) = try read(bytes, of: pristine, "seed \(seed), byte \(byte)")
      if missing > 0 { #expect(!read.gaps.isEmpty, "seed \(seed), byte \(byte)") }
    }
  }

  @Test func `Events may be asked for anything in a damaged log`() throws {
    // Every value of every event, so that no accessor trusts a byte.
    let pristine = try Self.pristine()
    for seed in seeds(20, campaign: 1000) {
      var random = SeededRandom(seed: 60_000 + seed)
      var bytes = pristine.bytes
      // The dictionary's first chunk, where a lost definition is missed by many.
      let dictionary = (0..<pristine.chunks).first { bytes[SegmentFormat.chunkOffset($0) + 4] == 2 }
      let start = SegmentFormat.chunkOffset(try #require(dictionary)) + ChunkHeader.size
      for _ in 0..<20 { bytes[start + Int.random(in: 0..<12_000, using: &random)] ^= UInt8.random(in: 1...255, using: &random) }
      let (read, missing) = try read(bytes, of: pristine, "seed \(seed)")
      #expect(missing == 0, "seed \(seed): the events themselves are whole")
      #expect(!read.gaps.isEmpty, "seed \(seed)")
    }
  }
}
