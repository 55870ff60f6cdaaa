import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that a copy of a segment in the same directory hides no loss and is no loss itself.
struct CopiedSegmentTests {
  private let test = TestLog()

  /// Writes a log of one thread with two segments.
  private func writeTwoSegments() throws {
    let log = try test.open()
    for number in 0..<3000 where test.segments.count < 2 {
      log.emit(AppNoted(message: "\(number) " + String(repeating: "x", count: 200)))
    }
    log.close()
    try #require(test.segments.count == 2)
    #expect(test.read().gaps.isEmpty)
  }

  @Test func `A copy of an earlier segment does not replace the last one, which is missing`() throws {
    try writeTwoSegments()
    try FileManager.default.copyItem(atPath: test.segment(1), toPath: test.segment(3))
    #expect(test.read().gaps.isEmpty)
    unlink(test.segment(2))
    let read = test.read()
    #expect(read.gaps.map(\.cause) == [.missingSegments(nil)], "\(read.gaps)")
  }

  @Test func `Of two copies that differ in one byte, the intact one is read`() throws {
    try writeTwoSegments()
    let whole = test.read()
    let original = try contents(of: test.segment(1))
    var damaged = original
    let records = try #require(SegmentDraft(original).chunks.last { !$0.isDictionary }).records
    damaged[try #require(records.last).bytes.lowerBound + 20] ^= 1
    for (first, second) in [(damaged, original), (original, damaged)] {
      try write(first, to: test.segment(1))
      try write(second, to: test.segment(3))
      let read = test.read()
      #expect(read.gaps == [] && read.events.map { "\($0.values)" } == whole.events.map { "\($0.values)" })
    }
  }

  @Test func `A salvaged copy is not an edited segment`() throws {
    try writeTwoSegments()
    for outcome in LogSealer(directory: test.directory).seal() { _ = try outcome.result.get() }
    _ = try LogSalvager([.directory(test.directory)], to: test.path("salvaged.xlog")).salvage()
    let copy = LogDirectory.path(of: 2, in: test.path("salvaged.xlog"))
    try FileManager.default.copyItem(atPath: copy, toPath: test.segment(3))
    for leavesOutCopies in [true, false] {
      let reader = LogReader([.directory(test.directory)], isFollowing: false, selection: nil, leavesOutCopies: leavesOutCopies)
      #expect(reader.examinations.count == 3)
      #expect(reader.examinations.flatMap(\.flaws) == [])
      #expect(reader.alterations().isEmpty)
    }
  }

  @Test func `A segment whose predecessor was replaced by a salvaged one is not chained to it`() throws {
    try writeTwoSegments()
    for outcome in LogSealer(directory: test.directory).seal() { _ = try outcome.result.get() }
    _ = try LogSalvager([.directory(test.directory)], to: test.path("salvaged.xlog")).salvage()
    unlink(test.segment(1))
    try FileManager.default.copyItem(atPath: LogDirectory.path(of: 1, in: test.path("salvaged.xlog")), toPath: test.segment(1))
    #expect(LogReader([.directory(test.directory)]).examinations.flatMap(\.flaws).map(\.kind) == [.edited(block: nil)])
  }

  /// The original lacks the end of the first thread's chunk and its mark. The copy lacks less of the chunk, but its file ends there.
  @Test func `The end of a copy's file is a loss if the copy has the most records of a chunk`() throws {
    let log = try test.open()
    Workload.emit(0, numbers: 0..<60, to: log)
    SystemThread { Workload.emit(1, numbers: 0..<200, to: log) }.join()
    log.close()
    let whole = test.read()
    var bytes = try contents(of: test.segment(1))
    let draft = SegmentDraft(bytes)
    let records = try #require(draft.chunks.first { !$0.isDictionary }).records.map(\.bytes)
    let (middle, later) = (records[records.count / 3].lowerBound, records[2 * records.count / 3].lowerBound)
    try Data(bytes[..<later]).write(to: URL(fileURLWithPath: test.segment(2)))
    let end =
      SegmentFormat.headerSize + ((middle - SegmentFormat.headerSize) / SegmentFormat.chunkSize + 1) * SegmentFormat.chunkSize
    for place in middle..<end { bytes[place] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: test.segment(1)))
    let read = test.read()
    #expect(read.events.count < whole.events.count && read.events.count > whole.events.count / 2)
    #expect(read.gaps.contains { $0.cause == .truncated }, "\(read.gaps)")
  }
}
