import CXferPlatform
import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that sealed segments take less space and contain the same events.
struct SealTests {
  private let test = TestLog()

  /// Returns the text of all events, in reading order.
  private func statements(_ read: LogContents) -> [String] {
    read.events.map { "\($0.reference) \($0.moment) \($0.thread ?? 0) \($0.layout.name) \($0.level) \($0.values)" }
  }

  private func seal() -> [LogSealer.Outcome] { LogSealer(directory: test.directory).seal() }

  private func sizes(_ outcomes: [LogSealer.Outcome]) throws -> [LogSealer.Sizes] { try outcomes.map { try $0.result.get() } }

  /// Writes events of several threads over several segments, with one event larger than a chunk.
  private func write(appends: Bool = false, closes: Bool = true) throws {
    let log = try test.open { $0.forcesAppending = appends }
    for thread in 0..<2 { SystemThread { Workload.emit(thread, numbers: 0..<5000, to: log) }.join() }
    log.emit(AppNoted(intent: "large", message: String(repeating: "大きい ", count: 9000)))
    if closes { log.close() }
  }

  @Test(arguments: [false, true])
  func `A sealed log contains the same events in less than a seventh of the space`(appends: Bool) throws {
    try write(appends: appends)
    let before = test.read()
    let sealed = try sizes(seal())
    #expect(sealed.count == test.segments.count && sealed.count >= 3)
    let after = test.read()
    #expect(statements(after) == statements(before))
    #expect(after.gaps == before.gaps && after.gaps.isEmpty && after.problems.isEmpty)
    let bytes = (sealed.reduce(0) { $0 + $1.before }, sealed.reduce(0) { $0 + $1.after })
    #expect(bytes.1 * 7 < bytes.0, "\(bytes)")
    #expect(test.segments.map { try? contents(of: $0).count } == sealed.map(\.after))
    // Sealed segments are not sealed again.
    #expect(seal().isEmpty)
  }

  @Test func `Sealing the same bytes twice produces the same bytes`() throws {
    try write()
    let original = try test.segments.map { try contents(of: $0) }
    _ = seal()
    let first = try test.segments.map { try contents(of: $0) }
    for (path, bytes) in zip(test.segments, original) { try XferLogStoreTests.write(bytes, to: path) }
    _ = seal()
    #expect(try test.segments.map { try contents(of: $0) } == first)
  }

  @Test func `A segment in use is not sealed, but one that all threads have left is`() throws {
    let log = try test.open()
    Workload.emit(0, numbers: 0..<20_000, to: log)
    let open = try #require(test.segments.last)
    let before = statements(test.read())
    let outcomes = seal()
    #expect(outcomes.map(\.path) == Array(test.segments.dropLast()))
    #expect(!outcomes.map(\.path).contains(open))
    #expect(statements(test.read()) == before)
    Workload.emit(0, numbers: 20_000..<20_100, to: log)
    log.close()
    #expect(test.read().numbers[0] == Array(0..<20_100))
  }

  @Test func `A torn record, a damaged record and a lost chunk are the same gaps after sealing`() throws {
    try write()
    let path = test.segment(2)
    var bytes = try contents(of: path)
    // Damage a record in the middle of one chunk and both headers of another, and add a record without commit word at the
    // end of a third.
    bytes[SegmentFormat.chunkOffset(1) + 9000] ^= 0x10
    for place in [0, SegmentFormat.recordsEnd(span: 1)] { bytes[SegmentFormat.chunkOffset(3) + place + 20] ^= 1 }
    let torn = try #require(tornPlace(in: bytes))
    bytes[torn + 20] = 7
    try XferLogStoreTests.write(bytes, to: path)
    let before = test.read()
    #expect(before.gaps.count >= 3 && before.gaps.contains { $0.cause == .torn })
    #expect(seal().allSatisfy { (try? $0.result.get()) != nil })
    let after = test.read()
    #expect(statements(after) == statements(before))
    #expect(after.gaps.map(\.cause) == before.gaps.map(\.cause))
    #expect(after.gaps.map(\.sequences) == before.gaps.map(\.sequences))
  }

  /// Returns the offset at which the next record of the last lane's last chunk would begin.
  private func tornPlace(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { file in
      guard let header = try? SegmentHeader.decode(file).get() else { return nil }
      for index in (0..<(file.count - SegmentFormat.headerSize) / SegmentFormat.chunkSize).reversed() {
        let start = SegmentFormat.chunkOffset(index)
        guard let chunk = ChunkHeader.decode(file.baseAddress! + start, index: UInt32(index), nonce: header.nonce),
          chunk.kind == .records
        else { continue }
        let records = UnsafeRawBufferPointer(rebasing: file[start..<start + SegmentFormat.recordsEnd(span: 1)])
        var walker = RecordWalker(chunk: records, header: chunk, isAppended: false)
        while case .record = walker.next(isFinal: false) {}
        if case .notYet = walker.next(isFinal: false) { return start + walker.offset }
      }
      return nil
    }
  }

  @Test func `The end of a killed writer can still be recorded after its segment is sealed`() throws {
    let process = ProcessIdentity(
      pid: 0x3FFF_FFF0, start: 1, namespace: ProcessIdentity.current().namespace, boot: ProcessIdentity.current().boot,
      executable: "gone")
    let dead = try test.open { $0.process = process }
    dead.emit(thread: 0, number: 0)
    #expect(try sizes(seal()).count == 1)
    let next = try test.open()
    next.close()
    #expect(test.read().events(.processExitObserved).count == 1)
    withExtendedLifetime(dead) {}
  }

  @Test func `A cancelled sealer leaves the segment unchanged, and drafts of killed sealers are removed`() throws {
    try write()
    let before = try contents(of: test.segment(1))
    let draft = "\(test.segment(1)).1073741808-0\(LogDirectory.draftSuffix)"
    try XferLogStoreTests.write(before.prefix(5000), to: draft)
    let read = statements(test.read())
    var asked = 0
    let stopped = LogSealer(directory: test.directory) {
      asked += 1
      return asked > 4
    }
    #expect(stopped.seal().isEmpty)
    #expect(try contents(of: test.segment(1)) == before)
    #expect(LogDirectory.names(in: test.directory).allSatisfy { !$0.hasSuffix(LogDirectory.draftSuffix) })
    #expect(statements(test.read()) == read)
  }

  @Test func `Several threads may seal one log at the same time`() throws {
    try write()
    let before = statements(test.read())
    let outcomes = Mutex<[LogSealer.Outcome]>([])
    let directory = test.directory
    SystemThread.run(8) { _ in
      let own = LogSealer(directory: directory).seal()
      outcomes.withLock { $0 += own }
    }
    #expect(outcomes.withLock { $0 }.allSatisfy { (try? $0.result.get()) != nil })
    #expect(statements(test.read()) == before)
    #expect(LogDirectory.names(in: test.directory).allSatisfy { !$0.hasSuffix(LogDirectory.draftSuffix) })
  }

  @Test func `A sealed copy that differs does not replace the segment`() throws {
    try write()
    let original = test.segment(1)
    var bytes = try contents(of: original)
    // Damage a record in both chunks, because either may be the dictionary.
    for chunk in 0..<2 { bytes[SegmentFormat.chunkOffset(chunk) + 100] ^= 1 }
    let changed = test.path("changed.seg")
    try XferLogStoreTests.write(bytes, to: changed)
    #expect(LogSealer.reads(original, like: original))
    #expect(!LogSealer.reads(original, like: changed))
  }

  @Test func `A sealed segment without its header, index or trailer still contains all events`() throws {
    try write()
    let before = statements(test.read())
    #expect(try sizes(seal()).count == test.segments.count)
    for path in test.segments.prefix(2) {
      let bytes = try contents(of: path)
      let trailer = try #require(SealTrailer.decode(endOf: SegmentBytes(bytes)))
      let index = Int(trailer.indexOffset)..<Int(trailer.indexOffset) + Int(trailer.storedSize)
      let end = bytes.count - SealTrailer.size..<bytes.count
      for damage in [[0..<SegmentFormat.headerSize], [index], [end], [32..<40, index], [0..<4096, end]] as [[Range<Int>]] {
        var damaged = bytes
        for place in damage.joined() { damaged[place] = 0 }
        try XferLogStoreTests.write(damaged, to: path)
        let read = test.read()
        #expect(statements(read) == before, "\(damage)")
        #expect(read.problems.isEmpty, "\(damage)")
      }
      // The headers of the blocks are also stored in the index.
      var damaged = bytes
      for entry in try #require(bytes.withUnsafeBytes { SealedBlocks.index(of: SegmentBytes(viewing: $0), nonce: nil) }).entries {
        damaged[Int(entry.offset) + 30] ^= 1
      }
      try XferLogStoreTests.write(damaged, to: path)
      #expect(statements(test.read()) == before)
      try XferLogStoreTests.write(bytes, to: path)
    }
  }

  @Test func `A damaged block loses its chunk and reports the missing positions`() throws {
    try write()
    let before = test.read()
    _ = seal()
    let path = test.segment(2)
    let bytes = try contents(of: path)
    let index = try #require(bytes.withUnsafeBytes { SealedBlocks.index(of: SegmentBytes(viewing: $0), nonce: nil) })
    // Skip chunks that a lane left without using them.
    for entry in index.entries where entry.block.chunk.kind == .records && entry.block.positions > 0 {
      var damaged = bytes
      damaged[Int(entry.offset) + BlockHeader.size + 11] ^= 0x40
      try XferLogStoreTests.write(damaged, to: path)
      let read = test.read()
      let gap = try #require(read.gaps.first)
      #expect(read.gaps.count == 1)
      #expect(gap.sequences == entry.block.chunk.firstSequence..<entry.block.nextSequence)
      #expect(gap.lane == entry.block.chunk.lane)
      #expect(gap.bytes == entry.extent)
      // All other events are unchanged. Some positions belong to the format's own records.
      let present = Set(read.events.map(\.reference))
      let lost = Set(before.events.map(\.reference)).subtracting(present)
      #expect(read.wrong.isEmpty && present.count == read.events.count)
      #expect(lost.count <= Int(entry.block.positions) && lost.count + 2 >= Int(entry.block.positions))
    }
  }

  @Test func `A truncated sealed segment contains all events before the end and is reported as truncated`() throws {
    try write()
    let before = Set(statements(test.read()))
    _ = seal()
    let path = test.segment(1)
    let bytes = try contents(of: path)
    var last = -1
    for cut in stride(from: 4096, to: bytes.count, by: 499) {
      try XferLogStoreTests.write(bytes.prefix(cut), to: path)
      let read = LogContents([.segment(path)])
      #expect(before.isSuperset(of: statements(read)), "cut at \(cut)")
      #expect(read.gaps.contains { $0.cause == .truncated } || !read.problems.isEmpty, "cut at \(cut)")
      #expect(read.events.count >= last, "cut at \(cut)")
      last = read.events.count
    }
    #expect(last > 0)
  }

  @Test func `An index that describes other blocks is not used to select events`() throws {
    let log = try test.open()
    for thread in 0..<4 { Workload.emit(thread, numbers: 0..<500, to: log) }
    log.close()
    _ = seal()
    let path = try #require(test.segments.first)
    var bytes = try contents(of: path)
    let index = try #require(SealedBlocks.index(of: SegmentBytes(path: path), nonce: nil))
    // A block that was written by another thread than the index says. Both checksums are valid.
    var entry = try #require(index.entries.first { $0.block.chunk.kind == .records && !$0.content.tasks.isEmpty })
    entry.block.chunk.thread &+= 1
    bytes.withUnsafeMutableBytes {
      entry.block.write(to: .init(rebasing: $0[Int(entry.offset)..<Int(entry.offset) + BlockHeader.size]))
    }
    try XferLogStoreTests.write(bytes, to: path)
    let all = test.read()
    #expect(all.events.contains { $0.thread == entry.block.chunk.thread })
    var selection = BlockSelection()
    selection.isTaskWanted = { _ in true }
    let reader = LogReader([.directory(test.directory)], isFollowing: false, selection: selection)
    let selected = reader.compactMap { if case .event(let event) = $0, event.task != nil { event } else { nil } }
    let expected = all.events.filter { $0.task != nil }
    #expect(selected.map { "\($0.reference) \($0.thread ?? 0)" } == expected.map { "\($0.reference) \($0.thread ?? 0)" })
    #expect(!expected.isEmpty)
  }

  @Test func `Exactly the blocks without wanted events are skipped`() throws {
    let clock = TestClock(step: 1_000_000)
    let log = try test.open { $0.clock = clock.clock }
    // Write one task after another, so that each is in few blocks.
    for thread in 0..<20 { Workload.emit(thread, numbers: 0..<500, to: log) }
    log.close()
    let all = test.read().events
    #expect(seal().count == test.segments.count)
    func read(_ selection: BlockSelection) -> (events: [RecordedEvent], passedOver: Int) {
      let reader = LogReader([.directory(test.directory)], isFollowing: false, selection: selection)
      let events = reader.compactMap { if case .event(let event) = $0 { event } else { nil } }
      return (events, reader.passedOver)
    }
    func check(
      _ selection: BlockSelection, _ isWanted: (RecordedEvent) -> Bool, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
      let (events, passedOver) = read(selection)
      let wanted = all.filter(isWanted).map(\.reference)
      #expect(events.filter(isWanted).map(\.reference) == wanted, sourceLocation: sourceLocation)
      #expect(!wanted.isEmpty && passedOver > all.count / 2, "\(passedOver) of \(all.count)", sourceLocation: sourceLocation)
      #expect(events.count + passedOver >= all.count, sourceLocation: sourceLocation)
    }
    var selection = BlockSelection()
    selection.isTaskWanted = { $0.number == 7 }
    check(selection) { $0.task?.number == 7 }
    selection.wantedNumber = 7
    check(selection) { $0.task?.number == 7 }
    // With the number of another task, no block is wanted.
    selection.wantedNumber = 8
    #expect(!read(selection).events.contains { $0.task?.number == 7 })
    selection = BlockSelection()
    selection.since = all[all.count / 2].wall
    selection.until = all[all.count / 2 + 700].wall
    check(selection) { ($0.wall ?? .init(nanoseconds: 0)) >= selection.since! && $0.wall! < selection.until! }
    selection = BlockSelection()
    selection.levels = 1 << Level.fault.rawValue
    #expect(read(selection).events.isEmpty)
  }
}
