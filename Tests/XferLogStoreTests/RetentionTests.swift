import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// What a log keeps, and what it says of what it did not keep.
struct RetentionTests {
  private let test = TestLog()
  private let day: Int64 = 86_400_000_000_000

  private func segment(_ number: UInt32, size: Int = 100, last: Int64, levels: UInt8 = 1 << 2) -> RetentionPlan.Segment {
    RetentionPlan.Segment(number: number, size: size, last: WallTime(nanoseconds: last), levels: levels)
  }

  /// The system's, so many days on.
  private func clock(days: Int64) -> LogClock {
    let step = days * day
    return LogClock(
      monotonic: LogClock.system.monotonic, boottime: LogClock.system.boottime, wall: { LogClock.system.wall() + step })
  }

  // MARK: The decision

  @Test func `The oldest segments go until the rest fits, and those that are written count`() {
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

  @Test func `What is too old goes, and by the age of its last event`() {
    let now = WallTime(nanoseconds: 10 * day)
    let segments = [
      segment(1, last: 2 * day), segment(2, last: 3 * day), segment(3, last: 3 * day - 1), segment(4, last: 20 * day),
    ]
    let plan = RetentionPlan(Retention(maximumAge: .seconds(7 * 86_400)), segments: segments, others: 0, now: now)
    #expect(plan.removals.map(\.segment.number) == [1, 3])
    #expect(plan.removals.allSatisfy { $0.reason == .age })
  }

  @Test func `Lower levels go first, where there are any`() {
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

  // MARK: The deed

  private func write(_ numbers: Range<Int>, retention: Retention) throws {
    let log = try test.open { configuration in configuration.retention = retention }
    Workload.emit(0, numbers: numbers, to: log)
    log.maintain()
    log.close()
  }

  @Test func `A log stays as small as it is told, and says what it dropped`() throws {
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
    // Each removal is said once; what the first ones say may have gone with later ones.
    let removals = read.events(.logSegmentsRemoved)
    let removed = removals.compactMap(\.segment).max()
    #expect(removed.map(UInt32.init) == test.segments.first.flatMap { UInt32($0.suffix(10).prefix(6)) }.map { $0 - 1 })
    #expect(removals.allSatisfy { $0.reason == "size" && ($0.count ?? 0) > 0 && ($0.size ?? 0) > 0 })
    let until = try #require(removals.last?.until)
    #expect(until < (try #require(read.events.first?.wall)))
    // Nothing of what was removed lies about.
    #expect(LogDirectory.names(in: test.directory).allSatisfy { $0.hasSuffix(".seg") || $0 == "levels" })
  }

  @Test func `A segment that somebody was killed over is recorded and removed by the next`() throws {
    try write(0..<10_000, retention: .everything)
    rename(test.segment(1), LogDirectory.path(of: 1, in: test.directory, LogDirectory.retiredSuffix))
    try write(10_000..<10_010, retention: .everything)
    let removal = try #require(test.read().events(.logSegmentsRemoved).first)
    #expect(removal.segment == 1 && removal.count == 1)
    #expect(!LogDirectory.names(in: test.directory).contains { $0.hasSuffix(LogDirectory.retiredSuffix) })
  }

  @Test func `Old logs are removed by the age of their events, not of their files`() throws {
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

  // MARK: In the background

  @Test func `A log seals what it has left and keeps its size, while it is written`() throws {
    let log = try test.open { configuration in
      configuration.maintains = true
      configuration.retention = Retention(maximumBytes: 100_000)
    }
    func isSealed(_ path: String) -> Bool { SegmentGlance(path: path)?.header.incompatible.contains(.compressed) == true }
    // Three segments and the beginning of a fourth.
    Workload.emit(0, numbers: 0..<40_000, to: log)
    // Nothing else sees to it; a test that waits for ever is red.
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

  @Test func `The next to open a log seals what a killed writer left`() throws {
    try write(0..<10_000, retention: .everything)
    let process = ProcessIdentity(
      pid: 0x3FFF_FFF0, start: 1, namespace: ProcessIdentity.current().namespace, boot: ProcessIdentity.current().boot,
      executable: "gone")
    let dead = try test.open { $0.process = process }
    dead.emit(thread: 1, number: 0)
    let next = try test.open { $0.maintains = true }
    while test.segments.dropLast().contains(where: { SegmentGlance(path: $0)?.header.incompatible.isEmpty == true }) {
      sched_yield()
    }
    next.close()
    let read = test.read()
    #expect(read.numbers == [0: Array(0..<10_000), 1: [0]])
    #expect(read.events(.processExitObserved).count == 1 && read.gaps.isEmpty)
    withExtendedLifetime(dead) {}
  }

  @Test func `Of lower levels what is old goes, and readers know that it is missing`() throws {
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
    // It is smaller, and is not done again.
    let sizes = try test.segments.map { try contents(of: $0) }
    let again = try test.open { $0.retention = Retention(levels: [.debug: .seconds(86_400)]) }
    again.maintain()
    again.close()
    #expect(try test.segments.prefix(sizes.count - 1).map { try contents(of: $0) } == Array(sizes.dropLast()))
  }

  @Test func `Events that cannot be taken out stay, are found by their session, and are no reason to try again`() throws {
    let log = try test.open { configuration in
      configuration.lowestLevel = .debug
      configuration.clock = clock(days: -3)
    }
    let logger = EventLogger(subsystem: "s", category: "c", log: log)
    // One session is named by an event in chunks of its own only.
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
