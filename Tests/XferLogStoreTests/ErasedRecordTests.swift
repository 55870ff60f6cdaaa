import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that a reader notices records, chunks and segments that were erased, even if nothing follows them.
struct ErasedRecordTests {
  private let test = TestLog()

  /// Writes a log of one thread.
  private func write(closes: Bool = true, appends: Bool = false) throws -> EventLog {
    let log = try test.open { $0.forcesAppending = appends }
    Workload.emit(0, numbers: 0..<20, to: log)
    if closes { log.close() }
    return log
  }

  /// Returns the byte range of the first chunk of lane 1, without its header and the copy.
  private func records(_ bytes: [UInt8]) throws -> Range<Int> {
    for start in stride(from: SegmentFormat.headerSize, to: bytes.count, by: SegmentFormat.chunkSize) where bytes[start + 12] == 1
    {
      return start + ChunkHeader.size..<start + SegmentFormat.recordsEnd(span: 1)
    }
    throw CocoaError(.fileReadUnknown)
  }

  private func change(
    recovery: RecoveryMode = .tail, _ edit: (inout [UInt8], _ records: Range<Int>) throws -> Void
  ) throws -> LogContents {
    var bytes = try contents(of: test.segment(1))
    let records = try records(bytes)
    try edit(&bytes, records)
    return LogContents([.segment(try test.write(bytes))], recovery: recovery)
  }

  private static func erase(_ bytes: inout [UInt8], _ range: Range<Int>) { for place in range { bytes[place] = 0 } }

  @Test(arguments: [true, false])
  func `Erased records at the end of a chunk are damage, and their number is known`(closes: Bool) throws {
    let log = try write(closes: closes)
    let whole = test.read()
    #expect(whole.gaps.isEmpty && whole.events.count > 20)
    let read = try change { bytes, records in
      let used = try #require(records.last { bytes[$0] != 0 })
      Self.erase(&bytes, (records.lowerBound + used) / 2 & ~3..<used + 1)
    }
    let lost = whole.events.count - read.events.count
    #expect(lost > 5)
    let gap = try #require(read.gaps.last)
    guard case .damaged = gap.cause else { throw CocoaError(.fileReadCorruptFile) }
    #expect(read.gaps.reduce(0) { $0 + ($1.sequences?.count ?? 0) } == lost)
    #expect(gap.lane == 1)
    withExtendedLifetime(log) {}
  }

  @Test(arguments: [RecoveryMode.tail, .salvage])
  func `Erased records whose mark is erased, too, are damage`(recovery: RecoveryMode) throws {
    let log = try write(closes: false)
    let read = try change(recovery: recovery) { bytes, records in
      // No part of a record remains.
      let all = SegmentDraft(bytes).chunks.flatMap(\.records).map(\.bytes).filter { records.contains($0.lowerBound) }
      Self.erase(&bytes, all[all.count / 2].lowerBound..<records.upperBound + ChunkHeader.size)
    }
    #expect(!read.events.isEmpty)
    #expect(read.gaps.contains { if case .damaged = $0.cause { true } else { false } }, "\(read.gaps)")
    withExtendedLifetime(log) {}
  }

  @Test(arguments: [true, false])
  func `An erased chunk is damage even if its writer was killed`(appends: Bool) throws {
    let log = try write(closes: false, appends: appends)
    let whole = test.read()
    #expect(whole.gaps.isEmpty)
    let read = try change { bytes, records in
      let chunk = records.lowerBound - ChunkHeader.size..<min(bytes.count, records.upperBound + ChunkHeader.size)
      Self.erase(&bytes, chunk)
    }
    #expect(read.events.isEmpty)
    #expect(read.gaps.contains { if case .damaged = $0.cause { true } else { false } }, "\(read.gaps)")
    withExtendedLifetime(log) {}
  }

  @Test func `A copy of a segment adds no events`() throws {
    _ = try write()
    let whole = test.read()
    try FileManager.default.copyItem(atPath: test.segment(1), toPath: test.segment(2))
    let read = test.read()
    #expect(read.events.map(\.reference.description).count == whole.events.count)
    #expect(read.gaps.isEmpty && read.problems.isEmpty)
  }

  @Test func `A segment that retention removed is not missing`() throws {
    for number in 1...4 {
      let log = try test.open()
      log.emit(AppNoted(message: "\(number)"))
      log.close()
    }
    #expect(test.read().gaps.isEmpty)
    for number in [1, 2] as [UInt32] { unlink(test.segment(number)) }
    #expect(test.read().gaps.map(\.cause) == [.missingSegments(1...2)])
    let log = try test.open()
    log.emit(LogSegmentsRemoved(count: 2, size: 200, segment: 2))
    log.close()
    #expect(test.read().gaps.isEmpty)
    unlink(test.segment(4))
    #expect(test.read().gaps.map(\.cause) == [.missingSegments(4...4)])
  }

  @Test func `The last segment of a writer that continued elsewhere is missed`() throws {
    let log = try test.open()
    for number in 0..<3000 { log.emit(AppNoted(message: "\(number) " + String(repeating: "x", count: 200))) }
    log.close()
    #expect(test.segments.count > 1)
    #expect(test.read().gaps.isEmpty)
    unlink(try #require(test.segments.last))
    #expect(test.read().gaps.map(\.cause).contains(.missingSegments(nil)), "\(test.read().gaps)")
  }
}
