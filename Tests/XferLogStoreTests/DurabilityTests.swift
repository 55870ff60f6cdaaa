import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// What `sync` and the policies promise, but for the power cut itself.
struct DurabilityTests {
  @Test func `A sync by one thread covers what others emitted before`() throws {
    let test = TestLog()
    let log = try test.open()
    #expect(log.syncRounds == (0, 0))
    SystemThread.run(3) { thread in
      for number in 0..<20 {
        log.emit(thread: thread, number: number)
        let before = log.syncRounds.started
        #expect(throws: Never.self) { try log.sync() }
        // One that had begun before would not do.
        #expect(log.syncRounds.completed > before)
      }
    }
    #expect(log.syncRounds.completed <= 60)
    #expect(log.syncRounds.started == log.syncRounds.completed)
    log.close()
    #expect(test.read().gaps.isEmpty)
  }

  @Test func `Under always each event has its round before the call returns`() throws {
    let test = TestLog()
    let log = try test.open { $0.durability = .always }
    var before = log.syncRounds.completed
    #expect(before > 0, "what the log says of itself is an event, too")
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

  @Test func `Under an interval the log's own thread synchronises, and the last round is the one of the end`() throws {
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
    #expect(size == SegmentFormat.fileSize(chunks: 2), "a segment that was synchronised is cut, too")
  }

  @Test func `A forked child has a thread of its own`() throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["fork", test.directory, "count=2000", "durability=1"])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    for thread in 0..<5 { #expect(read.numbers[thread] == Array(0..<2000)) }
  }

  @Test func `Segments that were left are synchronised by name once no thread has them any more`() throws {
    let test = TestLog()
    let log = try test.open()
    Workload.emit(0, numbers: 0..<30_000, to: log)
    #expect(test.segments.count > 3)
    #expect(log.withWriter { $0.state.withLock { $0.written.items.count } } == test.segments.count)
    // Retention may have removed some: nobody wants them on the disk.
    unlink(test.segment(1))
    try log.sync()
    #expect(log.withWriter { $0.state.withLock { $0.written.items.map(\.isListed) } } == [true])
    log.close()
  }

  @Test func `A sync that fails says where and what to do, once, and the log goes on elsewhere`() throws {
    let test = TestLog()
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    rename(test.directory, test.path("away"))
    let error = #expect(throws: LogError.self) { try log.sync() }
    #expect(
      error?.description
        == "\(test.segment(1)): what was written to it may not be on the disk (No such file or directory).\n"
        + "Check the disk. What is emitted from now on goes to another segment.")
    #expect(error?.code.rawValue == "cannot-sync")
    rename(test.path("away"), test.directory)
    #expect(throws: Never.self) { try log.sync() }
    log.close()
  }

  /// One failing `fdatasync` or more in a run with threads, rotations, and a policy.
  @Test(
    .enabled(if: Strace.isPossible, "strace is missing or may not trace"),
    arguments: ["always", "1", "process"], [false, true])
  func `When synchronising fails the segment is left, the log says so, and nothing is missing or doubled`(
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
    #expect(!failures.isEmpty, "the fault did not fire")
    #expect(failures.allSatisfy { $0.osError == Int(EIO) && $0.segment != nil })
    #expect(Set(failures.map(\.segment)).count == failures.count, "what failed is not tried again")
    #expect(read.wrong == [])
    #expect(read.problems.isEmpty)
    DropCount(read).check(emitted: [0: count, 1: count, 2: count])
    // Sync is the app's own, so the app is told; the log's own thread tells the log.
    if durability == "process" { #expect(acknowledged[Acknowledgements.failures] > 0) }
    for failure in failures {
      let place = try #require(read.events.first { $0.reference == failure.reference })
      guard case .record(let segment, _, _) = place.reference else { continue }
      #expect(segment != failure.segment.map { UInt32($0) })
    }
  }

  @Test(.enabled(if: Strace.isPossible, "strace is missing or may not trace"))
  func `A disk that synchronises nothing costs events, which are counted, and not a segment for each`() throws {
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
