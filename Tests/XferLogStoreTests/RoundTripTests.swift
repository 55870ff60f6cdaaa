import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

struct RoundTripTests {
  @Test func `A segment past its maximum age is left at the next chunk for one of the same size`() throws {
    let test = TestLog()
    let clock = TestClock()
    let log = try test.open { configuration in
      configuration.clock = clock.clock
      configuration.maximumSegmentAge = .seconds(1)
    }
    for round in 0..<4 {
      clock.advance(by: 1_100_000_000)
      // Emit more than one chunk of events, but less than two.
      Workload.emit(0, numbers: round * 800..<(round + 1) * 800, to: log)
    }
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty && read.wrong == [])
    #expect(read.numbers[0] == Array(0..<3200))
    #expect(test.segments.count == 5)
    for path in test.segments { #expect(SegmentDraft(try contents(of: path)).header.number(at: 120, as: UInt32.self) == 8) }
  }

  @Test(arguments: [false, true])
  func `Events of several threads are read back completely and in order across rotations`(appends: Bool) throws {
    let test = TestLog()
    let log = try test.open { $0.forcesAppending = appends }
    let count = appends ? 8000 : 16_000
    SystemThread.run(4) { thread in Workload.emit(thread, numbers: 0..<count, to: log) }
    log.close()

    #expect(test.segments.count >= (appends ? 3 : 4))
    let read = test.read()
    #expect(read.problems.isEmpty)
    #expect(read.gaps.isEmpty)
    #expect(read.wrong == [])
    #expect(read.isOrdered)
    for thread in 0..<4 { #expect(read.numbers[thread] == Array(0..<count)) }
    for path in test.segments {
      let header = try SegmentReader.open(number: 1, path: path, name: "", index: 0).segment.header
      #expect(header.compatible.contains(.appended) == appends)
    }
    // The events about the log itself.
    #expect(read.events.first?.kind == .logOpened)
    #expect(read.events(.processStarted).count == 1)
    #expect(read.events.last?.kind == .logClosed)
    #expect(read.events.last?.dropped == 0)
  }

  @Test func `Mapped and appended segments contain the same events`() throws {
    func written(appends: Bool) throws -> [String] {
      let test = TestLog()
      let clock = TestClock()
      let random = Atomic<UInt64>(1)
      let log = try test.open { configuration in
        configuration.forcesAppending = appends
        configuration.clock = clock.clock
        configuration.random = { random.add(1, ordering: .relaxed).newValue }
      }
      Workload.emit(0, numbers: 0..<9000, to: log)
      log.close()
      return test.read().events.map { "\($0.reference) \($0.moment) \($0.layout.name) \($0.values)" }
    }
    let (mapped, appended) = (try written(appends: false), try written(appends: true))
    #expect(mapped.count > 9000)
    #expect(mapped == appended)
  }

  @Test func `Two processes with two threads each can write one log`() throws {
    let test = TestLog()
    let acknowledged = test.path("ack")
    let writers = [0, 2].map { first in
      ChildProcess(
        "log-writer-probe", ["write", test.directory, "ack=\(acknowledged)", "threads=2", "first=\(first)", "count=9000"])
    }
    for writer in writers { #expect(writer.wait() == .exit(0)) }
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.wrong == [])
    #expect(read.isOrdered)
    for thread in 0..<4 { #expect(read.numbers[thread] == Array(0..<9000)) }
    #expect(Set(read.events.map(\.source.writer.launch)).count == 2)
    #expect(Set(read.events.map(\.source.writer.pid)) == Set(writers.map { Int($0.pid) }))
    #expect(read.events(.processExitObserved).isEmpty)
  }

  @Test(arguments: [false, true])
  func `A fork during writing gives the child its own segments`(appends: Bool) throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["fork", test.directory, "count=6000", "appending=\(appends ? 1 : 0)"])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.wrong == [])
    for thread in 0..<5 { #expect(read.numbers[thread] == Array(0..<6000), "thread \(thread)") }
    let parent = read.events.filter { $0.task.map { $0.number < 3 } ?? false }
    let child = read.events.filter { $0.task.map { $0.number >= 3 } ?? false }
    #expect(Set(parent.map(\.source.writer.pid)) == [Int(probe.pid)])
    #expect(Set(child.compactMap(\.source.writer.launch)).count == 1, "two threads of the child must share one writer")
    #expect(Set(parent.compactMap(\.source.writer.launch)).isDisjoint(with: child.compactMap(\.source.writer.launch)))
    #expect(read.events(.processStarted).count == 2)
    #expect(read.events(.logClosed).count == 2)
  }

  @Test func `A forked thread can end in the child, whatever locks the parent's other threads held`() throws {
    let test = TestLog()
    let count = isCampaign ? 400 : 25
    let probe = ChildProcess("log-writer-probe", ["fork-threads", test.directory, "count=\(count)"])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.wrong == [])
    #expect(read.numbers[2] == Array(0..<count))
    #expect(read.numbers[3] == Array(0..<count))
    // The child's thread is its main thread, so its thread ID equals the child's process ID.
    for event in read.events where Workload.place(of: event)?.thread == 3 {
      #expect(event.thread.map(Int.init) == event.source.writer.pid)
    }
    #expect(Set(read.events.map(\.source.writer.pid)).count == count + 1)
  }

  @Test func `Short-lived threads share a few lanes, and each event has its own thread's ID`() throws {
    let test = TestLog()
    let log = try test.open()
    let numbers = Mutex<[Int: UInt32]>([:])
    for thread in 0..<1000 {
      let started = SystemThread {
        let number = kernelThreadNumber()
        numbers.withLock { $0[thread] = number }
        log.emit(thread: thread, number: 0)
        log.emit(thread: thread, number: 3)
      }
      started.join()
    }
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.wrong == [])
    let lanes = Set(
      read.events.map { event -> UInt32 in
        if case .record(_, let lane, _, _) = event.reference { lane } else { 0 }
      })
    #expect(lanes.count == 2)
    #expect(test.segments.count == 1)
    let threads = numbers.withLock { $0 }
    var seen = 0
    for event in read.events {
      guard let (thread, _) = Workload.place(of: event) else { continue }
      #expect(event.thread == threads[thread])
      seen += 1
    }
    #expect(seen == 2000)
  }

  @Test func `A thread can alternate between more logs than it has slots`() throws {
    let tests = (0..<12).map { _ in TestLog() }
    let logs = try tests.map { try $0.open() }
    for number in 0..<40 {
      for log in logs { log.emit(thread: 0, number: number) }
    }
    for log in logs { log.close() }
    for test in tests {
      let read = test.read()
      #expect(read.gaps.isEmpty)
      #expect(read.numbers[0] == Array(0..<40))
    }
  }

  @Test func `Events emitted after closing are counted, not written`() throws {
    let test = TestLog()
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    log.close()
    log.emit(thread: 0, number: 1)
    log.close()
    let read = test.read()
    #expect(read.numbers[0] == [0])
    #expect(read.events(.logClosed).count == 1)
    #expect(read.events(.processExited).first?.exitReason == .returned)
  }

  @Test func `Threads may emit while the log is closed`() throws {
    for seed in seeds(15, campaign: 500) {
      let test = TestLog()
      let log = try test.open { $0.forcesAppending = seed % 3 == 0 }
      let written = 4
      let stop = Atomic(false)
      let started = Atomic(0)
      let threads = (0..<written).map { thread in
        SystemThread {
          var number = 0
          while !stop.load(ordering: .relaxed) {
            log.emit(thread: thread, number: number)
            number += 1
            if number == 50 { started.add(1, ordering: .relaxed) }
          }
        }
      }
      while started.load(ordering: .relaxed) < written { sched_yield() }
      var random = SeededRandom(seed: seed)
      Workload.emit(9, numbers: 0..<Int.random(in: 0...4000, using: &random), to: log)
      log.close()
      stop.store(true, ordering: .relaxed)
      for thread in threads { thread.join() }
      let read = test.read()
      #expect(read.gaps.isEmpty, "seed \(seed)")
      #expect(read.wrong == [], "seed \(seed)")
      for thread in 0..<written {
        let numbers = read.numbers[thread] ?? []
        #expect(numbers == Array(0..<numbers.count), "seed \(seed)")
      }
    }
  }

  @Test func `Events below the lowest level are excluded, and lifecycle events are always logged`() throws {
    let test = TestLog()
    let log = try test.open { $0.lowestLevel = .fault }
    #expect(log.keeps(.taskCreated))
    #expect(log.keeps(.attemptBytesReceived))
    log.emit(TaskResumed(task: Workload.task(1)))
    log.close()
    #expect(test.read().events(.taskResumed).count == 1)
    #expect(test.read().events.first?.source.writer.lowestLevel == .fault)
  }

  @Test func `The first segment names the writer, the boot and the modes`() throws {
    let test = TestLog()
    let log = try test.open { configuration in
      configuration.role = .daemon
      configuration.privacy = PrivacyPolicy(mode: .full, key: (1, 2))
      configuration.isSynthetic = true
      configuration.startReason = .push
    }
    log.close(exitCode: 7, reason: .signal)
    let read = test.read()
    let writer = try #require(read.events.first?.source.writer)
    #expect(writer.role == .daemon)
    #expect(writer.captureMode == .full)
    #expect(writer.pid == Int(getpid()))
    #expect(writer.boot == ProcessIdentity.current().boot)
    #expect(writer.launch == log.launch)
    #expect(read.events.map(\.layout.name).prefix(4) == ["log.opened", "clock.sampled", "process.started", "message.fault"])
    #expect(read.events(.processStarted).first?.startReason == .push)
    #expect(read.events(.processStarted).first?.synthetic == true)
    #expect(read.events(.processExited).first?.code == 7)
    #expect(
      try SegmentReader.open(number: 1, path: test.segment(1), name: "", index: 0).segment.header.compatible == [.synthetic])
  }

  @Test func `Events remain readable after their reader is deallocated`() throws {
    let test = TestLog()
    let log = try test.open()
    Workload.emit(0, numbers: 0..<100, to: log)
    log.close()
    func events() -> [RecordedEvent] {
      LogReader([.directory(test.directory)]).compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
    let kept = events()
    #expect(kept.compactMap(Workload.place).count == 100)
    #expect(kept.filter { Workload.place(of: $0) != nil }.allSatisfy(Workload.isWhole))
  }

  @Test func `An unfinished log of the same process is read up to its last event`() throws {
    let test = TestLog()
    let log = try test.open()
    Workload.emit(0, numbers: 0..<777, to: log)
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.numbers[0] == Array(0..<777))
    log.close()
  }

  @Test func `Chunks that are claimed while the slots are visited are left for later`() throws {
    let test = TestLog()
    let log = try test.open()
    Workload.emit(0, numbers: 0..<1000, to: log)
    let path = try #require(test.segments.last)
    let (segment, source) = try SegmentReader.open(number: 1, path: path, name: "1", index: 0)
    defer { withExtendedLifetime(source) {} }
    segment.noteClaims()
    Workload.emit(0, numbers: 1000..<4000, to: log)
    // The search for a definition finds the new chunks, too.
    segment.refreshDictionary()
    let before = segment.newChunks(everything: true).map(\.index)
    #expect(segment.newChunks(everything: true).isEmpty)
    segment.noteClaims()
    let after = segment.newChunks(everything: true).map(\.index)
    #expect(before.count > 0 && after.count > 1 && before.max()! < after.min()!, "\(before), \(after)")
    // A reader that has noted no claims finds all of them.
    let (other, otherSource) = try SegmentReader.open(number: 1, path: path, name: "1", index: 0)
    defer { withExtendedLifetime(otherSource) {} }
    #expect(other.newChunks(everything: true).map(\.index) == before + after)
    log.close()
  }

  @Test func `A log that is read while it is written shows no damage`() throws {
    let test = TestLog()
    let log = try test.open()
    let stop = Atomic(false)
    let started = Atomic(false)
    let writer = SystemThread {
      var number = 0
      while !stop.load(ordering: .relaxed) {
        log.emit(thread: 0, number: number)
        number += 1
        if number == 100 { started.store(true, ordering: .relaxed) }
      }
    }
    while !started.load(ordering: .relaxed) { sched_yield() }
    for _ in 0..<(isCampaign ? 200 : 12) {
      let read = test.read()
      #expect(read.wrong == [])
      let numbers = read.numbers[0] ?? []
      #expect(numbers == Array(0..<numbers.count))
      // A record that is being written may look torn, but there must be no other gap.
      #expect(read.gaps.filter { $0.cause != .torn } == [])
      if read.events.count > 60_000 { break }
    }
    stop.store(true, ordering: .relaxed)
    writer.join()
    log.close()
  }

  /// Returns the thread ID from /proc, independently of the code under test.
  private func kernelThreadNumber() -> UInt32 {
    let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    return link.split(separator: "/").last.flatMap { UInt32($0) } ?? 0
  }
}
