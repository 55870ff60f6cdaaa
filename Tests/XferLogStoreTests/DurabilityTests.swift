import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents
import XferThreads

@testable import XferLogStore

/// Tests of `sync` and the durability policies, without an actual power loss.
struct DurabilityTests {
  @Test func `A sync by one thread covers earlier events of other threads`() throws {
    let test = TestLog()
    let log = try test.open()
    #expect(log.syncRounds == (0, 0))
    SystemThread.run(3) { thread in
      for number in 0..<20 {
        log.emit(thread: thread, number: number)
        let before = log.syncRounds.started
        #expect(throws: Never.self) { try log.sync() }
        // A round that had begun before this call would not cover the event.
        #expect(log.syncRounds.completed > before)
      }
    }
    #expect(log.syncRounds.completed <= 60)
    #expect(log.syncRounds.started == log.syncRounds.completed)
    log.close()
    #expect(test.read().gaps.isEmpty)
  }

  /// A clock that advances with each round of syncs, by a time that the disk seems to take.
  private final class SlowDisk: Sendable {
    private let log = Mutex<EventLog?>(nil)
    private let round: Int64

    init(round: Duration) { self.round = Int64(round / .nanoseconds(1)) }

    func carry(_ log: EventLog?) { self.log.withLock { $0 = log } }

    private var time: Int64 { 1 + round * Int64(log.withLock { $0?.syncRounds.completed } ?? 0) }
    var clock: LogClock { LogClock(monotonic: { self.time }, boottime: { self.time }, wall: { self.time }) }
  }

  @Test(arguments: [(milliseconds: 900, count: 0), (milliseconds: 1000, count: 1)])
  func `A sync that keeps its caller waiting for a second is logged`(milliseconds: Int, count: Int) throws {
    let test = TestLog()
    let disk = SlowDisk(round: .milliseconds(milliseconds))
    let log = try test.open { $0.clock = disk.clock }
    disk.carry(log)
    try log.sync()
    disk.carry(nil)
    let stalls = test.read().events(.logStalled)
    #expect(stalls.count == count)
    #expect(stalls.allSatisfy { $0.logWork == .sync && $0.elapsed == .seconds(1) && $0.segment == 1 })
    log.close()
  }

  @Test func `With the policy always, the event about a slow sync is not followed by events about its own sync`() throws {
    let test = TestLog()
    let disk = SlowDisk(round: .seconds(2))
    let log = try test.open {
      $0.durability = .always
      $0.clock = disk.clock
    }
    disk.carry(log)
    for number in 0..<3 { log.emit(thread: 0, number: number) }
    disk.carry(nil)
    #expect(test.read().events(.logStalled).count == 3)
    log.close()
  }

  @Test func `With the policy always, each event is synced before its call returns`() throws {
    let test = TestLog()
    let log = try test.open { $0.durability = .always }
    var before = log.syncRounds.completed
    #expect(before > 0, "events about the log itself are synced too")
    for number in 0..<20 {
      log.emit(thread: 0, number: number)
      #expect(log.syncRounds.completed == before + 1)
      before += 1
    }
    SystemThread.run(4) { thread in Workload.emit(thread + 1, numbers: 0..<50, to: log) }
    // Threads that wait at the same time share a round.
    #expect(log.syncRounds.completed <= before + 200)
    log.close()
    let read = test.read()
    #expect(read.events.filter { Workload.place(of: $0) != nil }.count == 220)
    #expect(read.gaps.isEmpty)
  }

  @Test func `With an interval, a background thread syncs, and closing the log runs a last round`() throws {
    let test = TestLog()
    let log = try test.open { $0.durability = .interval(.milliseconds(1)) }
    for number in 0..<5 {
      let before = log.syncRounds.started
      log.emit(thread: 0, number: number)
      while log.syncRounds.completed <= before { sched_yield() }
    }
    let before = log.syncRounds.completed
    log.close()
    #expect(log.syncRounds.completed > before)
    #expect(test.read().numbers[0] == Array(0..<5))
    let size = try #require(try FileManager.default.attributesOfItem(atPath: test.segment(1))[.size] as? Int)
    #expect(size == SegmentFormat.fileSize(chunks: 2), "a synced segment is truncated when the log is closed")
  }

  @Test func `A forked child starts its own sync thread`() throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["fork", test.directory, "count=2000", "durability=1"])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    for thread in 0..<5 { #expect(read.numbers[thread] == Array(0..<2000)) }
  }

  @Test func `Finished segments are synced by name once no thread writes to them`() throws {
    let test = TestLog()
    let log = try test.open()
    Workload.emit(0, numbers: 0..<30_000, to: log)
    #expect(test.segments.count > 3)
    #expect(log.withWriter { $0.state.withLock { $0.written.items.count } } == test.segments.count)
    // Retention may remove segments, which then need no sync.
    unlink(test.segment(1))
    try log.sync()
    #expect(log.withWriter { $0.state.withLock { $0.written.items.map(\.isListed) } } == [true])
    log.close()
  }

  @Test func `A log that the app drops without closing it is released, although its threads have ended`() throws {
    let test = TestLog()
    weak var writer: LogWriter?
    do {
      let log = try test.open()
      writer = log.withWriter { $0 }
      SystemThread.run(3) { thread in log.emit(thread: thread, number: 0) }
      #expect(writer != nil)
    }
    #expect(writer == nil)
    #expect(test.read().events.count >= 3)
  }

  @Test func `A failed sync throws once, with the path and advice, and the log continues in another segment`() throws {
    let test = TestLog()
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    rename(test.directory, test.path("away"))
    let error = #expect(throws: LogError.self) { try log.sync() }
    #expect(
      error?.description
        == "\(test.segment(1)): its events may not have reached the disk (No such file or directory).\n"
        + "Check the disk. Later events are written to another segment.")
    #expect(error?.code.rawValue == "cannot-sync")
    rename(test.path("away"), test.directory)
    #expect(throws: Never.self) { try log.sync() }
    log.close()
  }

  /// Runs several threads with rotation under one policy, while some `fdatasync` calls fail.
  @Test(
    .enabled(if: Strace.isPossible, "strace is missing or not permitted"),
    arguments: ["always", "1", "process"], [false, true])
  func `When a sync fails, the log reports it and leaves the segment without losing or duplicating events`(
    durability: String, appends: Bool
  ) throws {
    let test = TestLog()
    let acknowledged = Acknowledgements(path: test.path("ack"))
    let count = durability == "always" ? 300 : 4000
    let run = try Strace.run(
      inject: "fdatasync:error=EIO:when=4+9", in: test.directory, trace: test.path("trace"),
      [
        "write", test.directory, "ack=\(test.path("ack"))", "threads=3", "count=\(count)", "durability=\(durability)",
        "burst=\(durability == "process" ? 200 : 50)", "appending=\(appends ? 1 : 0)",
      ])
    #expect(run.status == 0, "\(run.standardError)")
    let read = test.read()
    let failures = read.events(.logSyncFailed)
    #expect(!failures.isEmpty, "the injected fault did not occur")
    #expect(failures.allSatisfy { $0.osError == Int(EIO) && $0.segment != nil })
    #expect(Set(failures.map(\.segment)).count == failures.count, "a failed segment is not synced again")
    #expect(read.wrong == [])
    #expect(read.problems.isEmpty)
    DropCount(read).check(emitted: [0: count, 1: count, 2: count])
    // The app calls sync itself, so it receives the error. Failures of the background thread are recorded in the log.
    if durability == "process" { #expect(acknowledged[Acknowledgements.failures] > 0) }
    for failure in failures {
      let place = try #require(read.events.first { $0.reference == failure.reference })
      guard case .record(let segment, _, _, _) = place.reference else { continue }
      #expect(segment != failure.segment.map { UInt32($0) })
    }
  }

  @Test(.enabled(if: Strace.isPossible, "strace is missing or not permitted"))
  func `A disk on which every sync fails causes counted drops, not one segment per event`() throws {
    let test = TestLog()
    let count = 400
    let run = try Strace.run(
      inject: "fdatasync:error=EIO", in: test.directory, trace: test.path("trace"),
      ["write", test.directory, "ack=\(test.path("ack"))", "count=\(count)", "durability=always", "burst=1"])
    #expect(run.status == 0, "\(run.standardError)")
    let read = test.read()
    #expect(test.segments.count < count / 4)
    #expect(read.wrong == [])
    #expect(read.numbers[0]?.count ?? 0 <= count)
  }
}
