import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// What is read of rings whose writers go on between any two steps of the reader.
struct RingLookTests {
  /// Segments as a reader finds them, which looks for more each time that it is asked.
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

  /// Says more of two tasks, so that they take pages from each other; now and then one ends and another begins.
  private struct Writer {
    let log: EventLog
    /// Whether the log is to keep anything for good: who reads everything would read that each time.
    let keeps: Bool
    var random: SeededRandom
    var tasks = [0, 1]
    var steps = 0

    /// - Parameter rarely: in one of sixteen calls.
    mutating func goOn(rarely: Bool = false) {
      if rarely, Int.random(in: 0..<16, using: &random) > 0 { return }
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let (place, count) = (Int.random(in: 0..<2, using: &random), Int.random(in: 1..<16, using: &random))
        let task = tasks[place]
        Detail.say(steps..<steps + count, of: task, to: log)
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

  /// Checks that what one reader was given is a run in each lane.
  ///
  /// - Parameter ends: where the runs ended that it was given before.
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

  /// - Parameter everything: or only what stays in the log for good.
  @Test(arguments: [true, false], [2, 3, 5])
  func `Pages are a run of records, whatever is said while they are read`(everything: Bool, pages: Int) throws {
    var (found, looks, gone) = (0, 0, 0)
    for seed in seeds(3, campaign: 100) {
      let test = TestLog()
      let log = try open(test, pages: pages)
      var writer = Writer(log: log, keeps: !everything, random: SeededRandom(seed: seed))
      var segments = Segments(test.directory)
      var ends: [UInt32: UInt64] = [:]
      for trial in 0..<25 {
        // A follower goes on where it was; who reads everything does so once.
        if everything { (segments, ends) = (Segments(test.directory), [:]) }
        writer.goOn()
        var look = RingLook(try segments.find(everything: everything), everything: everything) { writer.goOn(rarely: true) }
        writer.goOn()
        look.lookAgain(try segments.find(everything: everything)) { writer.goOn(rarely: true) }
        var given: [RingSnapshot] = []
        writer.goOn()
        while let (_, page) = look.next(segments.all) {
          given.append(page)
          writer.goOn()
        }
        check(given, after: &ends, "trial \(trial), seed \(seed)")
        found += given.count
        looks += given.isEmpty ? 0 : 1
        gone += given.isEmpty ? 1 : 0
      }
      log.close()
    }
    // Pages were found, several at once, and at times all had gone.
    #expect(looks > 20 && found > looks + 10 && gone > 0, "\(found) pages in \(looks) looks, \(gone) without")
  }
}
