import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of what retention removes and records.
struct RetentionTests {
  private let test = TestLog()
  private let day: Int64 = 86_400_000_000_000

  private func segment(_ number: UInt32, size: Int = 100, last: Int64, levels: UInt8 = 1 << 2) -> RetentionPlan.Segment {
    RetentionPlan.Segment(number: number, size: size, last: WallTime(nanoseconds: last), levels: levels)
  }

  /// Returns the system's clock, shifted by a number of days.
  private func clock(days: Int64) -> LogClock {
    let step = days * day
    return LogClock(
      monotonic: LogClock.system.monotonic, boottime: LogClock.system.boottime, wall: { LogClock.system.wall() + step })
  }

  // MARK: Planning

  @Test func `The oldest segments are removed until the rest fits, counting segments that are still written`() {
    let segments = (1...5).map { segment($0, last: Int64($0)) }
    let now = WallTime(nanoseconds: 10)
    func removed(_ bytes: Int, others: Int) -> [UInt32] {
      RetentionPlan(Retention(maximumBytes: bytes), segments: segments.reversed(), others: others, now: now)
        .removals.map(\.segment.number)
    }
    #expect(removed(500, others: 0) == [])
    #expect(removed(499, others: 0) == [1])
    #expect(removed(500, others: 250) == [1, 2, 3])
    #expect(removed(0, others: 0) == [1, 2, 3, 4, 5])
    #expect(
      RetentionPlan(.everything, segments: segments, others: 1 << 40, now: now)
        == RetentionPlan(.everything, segments: [], others: 0, now: now))
  }

  @Test func `A segment is removed by the age of its last event`() {
    let now = WallTime(nanoseconds: 10 * day)
    let segments = [
      segment(1, last: 2 * day), segment(2, last: 3 * day), segment(3, last: 3 * day - 1), segment(4, last: 20 * day),
    ]
    let plan = RetentionPlan(Retention(maximumAge: .seconds(7 * 86_400)), segments: segments, others: 0, now: now)
    #expect(plan.removals.map(\.segment.number) == [1, 3])
    #expect(plan.removals.allSatisfy { $0.reason == .age })
  }

  @Test func `Expired lower levels are removed from segments that contain them`() {
    let now = WallTime(nanoseconds: 10 * day)
    let retention = Retention(levels: [.debug: .seconds(86_400), .info: .seconds(7 * 86_400), .error: .zero])
    let segments = [
      segment(1, last: 2 * day, levels: 0b00111), segment(2, last: 5 * day, levels: 0b00111),
      segment(3, last: 5 * day, levels: 0b00110), segment(4, last: 10 * day, levels: 0b00111),
      segment(5, last: 2 * day, levels: 0b11100),
    ]
    let plan = RetentionPlan(retention, segments: segments, others: 0, now: now)
    #expect(plan.thinnings.map(\.segment.number) == [1, 2])
    #expect(plan.thinnings.map(\.lowest) == [.default, .info])
    #expect(plan.removals.isEmpty)
  }

  // MARK: Removal

  private func write(_ numbers: Range<Int>, retention: Retention) throws {
    let log = try test.open { configuration in configuration.retention = retention }
    Workload.emit(0, numbers: numbers, to: log)
    log.maintain()
    log.close()
  }

  @Test func `A log stays within its size limit and records what was removed`() throws {
    for start in stride(from: 0, to: 60_000, by: 10_000) {
      try write(start..<start + 10_000, retention: Retention(maximumBytes: 900_000))
    }
    let read = test.read()
    #expect(read.wrong.isEmpty && read.problems.isEmpty)
    let numbers = try #require(read.numbers[0])
    #expect(numbers == Array(60_000 - numbers.count..<60_000))
    #expect(numbers.count < 50_000 && numbers.count > 10_000)
    let sizes = try test.segments.map { try contents(of: $0).count }
    #expect(sizes.reduce(0, +) < 900_000 + sizes.max()!)
    // Each removal is recorded once, but the first records may have been removed with later segments.
    let removals = read.events(.logSegmentsRemoved)
    let removed = removals.compactMap(\.segment).max()
    #expect(removed.map(UInt32.init) == test.segments.first.flatMap { UInt32($0.suffix(10).prefix(6)) }.map { $0 - 1 })
    #expect(removals.allSatisfy { $0.reason == "size" && ($0.count ?? 0) > 0 && ($0.size ?? 0) > 0 })
    let until = try #require(removals.last?.until)
    #expect(until < (try #require(read.events.first?.wall)))
    // No leftover files of removed segments remain.
    #expect(LogDirectory.names(in: test.directory).allSatisfy { $0.hasSuffix(".seg") || $0 == "levels" })
  }

  @Test func `The next writer completes a removal that was interrupted by a kill`() throws {
    try write(0..<10_000, retention: .everything)
    rename(test.segment(1), LogDirectory.path(of: 1, in: test.directory, LogDirectory.retiredSuffix))
    try write(10_000..<10_010, retention: .everything)
    let removal = try #require(test.read().events(.logSegmentsRemoved).first)
    #expect(removal.segment == 1 && removal.count == 1)
    #expect(!LogDirectory.names(in: test.directory).contains { $0.hasSuffix(LogDirectory.retiredSuffix) })
  }

  @Test func `Old segments are removed by the age of their events, not of their files`() throws {
    try write(0..<100, retention: .everything)
    let log = try test.open { configuration in
      configuration.retention = Retention(maximumAge: .seconds(99 * 86_400))
      configuration.clock = clock(days: 100)
    }
    log.maintain()
    log.close()
    let read = test.read()
    #expect(read.numbers.isEmpty)
    #expect(read.events(.logSegmentsRemoved).first?.reason == "age")
  }

  // MARK: Background maintenance

  @Test func `While it is written, a log seals finished segments and keeps its size limit`() throws {
    let log = try test.open { configuration in
      configuration.maintains = true
      configuration.retention = Retention(maximumBytes: 100_000)
    }
    func isSealed(_ path: String) -> Bool { SegmentSummary(path: path)?.header.incompatible.contains(.compressed) == true }
    // The events fill three segments and the beginning of a fourth.
    Workload.emit(0, numbers: 0..<40_000, to: log)
    // Only the background thread does this; the test hangs if it does not.
    func isDone() -> Bool {
      test.segments.first?.hasSuffix("000001.seg") == false && test.segments.dropLast().allSatisfy(isSealed)
        && LogDirectory.numbered(LogDirectory.retiredSuffix, in: test.directory).isEmpty
    }
    while !isDone() { sched_yield() }
    Workload.emit(0, numbers: 40_000..<40_010, to: log)
    log.close()
    let read = test.read()
    #expect(read.wrong.isEmpty && read.problems.isEmpty)
    #expect(read.numbers[0].map { Array(40_010 - $0.count..<40_010) } == read.numbers[0])
    #expect(read.gaps.allSatisfy { $0.cause == .missingHead })
    #expect(!read.events(.logSegmentsRemoved).isEmpty)
  }

  @Test func `The next process to open a log seals the segments of a killed writer`() throws {
    try write(0..<10_000, retention: .everything)
    let process = ProcessIdentity(
      pid: 0x3FFF_FFF0, start: 1, namespace: ProcessIdentity.current().namespace, boot: ProcessIdentity.current().boot,
      executable: "gone")
    let dead = try test.open { $0.process = process }
    dead.emit(thread: 1, number: 0)
    let next = try test.open { $0.maintains = true }
    while test.segments.dropLast().contains(where: { SegmentSummary(path: $0)?.header.incompatible.isEmpty == true }) {
      sched_yield()
    }
    next.close()
    let read = test.read()
    #expect(read.numbers == [0: Array(0..<10_000), 1: [0]])
    #expect(read.events(.processExitObserved).count == 1 && read.gaps.isEmpty)
    withExtendedLifetime(dead) {}
  }

  @Test func `Expired lower levels are removed, and readers know which level is complete`() throws {
    let log = try test.open { configuration in
      configuration.lowestLevel = .debug
      configuration.clock = clock(days: -3)
    }
    let logger = EventLogger(subsystem: "s", category: "c", log: log)
    for number in 0..<3000 {
      logger.debug("detail \(number)")
      if number % 10 == 0 { logger.notice("news \(number)") }
    }
    log.close()
    let before = test.read()
    let next = try test.open { $0.retention = Retention(levels: [.debug: .seconds(86_400)]) }
    next.maintain()
    next.close()
    let read = test.read()
    #expect(read.events(.messageDebug).isEmpty)
    #expect(before.events(.messageDebug).count == 3000)
    #expect(read.events(.messageDefault).map(\.reference) == before.events(.messageDefault).map(\.reference))
    #expect(read.gaps.isEmpty && read.problems.isEmpty)
    let thinned = read.events(.logLevelsThinned)
    #expect(thinned.compactMap(\.count).reduce(0, +) == 3000 && thinned.allSatisfy { $0.levels == "info" })
    #expect(read.events(.messageDefault).allSatisfy { $0.source.writer.lowestLevel == .info })
    // The segment is smaller now, and retention does not thin it again.
    let sizes = try test.segments.map { try contents(of: $0) }
    let again = try test.open { $0.retention = Retention(levels: [.debug: .seconds(86_400)]) }
    again.maintain()
    again.close()
    #expect(try test.segments.prefix(sizes.count - 1).map { try contents(of: $0) } == Array(sizes.dropLast()))
  }

  @Test func `Events that cannot be removed are kept, are found by their session, and cause no further attempts`() throws {
    let log = try test.open { configuration in
      configuration.lowestLevel = .debug
      configuration.clock = clock(days: -3)
    }
    let logger = EventLogger(subsystem: "s", category: "c", log: log)
    // One session occurs only in chunks of a single large event.
    for number in 0..<100 { logger.debug("detail \(number)") }
    Workload.emitLarge(7, task: Workload.task(1), to: log)
    logger.debug("\(String(repeating: "large detail ", count: 4000), privacy: .public)")
    Workload.emit(2, numbers: 0..<100, to: log)
    log.close()
    let before = test.read()
    let retention = Retention(levels: [.debug: .seconds(86_400)])
    func maintain() throws {
      let next = try test.open { $0.retention = retention }
      next.maintain()
      next.close()
    }
    try maintain()
    let read = test.read()
    #expect(read.gaps.isEmpty && read.problems.isEmpty)
    #expect(before.events(.messageDebug).count == 101 && read.events(.messageDebug).count == 1)
    #expect(read.numbers == before.numbers)
    for session in ["session 1", "session 2"] {
      var selection = BlockSelection()
      selection.isSessionWanted = { $0 == session }
      var selected = LogContents()
      for member in LogReader([.directory(test.directory)], isFollowing: false, selection: selection) { selected.add(member) }
      let thread = session == "session 1" ? 1 : 2
      #expect(selected.numbers[thread] == before.numbers[thread], "\(session)")
    }
    try maintain()
    #expect(test.read().events(.logLevelsThinned).count == 1)
  }
}
