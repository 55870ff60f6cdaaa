import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of reading rings whose writers continue between any two steps of the reader.
struct RingScanTests {
  /// The segments of a log, which a reader discovers on demand.
  private final class Segments {
    let directory: String
    private(set) var all: [SegmentReader] = []
    private var sources: [RecordSource] = []

    init(_ directory: String) { self.directory = directory }

    func find(everything: Bool) throws -> [SegmentReader] {
      for (number, path) in LogDirectory.segments(in: directory) where !all.contains(where: { $0.number == number }) {
        let (segment, source) = try SegmentReader.open(number: number, path: path, name: path, index: all.count)
        all.append(segment)
        sources.append(source)
      }
      for segment in all { _ = segment.newChunks(everything: everything) }
      return all
    }
  }

  /// Emits detail about two tasks that compete for pages. From time to time a task ends and another one begins.
  private struct Writer {
    let log: EventLog
    /// Whether some detail is kept permanently. That is only useful if the reader reads each kept page once.
    let keeps: Bool
    var random: SeededRandom
    var tasks = [0, 1]
    var steps = 0

    /// - Parameter rarely: Whether to do something in only one of sixteen calls.
    mutating func proceed(rarely: Bool = false) {
      if rarely, Int.random(in: 0..<16, using: &random) > 0 { return }
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let (place, count) = (Int.random(in: 0..<2, using: &random), Int.random(in: 1..<16, using: &random))
        let task = tasks[place]
        Detail.emit(steps..<steps + count, of: task, to: log)
        steps += count
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          Detail.complete(task, in: log)
          tasks[place] = tasks.max()! + 1
        case 1 where keeps: log.keep(Detail.task(task))
        default: break
        }
      }
    }
  }

  private func records(of page: RingSnapshot) -> UInt64 {
    var walker = RecordWalker(chunk: page.bytes, header: page.header, isAppended: false)
    var count: UInt64 = 0
    while case .record = walker.next(isFinal: true) { count += 1 }
    return count
  }

  /// Checks that the pages returned to one reader are contiguous in each lane.
  ///
  /// - Parameter ends: The ends of the runs that were returned before, by lane.
  private func check(_ pages: [RingSnapshot], after ends: inout [UInt32: UInt64], _ comment: Comment) {
    for page in pages.sorted(by: { $0.header.firstSequence < $1.header.firstSequence }) {
      let (lane, first) = (page.header.lane, page.header.firstSequence)
      #expect(ends[lane, default: first] == first, comment)
      ends[lane] = first + records(of: page)
    }
  }

  private func open(_ test: TestLog, pages: Int) throws -> EventLog {
    try test.open { $0.flightRecorder = FlightRecorder(bytesPerTask: pages * RingFormat.pageSize) }
  }

  /// - Parameter everything: Whether to read all pages, or only those that are kept permanently.
  @Test(arguments: [true, false], [2, 3, 5])
  func `Ring pages are contiguous, whatever is written while they are read`(everything: Bool, pages: Int) throws {
    var (found, scans, empty) = (0, 0, 0)
    for seed in seeds(3, campaign: 100) {
      let test = TestLog()
      let log = try open(test, pages: pages)
      var writer = Writer(log: log, keeps: !everything, random: SeededRandom(seed: seed))
      var segments = Segments(test.directory)
      var ends: [UInt32: UInt64] = [:]
      for trial in 0..<25 {
        // A follower continues where it stopped, whereas a reader of everything starts again.
        if everything { (segments, ends) = (Segments(test.directory), [:]) }
        writer.proceed()
        var scan = RingScan(try segments.find(everything: everything), everything: everything) { writer.proceed(rarely: true) }
        writer.proceed()
        scan.rescan(try segments.find(everything: everything)) { writer.proceed(rarely: true) }
        var given: [RingSnapshot] = []
        writer.proceed()
        while let (_, page) = scan.next(segments.all) {
          given.append(page)
          writer.proceed()
        }
        check(given, after: &ends, "trial \(trial), seed \(seed)")
        found += given.count
        scans += given.isEmpty ? 0 : 1
        empty += given.isEmpty ? 1 : 0
      }
      log.close()
    }
    // Pages were found, several of them at once, and sometimes none was left.
    #expect(scans > 20 && found > scans + 10 && empty > 0, "\(found) pages in \(scans) scans, \(empty) empty scans")
  }
}
