import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Reading the events of one task without opening the segments that do not define it.
@Suite struct TaskPlanTests {
  private static let tasks: UInt32 = 12
  private static let seeds = LogTestSupport.seeds(24, campaign: 2000)

  /// Writes a log of several processes in many short segments, most of them sealed. Each task is in few segments.
  ///
  /// - Parameter losesRecords: Whether segments may be sealed that are still written, so that the records after that are missing.
  private static func log(using random: inout SeededRandom, losesRecords: Bool = false) throws -> TestLog {
    let test = TestLog()
    let clock = TestClock(1_000_000_000, step: 1_000)
    var open = try (0..<Int32.random(in: 1...3, using: &random)).map { number in
      try test.open { configuration in
        if losesRecords {
          // The sealer takes a process of another boot for dead.
          let boot = BootID(high: 1, low: 2)
          configuration.process = ProcessIdentity(pid: 100 + number, start: 7, namespace: 1, boot: boot, executable: "sample")
        }
        configuration.clock = clock.clock
        configuration.maximumSegmentAge = .microseconds(Int.random(in: 100...1500, using: &random))
        configuration.forcesAppending = Bool.random(using: &random)
      }
    }
    for task in 1...tasks {
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        guard let log = open.randomElement(using: &random) else { break }
        let count = Int.random(in: 1...60, using: &random)
        if Bool.random(using: &random) {
          emit(task, count, to: log)
        } else {
          SystemThread { emit(task, count, to: log) }.join()
        }
      }
      if Int.random(in: 0..<3, using: &random) == 0 { seal(test) }
      if open.count > 1, Int.random(in: 0..<6, using: &random) == 0 { open.removeLast().close() }
    }
    if Bool.random(using: &random) { for log in open { log.close() } }
    seal(test)
    return test
  }

  private static func emit(_ task: UInt32, _ count: Int, to log: EventLog) {
    let identity = TaskIdentity(uid: TaskUID(high: 9, low: UInt64(task)), session: "s", number: task)
    for number in 0..<count { Workload.emit(0, number, task: identity, to: log) }
  }

  private static func seal(_ log: TestLog) {
    for outcome in LogSealer(directory: log.directory).seal() { _ = try? outcome.result.get() }
  }

  private static func reader(_ log: TestLog, task: UInt32?) -> LogReader {
    var selection = BlockSelection()
    if let task {
      selection.isTaskWanted = { $0.number == task }
      selection.wantedNumber = task
    }
    return LogReader([.directory(log.directory)], isFollowing: false, selection: selection)
  }

  /// The events of one task, and the gaps, as text.
  private static func members(_ reader: LogReader, of task: UInt32) -> (events: [String], gaps: [String]) {
    var members: (events: [String], gaps: [String]) = ([], [])
    for member in reader {
      switch member {
      case .event(let event):
        if event.task?.number == task {
          members.events.append(
            "\(event.reference) \(event.layout.name) \(event.moment) \(event.values) \(event.task?.uid as Any)")
        }
      case .gap(let gap): members.gaps.append("\(gap.cause) \(gap.segment) \(gap.sequences.map { "\($0)" } ?? "")")
      }
    }
    return members
  }

  @Test func `The events of a task are those that a reading of the whole log gives`() throws {
    var (leftOut, segments) = (0, 0)
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let log = try Self.log(using: &random)
      for task in 1...Self.tasks + 1 {
        let whole = Self.members(Self.reader(log, task: nil), of: task)
        let reader = Self.reader(log, task: task)
        let found = Self.members(reader, of: task)
        #expect(found.events == whole.events, "seed \(seed), task \(task)")
        #expect(found.gaps == whole.gaps, "seed \(seed), task \(task)")
        #expect(whole.events.isEmpty == (task > Self.tasks))
        leftOut += reader.leftOut.count
        segments += log.segments.count
      }
    }
    #expect(Self.seeds.count == 1 || leftOut > segments / 10, "\(leftOut) of \(segments) segments were left out")
  }

  @Test func `Records that are missing between segments are reported although segments around them are left out`() throws {
    var (gaps, leftOut) = (0, 0)
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let log = try Self.log(using: &random, losesRecords: true)
      for task in 1...Self.tasks {
        let whole = Self.members(Self.reader(log, task: nil), of: task)
        let reader = Self.reader(log, task: task)
        let found = Self.members(reader, of: task)
        #expect(found.events == whole.events, "seed \(seed), task \(task)")
        // A gap has the place of the event before it, which may be unread, so two lanes' gaps may be in another order.
        #expect(found.gaps.sorted() == whole.gaps.sorted(), "seed \(seed), task \(task)")
        gaps += whole.gaps.count { $0.hasPrefix("missingSequence") }
        leftOut += reader.leftOut.count
      }
    }
    #expect(Self.seeds.count == 1 || gaps > 0 && leftOut > 0, "\(gaps) gaps, \(leftOut) segments left out")
  }

  @Test func `Missing segments and damage are reported although other segments are left out`() throws {
    var missing = 0
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let log = try Self.log(using: &random)
      if let path = log.segments.dropFirst().dropLast().randomElement(using: &random) {
        try FileManager.default.removeItem(atPath: path)
      }
      for task in 1...Self.tasks {
        let whole = Self.members(Self.reader(log, task: nil), of: task)
        let found = Self.members(Self.reader(log, task: task), of: task)
        #expect(found.events == whole.events, "seed \(seed), task \(task)")
        let gaps = whole.gaps.filter { $0.hasPrefix("missingSegments") }
        #expect(found.gaps.filter { $0.hasPrefix("missingSegments") }.count == gaps.count, "seed \(seed), task \(task)")
        #expect(found.gaps.allSatisfy { !$0.hasPrefix("damaged") }, "seed \(seed), task \(task)")
        missing += gaps.count
      }
    }
    #expect(Self.seeds.count == 1 || missing > 0)
  }

  /// Writes a log of one process whose tasks are in segments of their own.
  private static func log(tasks: ClosedRange<UInt32>, retention: Retention = .everything) throws -> TestLog {
    let test = TestLog()
    let clock = TestClock(1_000_000_000, step: 1_000)
    for task in tasks {
      clock.advance(by: 1_000_000_000)
      let log = try test.open { configuration in
        configuration.clock = clock.clock
        configuration.retention = retention
      }
      emit(task, 2000, to: log)
      log.maintain()
      log.close()
      seal(test)
    }
    return test
  }

  @Test func `Only the segment of the task and the last one are opened`() throws {
    let log = try Self.log(tasks: 1...6)
    for task in [UInt32(1), 3, 6] {
      let reader = Self.reader(log, task: task)
      #expect(Self.members(reader, of: task).events.count == 2000)
      #expect(reader.leftOut.count == log.segments.count - (task == 6 ? 1 : 2))
      #expect(Set(reader.segmentNames).isDisjoint(with: reader.leftOut.map { LogDirectory.fileName(of: $0.path) }))
      let whole = LogReader([.directory(log.directory)])
      var count = 0
      while whole.next() != nil { count += 1 }
      #expect(reader.passedOver > count / 2 && reader.blocks.skipped > log.segments.count - 2)
    }
  }

  @Test func `Segments that retention removed are not missing if the segment that says so is left out`() throws {
    let log = try Self.log(tasks: 1...12, retention: Retention(maximumAge: .seconds(5)))
    let first = try #require(LogDirectory.listedSegments(in: log.directory).first?.number)
    #expect(first > 1)
    for task in UInt32(1)...12 {
      let reader = Self.reader(log, task: task)
      let found = Self.members(reader, of: task)
      let whole = Self.members(Self.reader(log, task: nil), of: task)
      #expect(found.gaps == [] && whole.gaps == [] && found.events == whole.events, "task \(task)")
      #expect(!reader.leftOut.isEmpty && whole.events.isEmpty == (task < first), "task \(task), first segment \(first)")
    }
  }

  @Test func `A segment that was removed from between others is not missing, whichever segment says so`() throws {
    let log = try Self.log(tasks: 1...4)
    try FileManager.default.removeItem(atPath: log.segment(2))
    for task in [UInt32(5), 6] {
      let writer = try log.open()
      if task == 5 { writer.emit(LogSegmentsRemoved(count: 1, size: 100, segment: 2)) }
      Self.emit(task, 2000, to: writer)
      writer.close()
      Self.seal(log)
    }
    for task in [UInt32(1), 3, 5, 6] {
      let reader = Self.reader(log, task: task)
      let found = Self.members(reader, of: task)
      #expect(found.gaps == [] && found.events.count == 2000 && reader.leftOut.count >= 3, "task \(task)")
    }
    #expect(Self.members(Self.reader(log, task: nil), of: 1).gaps == [])
    try FileManager.default.removeItem(atPath: log.segment(3))
    for task in [nil, UInt32(1)] { #expect(Self.members(Self.reader(log, task: task), of: 1).gaps.count == 1) }
  }

  @Test func `A summary with other tasks, counts or positions is reported as edited although the whole chain fits`() throws {
    let log = try Self.log(tasks: 1...1)
    let path = log.segments[0]
    let original = try contents(of: path)
    func flaws() -> [String] { LogReader([.segment(path)]).examinations.flatMap(\.flaws).map { "\($0.kind) \($0.text)" } }
    #expect(flaws() == [])
    let changes: [(inout SegmentContent) -> Void] = [
      { $0.tasks = TaskNumbers(lowest: 2, highest: 9) }, { $0.blocks += 1 }, { $0.positions -= 1 }, { $0.lanes[0].next += 1 },
      { $0.lanes.removeAll() },
    ]
    for change in changes {
      let file = SegmentBytes(original)
      var content = try #require(SegmentContent(of: file))
      change(&content)
      var trailer = try #require(SealTrailer.decode(endOf: file))
      let start = Int(trailer.indexOffset)
      let frame = content.frame()
      let stored = original[start..<start + Int(trailer.storedSize - trailer.contentSize)] + frame
      let block = try #require(SealedBlocks.index(of: file, nonce: nil)?.entries.last).block
      var chain = HashChain(from: block.chain)
      Array(stored).withUnsafeBytes { chain.append([$0]) }
      (trailer.storedSize, trailer.contentSize, trailer.last) = (UInt32(stored.count), UInt32(frame.count), chain.last)
      trailer.checksum = Array(stored).withUnsafeBytes { Checksum.crc32c($0) }
      var end = [UInt8](repeating: 0, count: SealTrailer.size)
      end.withUnsafeMutableBytes { trailer.write(to: $0) }
      try write(original[..<start] + stored + end, to: path)
      #expect(
        flaws() == ["edited(block: nil) the index's checksum is valid, but its summary of the segment is not that of the blocks"])
    }
  }

  @Test func `A summary with a damaged byte is not used`() throws {
    let log = try Self.log(tasks: 1...1)
    let original = try contents(of: log.segments[0])
    let size = try #require(SealTrailer.decode(endOf: SegmentBytes(original))).contentSize
    #expect(size > 0 && SegmentContent(of: SegmentBytes(original)) != nil)
    for byte in 1...Int(size) {
      var bytes = original
      bytes[bytes.count - SealTrailer.size - byte] ^= 1
      #expect(SegmentContent(of: SegmentBytes(bytes)) == nil, "byte \(byte)")
    }
  }

  @Test func `A segment with damage has no summary`() throws {
    let log = TestLog()
    let writer = try log.open()
    Self.emit(1, 3000, to: writer)
    writer.close()
    let path = log.segments[0]
    var bytes = try contents(of: path)
    bytes[SegmentFormat.chunkOffset(1) + 5000] ^= 1
    try write(bytes, to: path)
    Self.seal(log)
    #expect(try SegmentContent(of: SegmentBytes(path: path)) == nil)
    #expect(Self.members(Self.reader(log, task: 2), of: 2).gaps.count == 1)
  }
}
