import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that a reader that follows a running writer sees every event once, in lane order.
struct FollowTests {
  /// Reads until the given condition holds for the events read so far.
  private func follow(_ reader: LogReader, until isComplete: (LogContents) -> Bool) -> LogContents {
    var read = LogContents()
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      while let member = reader.next() { read.add(member) }
      if isComplete(read) { return read }
      if ContinuousClock.now > deadline {
        Issue.record("some events did not arrive")
        return read
      }
      reader.refresh()
    }
  }

  private func check(_ read: LogContents, threads: Int, count: Int) {
    #expect(read.gaps.isEmpty)
    #expect(read.wrong == [])
    for thread in 0..<threads { #expect(read.numbers[thread] == Array(0..<count), "thread \(thread)") }
    var last: [UInt32: UInt64] = [:]
    for event in read.events {
      guard case .record(_, let lane, let sequence, _) = event.reference else { continue }
      if let before = last[lane], sequence <= before { Issue.record("\(event.reference) after \(before)") }
      last[lane] = sequence
    }
  }

  @Test(arguments: [false, true])
  func `A follower sees every event of a running writer once, across rotations`(appends: Bool) throws {
    let test = TestLog()
    let reader = LogReader([.directory(test.directory)], isFollowing: true)
    let log = try test.open { $0.forcesAppending = appends }
    let count = appends ? 8000 : 20_000
    let writers = (0..<2).map { thread in SystemThread { Workload.emit(thread, numbers: 0..<count, to: log) } }
    let read = follow(reader) { ($0.numbers[0]?.count ?? 0) + ($0.numbers[1]?.count ?? 0) >= 2 * count }
    for writer in writers { writer.join() }
    check(read, threads: 2, count: count)
    #expect(reader.problems.isEmpty)
    log.close()
    let end = follow(reader) { !$0.events(.logClosed).isEmpty }
    #expect(end.gaps.isEmpty)
    reader.refresh()
    #expect(reader.next() == nil)
  }

  @Test(arguments: [false, true])
  func `A follower sees every event of another process until it is killed`(appends: Bool) throws {
    let test = TestLog()
    let acknowledged = Acknowledgements(path: test.path("ack"))
    let reader = LogReader([.directory(test.directory)], isFollowing: true)
    let probe = ChildProcess(
      "log-writer-probe",
      ["write", test.directory, "ack=\(test.path("ack"))", "threads=2", "appending=\(appends ? 1 : 0)"])
    let target = appends ? 5000 : 12_000
    var read = follow(reader) { $0.numbers[0]?.count ?? 0 >= target }
    probe.kill()
    probe.wait()
    reader.refresh()
    while let member = reader.next() { read.add(member) }
    #expect(read.gaps.isEmpty)
    #expect(read.wrong == [])
    for thread in 0..<2 {
      let numbers = read.numbers[thread] ?? []
      let firstWrong = zip(numbers, 0...).first { $0 != $1 }
      #expect(firstWrong == nil, "thread \(thread)")
      #expect(numbers.count >= Int(acknowledged[thread]))
    }
  }

  /// A follower that finds an incomplete segment header retries later instead of rejecting the segment.
  @Test
  func `A follower that polls continuously never misses the start of a log`() throws {
    for round in 0..<(isCampaign ? 5000 : 150) {
      let test = TestLog()
      let reader = LogReader([.directory(test.directory)], isFollowing: true)
      let directory = test.directory
      let writer = SystemThread {
        let configuration = LogConfiguration(role: .tool, privacy: Workload.policy, maintains: false)
        guard let log = try? EventLog(directory: directory, configuration: configuration) else { return }
        Workload.emit(0, numbers: 0..<20, to: log)
        log.close()
      }
      var read = LogContents([])
      while read.events(.logClosed).isEmpty, reader.problems.isEmpty, read.gaps.isEmpty {
        reader.refresh()
        while let member = reader.next() { read.add(member) }
      }
      writer.join()
      #expect(reader.problems.isEmpty, "round \(round): \(reader.problems)")
      #expect(read.gaps.isEmpty && read.numbers[0] == Array(0..<20), "round \(round)")
    }
  }

  @Test(arguments: [false, true])
  func `Each event is available after one refresh, with names defined later`(appends: Bool) throws {
    let test = TestLog()
    let log = try test.open { $0.forcesAppending = appends }
    let reader = LogReader([.directory(test.directory)], isFollowing: true)
    while reader.next() != nil {}
    for number in 0..<3000 {
      // Use a new name for each event, so that it is defined after the reader has read the dictionary.
      log.emit(AppBeatSent(name: "beat \(number)"))
      reader.refresh()
      guard case .event(let event)? = reader.next() else {
        Issue.record("event \(number) did not arrive")
        break
      }
      #expect(event.name == "beat \(number)")
      #expect(reader.next() == nil)
    }
    log.close()
  }

  @Test func `A follower survives the truncation when the log is closed`() throws {
    let test = TestLog()
    let log = try test.open()
    // Only one of eight chunks is used. The others are truncated while the follower has the file open.
    log.emit(thread: 0, number: 0)
    let follower = LogReader([.directory(test.directory)], isFollowing: true)
    let reader = LogReader([.directory(test.directory)])
    while follower.next() != nil {}
    log.close()
    #expect(try contents(of: test.segment(1)).count < SegmentFormat.fileSize(chunks: SegmentFormat.firstChunks))
    follower.refresh()
    var kinds: [String] = []
    while case .event(let event)? = follower.next() { kinds.append(event.layout.name) }
    #expect(kinds == ["process.exited", "log.closed"])
    follower.refresh()
    #expect(follower.next() == nil)
    reader.refresh()
    #expect(reader.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }.isEmpty)
  }

  @Test func `A log that does not exist yet is followed from its first event`() throws {
    let test = TestLog()
    let reader = LogReader([.directory(test.directory)], isFollowing: true)
    #expect(reader.next() == nil)
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    reader.refresh()
    let read = follow(reader) { $0.numbers[0]?.count == 1 }
    #expect(read.events.first?.kind == .logOpened)
    log.close()
  }

  @Test func `A segment whose header is incomplete is retried`() throws {
    let test = TestLog()
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    log.close()
    let bytes = try contents(of: test.segment(1))
    let directory = TemporaryDirectory()
    let reader = LogReader([.directory(directory.path)], isFollowing: true)
    for size in [0, 100, 4096] {
      // The file as its writer leaves it before it stores the magic.
      try write([UInt8](repeating: 0, count: min(8, size)) + bytes[min(8, size)..<size], to: directory.path("000001.seg"))
      reader.refresh()
      #expect(reader.next() == nil)
      #expect(reader.problems.isEmpty)
    }
    try write(bytes, to: directory.path("000001.seg"))
    reader.refresh()
    #expect(follow(reader) { !$0.events(.logClosed).isEmpty }.numbers[0] == [0])
  }

  @Test func `Several logs are merged by their clocks`() throws {
    let clock = TestClock()
    let tests = [TestLog(), TestLog(), TestLog()]
    let logs = try tests.map { test in try test.open { $0.clock = clock.clock } }
    for number in 0..<300 { logs[number % 3].emit(thread: number % 3, number: number) }
    for log in logs { log.close() }
    let read = LogContents(tests.map { .directory($0.directory) })
    #expect(read.events.compactMap { Workload.place(of: $0)?.number } == Array(0..<300))
    // Read the same three logs again, in another order and by their file names.
    let files = LogContents([2, 0, 1].map { .segment(tests[$0].segment(1)) })
    #expect(files.events.compactMap { Workload.place(of: $0)?.number } == Array(0..<300))
  }

  @Test func `Boots are ordered by the wall clock, independent of the monotonic clock`() throws {
    let test = TestLog()
    for boot in [3, 1, 2] as [UInt64] {
      let log = try test.open { configuration in
        configuration.process.boot = BootID(high: boot, low: 0)
        // Later boots have smaller monotonic times.
        let monotonic = Atomic(Int64(1000 - boot) * 1_000_000)
        configuration.clock = LogClock(
          monotonic: { monotonic.add(1, ordering: .relaxed).newValue }, boottime: { 0 },
          wall: { Int64(boot) * 1_000_000_000_000 })
      }
      Workload.emit(Int(boot), numbers: 0..<5, to: log)
      log.close()
    }
    let read = test.read()
    #expect(read.events.compactMap { Workload.place(of: $0)?.thread } == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
    #expect(read.gaps.isEmpty)
  }

  @Test func `A clock that steps back preserves the lane's order`() throws {
    let test = TestLog()
    let time = Atomic<Int64>(1_000_000_000)
    let log = try test.open { configuration in
      configuration.clock = LogClock(monotonic: { time.load(ordering: .relaxed) }, boottime: { 0 }, wall: { 0 })
    }
    for (number, step) in [0, 5, -2_000_000_000, 7, 300_000_000_000_000, 1].enumerated() {
      time.add(Int64(step), ordering: .relaxed)
      log.emit(thread: 0, number: number)
    }
    log.close()
    let read = test.read()
    #expect(read.numbers[0] == Array(0..<6))
    #expect(read.gaps.isEmpty)
    // An event more than 78 hours after the start of its chunk begins a new chunk, so its time is still correct.
    #expect(read.events.last?.monotonic == time.load(ordering: .relaxed))
  }
}
