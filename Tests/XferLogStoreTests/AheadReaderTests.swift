import CXferPlatform
import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Reading on another thread, which only logs of some size use.
@Suite(.enabled(if: xp_processor_count() > 1, "with one processor, no log is read on another thread"))
struct AheadReaderTests {
  private struct Contents: Equatable {
    var events: [EventReference] = []
    var times: [Int64?] = []
    /// The number of events before each gap.
    var gaps: [Int] = []

    mutating func take(_ batch: EventBatch) {
      gaps += batch.gaps.map { $0.place + events.count }
      for event in batch.events {
        events.append(RecordedEvent(event).reference)
        times.append(event.monotonic)
      }
    }
  }

  /// Writes a log with three threads and several segments.
  private static func write(_ test: TestLog) throws {
    let log = try test.open { _ in }
    SystemThread.run(3) { thread in Workload.emit(thread, numbers: 0..<6000, to: log) }
    log.close()
  }

  private static func contents(of batches: some EventBatches) -> Contents {
    var contents = Contents()
    var batch = EventBatch()
    while batches.fill(&batch) {
      contents.take(batch)
      batch.removeAll()
    }
    return contents
  }

  @Test(arguments: [false, true], [false, true])
  func `A log read on another thread has the same events and gaps in the same order`(isSealed: Bool, isDamaged: Bool) throws {
    let test = TestLog()
    try Self.write(test)
    if isSealed { #expect(LogSealer(directory: test.directory).seal().count > 1) }
    if isDamaged {
      let path = try #require(test.segments.dropFirst().first)
      var bytes = try XferLogStoreTests.contents(of: path)
      for place in bytes.count / 2..<bytes.count / 2 + 64 { bytes[place] ^= 0xFF }
      try XferLogStoreTests.write(bytes, to: path)
      // A missing segment is only known when all others have been read.
      try FileManager.default.removeItem(atPath: #require(test.segments.first))
    }
    let direct = LogReader([.directory(test.directory)])
    let expected = Self.contents(of: direct)
    #expect(expected.events.count > 10_000 && expected.gaps.isEmpty != isDamaged)
    let reader = LogReader([.directory(test.directory)])
    var arranged = 0
    let ahead = try #require(AheadReader(reader) { batch, _ in arranged += batch.events.count })
    #expect(Self.contents(of: ahead) == expected)
    #expect(arranged == expected.events.count)
  }

  @Test func `Only a large log is read on another thread`() throws {
    let (small, large) = (TestLog(), TestLog())
    try small.open { _ in }.close()
    try Self.write(large)
    #expect(LogReader([.directory(small.directory)]).readingAhead { _, _ in } == nil)
    #expect(LogReader([.directory(large.directory)]).readingAhead { _, _ in } != nil)
  }
}
