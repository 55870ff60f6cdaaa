import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of scans and of the columns of sealed blocks: what is decoded, and what follows from damaged and forged columns.
struct ColumnTests {
  /// Collects what a scan hands out, as texts.
  private final class Receiver: ScanReceiver {
    private let wanted: (UnsafePointer<LayoutTable>) -> ScannedParts
    private(set) var wholes: [String] = []
    private(set) var times: [String] = []
    private(set) var values: [String] = []
    private(set) var kinds: [String: Int] = [:]
    private(set) var ignored = 0

    init(_ wanted: @escaping (UnsafePointer<LayoutTable>) -> ScannedParts) { self.wanted = wanted }

    func begin(_ source: RecordSource) {}
    func parts(of layout: UnsafePointer<LayoutTable>) -> ScannedParts { wanted(layout) }
    func ignore(_ count: Int) { ignored += count }

    func take(_ event: EventView, count: Int) {
      switch wanted(event.layout.table) {
      case .kind: kinds[event.layout.name, default: 0] += count
      case .time: times.append(ColumnTests.time(event))
      case .fields: values.append(ColumnTests.values(event))
      case .whole: wholes.append(ColumnTests.whole(event))
      default: Issue.record("an ignored event is handed out")
      }
    }
  }

  private struct Result {
    var wholes: [String] = []
    var times: [String] = []
    var values: [String] = []
    var kinds: [String: Int] = [:]
    var ignored = 0
    /// The events that the reader returned because they were not scanned.
    var rest: [RecordedEvent] = []
    var gaps: [LogGap] = []
    var blocks = BlockCounts()

    var count: Int { wholes.count + times.count + values.count + kinds.values.reduce(0, +) + ignored + rest.count }
  }

  private static func time(_ event: EventView) -> String { "\(event.reference) \(event.moment) \(event.layout.name)" }
  private static func values(_ event: EventView) -> String { "\(event.layout.name) \(event.level) \(event.values)" }
  private static func whole(_ event: EventView) -> String { "\(time(event)) \(event.thread ?? 0) \(values(event))" }

  private static func scan(
    _ input: LogReader.Input, threads: Int = 2, _ wanted: @escaping (UnsafePointer<LayoutTable>) -> ScannedParts
  ) -> Result {
    let scan = BlockScan(threads: threads, isCancelled: { false }, receivers: { Receiver(wanted) })
    var selection = BlockSelection()
    selection.scan = scan
    let reader = LogReader([input], isFollowing: false, selection: selection)
    var result = Result()
    while let member = reader.next() {
      switch member {
      case .event(let event): result.rest.append(event)
      case .gap(let gap): result.gaps.append(gap)
      }
    }
    for case let receiver as Receiver in scan.receivers {
      result.wholes += receiver.wholes
      result.times += receiver.times
      result.values += receiver.values
      result.kinds.merge(receiver.kinds, uniquingKeysWith: +)
      result.ignored += receiver.ignored
    }
    result.blocks = reader.blocks
    return result
  }

  /// Writes events of two threads over several segments, and seals them.
  private static func sealedLog() throws -> TestLog {
    let test = TestLog()
    let log = try test.open()
    for thread in 0..<2 { SystemThread { Workload.emit(thread, numbers: 0..<4000, to: log) }.join() }
    log.emit(AppNoted(intent: "large", message: String(repeating: "大きい ", count: 9000)))
    log.close()
    for outcome in LogSealer(directory: test.directory).seal() { _ = try outcome.result.get() }
    return test
  }

  // MARK: Scans

  @Test(arguments: [1, 2])
  func `A scan hands out what a reader returns, as far as its receiver asks for it`(threads: Int) throws {
    let test = try Self.sealedLog()
    let read = test.read().events
    func log(_ wanted: @escaping (UnsafePointer<LayoutTable>) -> ScannedParts) -> Result {
      Self.scan(.directory(test.directory), threads: threads, wanted)
    }
    let whole = log { _ in .whole }
    // The large event has a block of its own that is not stored as columns, and one block has the beginning of the second thread.
    #expect(whole.rest.count < read.count / 4 && whole.rest.contains { $0.kind == .appNoted })
    #expect((whole.wholes + whole.rest.map { Self.whole($0.view) }).sorted() == read.map { Self.whole($0.view) }.sorted())
    #expect(whole.blocks.scanned.all > 10 && whole.blocks.scanned.partly == 0)

    let times = log { _ in .time }
    #expect((times.times + times.rest.map { Self.time($0.view) }).sorted() == read.map { Self.time($0.view) }.sorted())
    // A block without events has no columns, and a segment may have one.
    let withoutColumns = times.blocks.scanned.all - times.blocks.scanned.partly
    #expect(withoutColumns <= test.segments.count, "\(times.blocks.scanned)")
    #expect(times.blocks.scanned.all == whole.blocks.scanned.all)

    let values = log { _ in .fields }
    #expect((values.values + values.rest.map { Self.values($0.view) }).sorted() == read.map { Self.values($0.view) }.sorted())
    #expect(values.blocks.scanned.partly == times.blocks.scanned.partly)

    let kinds = log { _ in .kind }
    var expected: [String: Int] = [:]
    for event in read { expected[event.layout.name, default: 0] += 1 }
    for event in kinds.rest { expected[event.layout.name, default: 0] -= 1 }
    #expect(kinds.kinds == expected.filter { $0.value > 0 })
    #expect(kinds.blocks.scanned.partly == times.blocks.scanned.partly)

    // Each kind can ask for other parts.
    let parts: [String: ScannedParts] = [
      "attempt.bytesReceived": .time, "attempt.redirectReceived": .kind, "delivery.entered": [], "app.noted": .fields,
    ]
    let mixed = log { parts[$0.pointee.layout.name] ?? .whole }
    #expect(mixed.count == read.count && mixed.gaps.isEmpty)
    #expect(mixed.ignored > 1000 && mixed.kinds.count > 0 && mixed.times.count > 0 && mixed.wholes.count > 0)
    #expect(mixed.values.count > 0 && Set(mixed.values).isSubset(of: values.values))
    #expect(Set(mixed.wholes).isSubset(of: whole.wholes) && Set(mixed.times).isSubset(of: times.times))
  }

  @Test func `A segment that an older version sealed has no columns and is scanned as a whole`() throws {
    let folder = URL(fileURLWithPath: FormatSample.folder).deletingLastPathComponent()
    let revisions = [
      ("v1.1-vocabulary-3", false), ("v1.2-vocabulary-4", true), ("v1.3-vocabulary-5", true), ("v1.4-vocabulary-5", true),
    ]
    for (revision, hasColumns) in revisions {
      let log = LogReader.Input.directory(folder.appendingPathComponent("\(revision)/sealed.xlog").path)
      let kinds = Self.scan(log) { _ in .kind }
      #expect(kinds.count == 52 && kinds.blocks.scanned.all > 0, "\(revision)")
      #expect((kinds.blocks.scanned.partly > 0) == hasColumns, "\(revision)")
    }
  }

  @Test func `A cancelled scan leaves its blocks to the reader`() throws {
    let test = try Self.sealedLog()
    let scan = BlockScan(threads: 2, isCancelled: { true }, receivers: { Receiver { _ in .whole } })
    var selection = BlockSelection()
    selection.scan = scan
    let reader = LogReader([.directory(test.directory)], isFollowing: false, selection: selection)
    #expect(reader.count { if case .event = $0 { true } else { false } } == test.read().events.count)
  }

  // MARK: Damage

  @Test func `A damaged block is lost for a scan as for a reader, and is reported once`() throws {
    let test = try Self.sealedLog()
    let path = test.segment(2)
    let pristine = try contents(of: path)
    for seed in seeds(10, campaign: 1000) {
      var random = SeededRandom(seed: seed)
      var bytes = pristine
      let bit = Int.random(in: SegmentFormat.headerSize * 8..<bytes.count * 8, using: &random)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      try XferLogStoreTests.write(bytes, to: path)
      let read = LogContents([.segment(path)])
      for part in [ScannedParts.kind, .time, .fields, .whole] {
        let scanned = Self.scan(.segment(path)) { _ in part }
        #expect(scanned.count == read.events.count, "seed \(seed), \(part)")
        #expect(scanned.gaps.map(\.sequences) == read.gaps.map(\.sequences), "seed \(seed), \(part)")
      }
    }
  }

  /// Returns a segment with changed block headers whose checksums and whose hash chain are valid.
  private static func forged(_ sealed: [UInt8], _ change: (Int, inout BlockHeader) -> Void) throws -> [UInt8] {
    let file = SegmentBytes(sealed)
    var index = try #require(SealedBlocks.index(of: file, nonce: nil))
    var trailer = try #require(SealTrailer.decode(endOf: file))
    var bytes = Array(sealed[..<Int(trailer.indexOffset)])
    for number in index.entries.indices {
      change(number, &index.entries[number].block)
      let start = Int(index.entries[number].offset)
      bytes.withUnsafeMutableBytes {
        index.entries[number].block.write(to: .init(rebasing: $0[start..<start + BlockHeader.size]))
      }
    }
    let stored = index.encoded()
    var chain = HashChain(from: try #require(index.entries.last).block.chain)
    stored.withUnsafeBytes { chain.append([$0]) }
    trailer.last = chain.last
    (trailer.storedSize, trailer.decodedSize, trailer.codec) = (UInt32(stored.count), UInt32(stored.count), .stored)
    trailer.checksum = stored.withUnsafeBytes { Checksum.crc32c($0) }
    var end = [UInt8](repeating: 0, count: SealTrailer.size)
    end.withUnsafeMutableBytes { trailer.write(to: $0) }
    return bytes + stored + end
  }

  @Test func `Forged columns are found by verify, and change nothing that a scan hands out`() throws {
    let test = try Self.sealedLog()
    let path = test.segment(2)
    let pristine = try contents(of: path)
    func flaws() -> [String] { LogReader([.segment(path)]).examinations.flatMap(\.flaws).map(\.text) }
    try XferLogStoreTests.write(try Self.forged(pristine) { _, _ in }, to: path)
    #expect(flaws().isEmpty)
    let read = LogContents([.segment(path)]).events
    let expected = read.map { Self.whole($0.view) }.sorted()
    for seed in seeds(12, campaign: 2000) {
      var random = SeededRandom(seed: seed)
      var changed = 0
      let bytes = try Self.forged(pristine) { number, block in
        let before = block.columns
        guard block.columns.isPlain, Int.random(in: 0..<4, using: &random) == 0 || number == 5 else { return }
        let size = [0, 1, 2, .max, UInt16.random(in: 0...UInt16.max, using: &random)].randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0: block.columns.kindsSize = size
        case 1: block.columns.timesSize = size
        case 2: block.columns.kindsSize = block.columns.kindsSize &+ block.columns.timesSize
        default:
          block.columns.kindsSize &+= UInt16(truncatingIfNeeded: Int.random(in: -3...3, using: &random))
        }
        changed += block.columns == before ? 0 : 1
      }
      try XferLogStoreTests.write(bytes, to: path)
      let texts = flaws()
      #expect(texts.count == changed && texts.allSatisfy { $0.contains("columns") }, "seed \(seed): \(texts)")
      let scanned = Self.scan(.segment(path)) { _ in .whole }
      #expect((scanned.wholes + scanned.rest.map { Self.whole($0.view) }).sorted() == expected, "seed \(seed)")
      #expect(Self.scan(.segment(path)) { _ in .kind }.count == read.count, "seed \(seed)")
      #expect(LogContents([.segment(path)]).events.count == read.count, "seed \(seed)")
    }
    // A wrong set of kinds hides events from readers that look for a kind.
    let bytes = try Self.forged(pristine) { _, block in
      if block.columns.isPlain { block.columns.kinds = KindSet(bits: block.columns.kinds.bits ^ 1 << 63) }
    }
    try XferLogStoreTests.write(bytes, to: path)
    #expect(flaws().count > 5)
  }

  @Test func `Retention and salvage leave valid columns`() throws {
    let test = TestLog()
    let log = try test.open { $0.lowestLevel = .debug }
    let logger = EventLogger(subsystem: "a", category: "b", log: log)
    for number in 0..<2000 {
      if number < 1000, number % 2 == 0 { logger.debug("line \(number)") } else { logger.error("line \(number)") }
    }
    log.close()
    for outcome in LogSealer(directory: test.directory).seal() { _ = try outcome.result.get() }
    let whole = Self.scan(.directory(test.directory)) { _ in .kind }
    #expect(whole.blocks.scanned.partly > 1)
    for segment in LogDirectory.segments(in: test.directory) {
      _ = try LogSealer(directory: test.directory).thin(segment.path, number: segment.number, lowest: .default)
    }
    let thinned = Self.scan(.directory(test.directory)) { _ in .kind }
    #expect(thinned.count == whole.count - 500 && thinned.gaps.isEmpty)
    // A block from which records were removed is read by its lane's reader, which knows the positions of the removed ones.
    #expect(thinned.blocks.scanned.all > 0 && thinned.blocks.scanned.all < whole.blocks.scanned.all)
    let output = test.path("salvaged.xlog")
    for outcome in try LogSalvager([.directory(test.directory)], to: output).salvage() { _ = try outcome.result.get() }
    let salvaged = Self.scan(.directory(output)) { _ in .kind }
    #expect(salvaged.count == thinned.count && salvaged.blocks.scanned.partly > 0)
    for directory in [test.directory, output] {
      #expect(LogReader([.directory(directory)]).examinations.flatMap(\.flaws) == [])
    }
  }
}
