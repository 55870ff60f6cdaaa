import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Reading the end of a log without its beginning.
@Suite struct LogEndTests {
  /// A log of several processes and boots, in many short segments, some of them sealed.
  private final class VariedLog {
    let test = TestLog()
    private let clock = TestClock(1_000_000_000, step: 1_000)
    private var open: [EventLog] = []

    /// - Parameter isLong: whether all processes write for long, in the shortest segments, which are all sealed in the end.
    init(seed: UInt64, isLong: Bool = false) throws {
      var random = SeededRandom(seed: seed)
      let boots = (0..<Int.random(in: 1...2, using: &random)).map { _ in BootID(high: random.next(), low: random.next()) }
      for (place, boot) in boots.enumerated() {
        clock.advance(by: 1_000_000_000)
        for pid in 0..<Int32.random(in: 1...3, using: &random) {
          let process = ProcessIdentity(pid: 100 + pid, start: UInt64(place), namespace: 1, boot: boot, executable: "sample")
          open.append(
            try test.open { configuration in
              configuration.process = process
              configuration.clock = clock.clock
              configuration.maximumSegmentAge = .microseconds(isLong ? 200 : Int.random(in: 200...3000, using: &random))
              configuration.forcesAppending = Bool.random(using: &random)
            })
        }
        for _ in 0..<(isLong ? 200 : Int.random(in: 5...60, using: &random)) {
          write(using: &random)
          if Int.random(in: 0..<8, using: &random) == 0 { seal() }
        }
        // The processes of an earlier boot have ended, and some of the last one's.
        for log in open where place + 1 < boots.count || isLong || Bool.random(using: &random) { log.close() }
        if place + 1 < boots.count { open.removeAll() }
        if isLong || Bool.random(using: &random) { seal() }
      }
    }

    private func write(using random: inout SeededRandom) {
      guard let log = open.randomElement(using: &random) else { return }
      let (count, depth) = (Int.random(in: 1...80, using: &random), Int.random(in: 0...2, using: &random))
      Self.emit(count, to: log, depth: depth)
    }

    /// Emits events on threads that overlap, so that each has its own lane.
    private static func emit(_ count: Int, to log: EventLog, depth: Int) {
      Workload.emit(depth, numbers: 0..<count / 2, to: log)
      if depth > 0 { SystemThread { emit(count, to: log, depth: depth - 1) }.join() }
      Workload.emit(depth, numbers: count / 2..<count, to: log)
    }

    private func seal() { for outcome in LogSealer(directory: test.directory).seal() { _ = try? outcome.result.get() } }

    /// Changes some bytes of some segments.
    func damage(using random: inout SeededRandom) throws {
      for path in test.segments where Int.random(in: 0..<4, using: &random) == 0 {
        var bytes = try contents(of: path)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        }
        try XferLogStoreTests.write(bytes, to: path)
      }
    }
  }

  /// The events and gaps of the lanes, as text.
  private static func members(_ reader: LogReader) -> [String] {
    var members: [String] = []
    while let member = reader.nextOfLanes() {
      switch member {
      case .event(let event): members.append("\(event.reference) \(event.layout.name) \(event.moment) \(event.values)")
      case .gap(let gap): members.append("gap \(gap.cause) \(gap.segment) \(gap.sequences.map { "\($0)" } ?? "")")
      }
    }
    return members
  }

  private static func reader(_ log: TestLog, last count: Int? = nil) -> LogReader {
    var selection = BlockSelection()
    selection.last = count
    return LogReader([.directory(log.directory)], isFollowing: false, selection: selection)
  }

  @Test(arguments: seeds(24, campaign: 4000), [false, true])
  func `The end of a log has the events and gaps that the whole log ends with`(seed: UInt64, isDamaged: Bool) throws {
    var random = SeededRandom(seed: seed)
    let log = try VariedLog(seed: random.next())
    if isDamaged { try log.damage(using: &random) }
    let whole = Self.members(Self.reader(log.test))
    for count in [0, 1, 10, Int.random(in: 0...whole.count + 1, using: &random), .max] {
      let reader = Self.reader(log.test, last: count)
      let end = Self.members(reader)
      #expect(end == Array(whole.suffix(end.count)), "seed \(seed), last \(count)")
      #expect(!reader.isWhole || end == whole, "seed \(seed), last \(count)")
      if isDamaged { continue }
      #expect(end.count >= min(count, whole.count) && reader.next() == nil, "seed \(seed), last \(count)")
    }
  }

  @Test(arguments: seeds(6, campaign: 400))
  func `Sealed segments that end before are not opened`(seed: UInt64) throws {
    let log = try VariedLog(seed: seed, isLong: true).test
    let (whole, end) = (Self.reader(log), Self.reader(log, last: 3))
    let last = try #require(end.recent?.start)
    let left = Set(whole.segmentNames).subtracting(end.segmentNames)
    #expect(left.count == end.recent?.leftOut.count && !left.isEmpty, "seed \(seed)")
    #expect(end.byteCount < whole.byteCount && last.clock > 0)
  }

  @Test func `Boots keep their order if the clock was set back and the beginning is left out`() throws {
    let log = TestLog()
    let boots = [BootID(high: 1, low: 1), BootID(high: 2, low: 2)]
    // The first boot begins before the second one, but its last segment has a later time.
    var open: [EventLog] = []
    for (boot, day, isClosed) in [(boots[0], 1, true), (boots[0], 10, false), (boots[1], 5, false)] {
      let wall = Int64(day) * 86_400_000_000_000
      let ticks = TestClock(wall / 1000)
      let writer = try log.open { configuration in
        configuration.process = ProcessIdentity(pid: 100, start: UInt64(day), namespace: 1, boot: boot, executable: "sample")
        configuration.clock = LogClock(monotonic: ticks.clock.monotonic, boottime: ticks.clock.boottime, wall: { wall })
      }
      // Only a chunk that another one follows tells how many events it has.
      Workload.emit(0, numbers: 0..<3000, to: writer)
      open.append(writer)
      if !isClosed { continue }
      writer.close()
      for outcome in LogSealer(directory: log.directory).seal() { _ = try outcome.result.get() }
    }
    let (whole, reader) = (Self.members(Self.reader(log)), Self.reader(log, last: 3))
    #expect(reader.recent?.start?.boot == boots[1])
    #expect(reader.recent?.leftOut.map(\.number) == [1])
    let end = Self.members(reader)
    #expect(end == Array(whole.suffix(end.count)))
  }

  @Test func `The last time of a segment is unknown if a block has no clock`() throws {
    let log = try VariedLog(seed: 7, isLong: true).test
    var entries = try #require(SealedBlocks.index(of: SegmentBytes(path: log.segments[0]), nonce: nil)).entries
    #expect(SealIndex.lastEvent(of: entries) != nil)
    entries[entries.count - 1].block.chunk.clocks = .unknown
    #expect(SealIndex.lastEvent(of: entries) == nil)
  }

  @Test func `The trailer tells the time of the last event`() throws {
    let log = try VariedLog(seed: 7, isLong: true).test
    for path in log.segments {
      let last = LogContents([.segment(path)]).events.last?.monotonic
      #expect(try SealTrailer.decode(endOf: SegmentBytes(path: path))?.lastEvent == last, "\(path)")
    }
  }

  @Test func `A trailer with another time is reported as edited`() throws {
    let log = try VariedLog(seed: 7, isLong: true).test
    let path = log.segments[0]
    var bytes = try contents(of: path)
    var trailer = try #require(SealTrailer.decode(endOf: SegmentBytes(bytes)))
    func flaws() -> [SegmentFlaw.Kind] { LogReader([.segment(path)]).examinations.flatMap(\.flaws).map(\.kind) }
    #expect(flaws() == [])
    trailer.lastEvent = 1
    bytes.withUnsafeMutableBytes { trailer.write(to: .init(rebasing: $0[($0.count - SealTrailer.size)...])) }
    try write(bytes, to: path)
    #expect(flaws() == [.edited(block: nil)])
  }
}
