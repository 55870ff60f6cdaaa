import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that a reader bounds a gap by the times between which its records were written, and by the writers that may have written them,
/// and that damage without a lost event is no gap.
struct GapReachTests {
  private let test = TestLog()

  /// Writes a log with one thread.
  private func write(closes: Bool = true, tasks: Int = 0) throws -> EventLog {
    let log = try test.open()
    Workload.emit(0, numbers: 0..<20, to: log)
    if closes { log.close() }
    return log
  }

  private func read(_ edit: (inout [UInt8], SegmentDraft) throws -> Void) throws -> LogContents {
    var bytes = try contents(of: test.segment(1))
    try edit(&bytes, SegmentDraft(bytes))
    return LogContents([.segment(try test.write(bytes))])
  }

  private func flaws() -> [String] {
    LogReader([.directory(test.directory)]).examinations.flatMap { $0.flaws.map(\.text) }
  }

  @Test func `Damage in a lane lies between the events before and after it`() throws {
    _ = try write()
    let whole = test.read()
    let read = try read { bytes, draft in
      let records = try #require(draft.chunks.first { !$0.isDictionary }).records
      bytes[records[10].bytes.lowerBound + 20] ^= 1
    }
    let gap = try #require(read.gaps.first)
    let lost = try #require(whole.events.firstIndex { event in !read.events.contains { $0.reference == event.reference } })
    #expect(gap.after?.monotonic == whole.events[lost - 1].monotonic)
    #expect(gap.before?.monotonic == whole.events[lost + 1].monotonic)
    #expect(gap.before?.wall == whole.events[lost + 1].wall)
  }

  @Test func `A file that is truncated in space that no chunk uses has lost nothing`() throws {
    let log = try write(closes: false)
    let (whole, path) = (test.read(), test.segment(1))
    let bytes = try contents(of: path)
    try Data(bytes[..<(bytes.count - SegmentFormat.chunkSize)]).write(to: URL(fileURLWithPath: path))
    let read = test.read()
    #expect(read.gaps.isEmpty && read.events.count == whole.events.count)
    #expect(flaws() == ["the file is truncated, but contains every record"])
    withExtendedLifetime(log) {}
  }

  @Test func `The records of a truncated chunk follow those that are left of it`() throws {
    // The lane fills more than one chunk, so that the last chunk of the file is its own and not that of the definitions.
    let log = try test.open()
    Workload.emit(0, numbers: 0..<700, to: log)
    log.close()
    let whole = test.read()
    let read = try read { bytes, draft in
      let last = try #require(draft.chunks.last)
      try #require(!last.isDictionary && last.records.count > 3)
      bytes.removeSubrange(last.records[last.records.count - 3].bytes.upperBound...)
    }
    let gap = try #require(read.gaps.first { $0.cause == .truncated })
    #expect(gap.after?.monotonic == read.events.last?.monotonic)
    #expect(read.events.count == whole.events.count - 2)
  }

  @Test(arguments: Array(0..<SealTrailer.size))
  func `A sealed segment with a damaged trailer is not truncated`(byte: Int) throws {
    _ = try write()
    let whole = test.read()
    var bytes = try sealedSegment(contents(of: test.segment(1)), compresses: false)
    bytes[bytes.count - SealTrailer.size + byte] ^= 4
    let read = LogContents([.segment(try test.write(bytes))])
    #expect(read.events.count == whole.events.count)
    #expect(read.gaps.isEmpty, "\(read.gaps)")
  }

  @Test func `A sealed segment that lacks its trailer is truncated`() throws {
    _ = try write()
    var bytes = try sealedSegment(contents(of: test.segment(1)), compresses: false)
    bytes.removeLast(SealTrailer.size)
    #expect(LogContents([.segment(try test.write(bytes))]).gaps.map(\.cause) == [.truncated])
  }

  @Test func `Erased definitions are a loss if an event uses one of them`() throws {
    _ = try write()
    let read = try read { bytes, draft in
      let dictionary = try #require(draft.chunks.first { $0.isDictionary }).records
      for place in dictionary[1].bytes.lowerBound..<dictionary[dictionary.count - 1].bytes.upperBound { bytes[place] = 0 }
    }
    #expect(read.gaps.contains { $0.cause == .damaged(problem: "definitions of names or tasks cannot be read") }, "\(read.gaps)")
  }

  @Test func `A damaged definition that no event uses is no loss`() throws {
    _ = try write()
    let path = test.segment(1)
    var bytes = try contents(of: path)
    // The first record of the dictionary is a copy of the segment's header.
    let copy = try #require(SegmentDraft(bytes).chunks.first { $0.isDictionary }).records[0]
    bytes[copy.bytes.lowerBound + 40] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(test.read().gaps.isEmpty)
    #expect(flaws() == ["definitions that no event uses are damaged"])
    guard case .problem? = LogReader([.directory(test.directory)], recovery: .strict).flaw else {
      Issue.record("the log is not intact")
      return
    }
  }

  @Test func `A missing segment of unknown writer is not one of the writers that have all their segments`() throws {
    for _ in 1...3 { _ = try write() }
    let writers = LogReader([.directory(test.directory)]).segments.map(\.header.launch)
    unlink(test.segment(2))
    let gap = try #require(test.read().gaps.first)
    #expect(gap.cause == .missingSegments(2...2) && gap.launch == nil)
    #expect(Set(gap.excluded) == [writers[0], writers[2]])
  }

  @Test func `A segment that cannot be read is a gap`() throws {
    for _ in 1...2 { _ = try write() }
    try Data([UInt8](repeating: 7, count: 100)).write(to: URL(fileURLWithPath: test.segment(2)))
    try Data(contents(of: test.segment(1)).prefix(1000)).write(to: URL(fileURLWithPath: test.segment(3)))
    let read = test.read()
    #expect(read.gaps.contains { $0.cause == .missingSegments(2...2) })
    #expect(read.gaps.contains { $0.name == "000003.seg" && $0.launch == nil }, "\(read.gaps)")
  }

  @Test func `Salvaging reports a chunk that was erased`() throws {
    let log = try write(closes: false)
    let path = test.segment(1)
    var bytes = try contents(of: path)
    let chunk = try #require(SegmentDraft(bytes).chunks.first { !$0.isDictionary })
    let start = try #require(chunk.records.first).bytes.lowerBound - ChunkHeader.size
    for place in start..<start + SegmentFormat.chunkSize { bytes[place] = 0 }
    let damaged = test.path("damaged.xlog")
    try FileManager.default.createDirectory(atPath: damaged, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(damaged)/000001.seg"))
    let reader = LogReader([.directory(damaged)], recovery: .salvage)
    var gaps: [LogGap] = []
    while let member = reader.next() { if case .gap(let gap) = member { gaps.append(gap) } }
    #expect(!gaps.isEmpty)
    withExtendedLifetime(log) {}
  }
}
