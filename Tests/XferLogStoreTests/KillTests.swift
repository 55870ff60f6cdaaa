import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// A writer is killed; every event whose call had returned is in its log.
struct KillTests {
  /// What must hold for a log whose writer died, given what it had acknowledged.
  private func check(_ test: TestLog, _ acknowledged: [Int: UInt64], _ trial: String) {
    let read = test.read()
    // A kill between a file and its header leaves a segment that holds nothing.
    #expect(read.problems.allSatisfy { $0.error.code == .unfinished && $0.path == test.segments.last }, "\(trial)")
    #expect(read.wrong == [], "\(trial)")
    #expect(read.isOrdered, "\(trial)")
    for (thread, count) in acknowledged {
      let numbers = read.numbers[thread] ?? []
      #expect(numbers == Array(0..<numbers.count), "\(trial), thread \(thread)")
      #expect(numbers.count >= Int(count), "\(trial), thread \(thread): lost what was acknowledged")
      // At most the one event whose call had not returned.
      #expect(numbers.count <= Int(count) + 1, "\(trial), thread \(thread)")
    }
    #expect(read.gaps.filter { $0.cause != .torn } == [], "\(trial)")
    let torn = Dictionary(grouping: read.gaps, by: \.lane).mapValues(\.count)
    #expect(torn.values.allSatisfy { $0 <= 1 }, "\(trial)")
    #expect(torn.count <= acknowledged.count, "\(trial)")
  }

  @Test(arguments: [false, true])
  func `SIGKILL at any moment loses nothing that was acknowledged`(appends: Bool) throws {
    for seed in seeds(10, campaign: 500) {
      var random = SeededRandom(seed: seed &* 2 &+ (appends ? 1 : 0))
      let test = TestLog()
      let threads = Int.random(in: 1...3, using: &random)
      let target = UInt64.random(in: 1...(appends ? 6000 : 20_000), using: &random)
      let acknowledged = Acknowledgements(path: test.path("ack"))
      let probe = ChildProcess(
        "log-writer-probe",
        ["write", test.directory, "ack=\(test.path("ack"))", "threads=\(threads)", "appending=\(appends ? 1 : 0)"])
      let watched = Int.random(in: 0..<threads, using: &random)
      while acknowledged[watched] < target, !probe.hasEnded { sched_yield() }
      probe.kill()
      #expect(probe.wait() == .signal(SIGKILL))
      let counts = Dictionary(uniqueKeysWithValues: (0..<threads).map { ($0, acknowledged[$0]) })
      check(test, counts, "seed \(seed), \(threads) threads, at \(target), appending \(appends)")
    }
  }

  /// The first events of a lane, those around the first full chunk and the first full segment, and some at random.
  private static let places: [Int] = {
    var random = SeededRandom(seed: 7)
    return [3, 4, 5, 680, 681, 682, 4500] + (0..<(isCampaign ? 200 : 5)).map { _ in Int.random(in: 3..<9000, using: &random) }
  }()

  @Test(arguments: [false, true])
  func `A kill right before or after an event's commit loses that event at most`(appends: Bool) throws {
    for place in Self.places {
      for moment in ["before", "after-commit"] {
        let test = TestLog()
        let acknowledged = Acknowledgements(path: test.path("ack"))
        let probe = ChildProcess(
          "log-writer-probe",
          [
            "write", test.directory, "ack=\(test.path("ack"))", "kill=2:\(place):\(moment)", "count=10000",
            "appending=\(appends ? 1 : 0)",
          ])
        #expect(probe.wait() == .signal(SIGKILL))
        let trial = "2:\(place):\(moment), appending \(appends)"
        check(test, [0: acknowledged[0]], trial)
        let read = test.read()
        // Lane 2 is the one writing thread's, so its position is the event's number.
        #expect(read.numbers[0]?.count ?? 0 == (moment == "before" ? place : place + 1), "\(trial)")
        #expect(acknowledged[0] == UInt64(place), "\(trial)")
        // Encoded but not committed: a mapped log shows that something was begun.
        let expected = moment == "before" && !appends ? [LogGap.Cause.torn] : []
        #expect(read.gaps.map(\.cause) == expected, "\(trial)")
      }
    }
  }

  @Test func `The kill hook is read from its text`() {
    #expect(KillHook("3:17:before") == KillHook(lane: 3, sequence: 17, afterCommit: false))
    #expect(KillHook("3:17:after-commit") == KillHook(lane: 3, sequence: 17, afterCommit: true))
    for text in ["", "3:17", "3:17:after", "-1:17:before", "3:x:before", "3:17:before:more"] {
      #expect(KillHook(text) == nil, "\(text)")
    }
  }

  // MARK: Who died

  /// The ends that the log's openers have recorded.
  private func observed(_ test: TestLog) -> [RecordedEvent] { test.read().events(.processExitObserved) }

  private func killedWriter(_ test: TestLog, threads: Int = 1) -> ChildProcess {
    let counters = test.path("ack \(UInt64.random(in: .min ... .max))")
    let acknowledged = Acknowledgements(path: counters)
    let probe = ChildProcess("log-writer-probe", ["write", test.directory, "ack=\(counters)", "threads=\(threads)"])
    while acknowledged[0] < 5000, !probe.hasEnded { sched_yield() }
    probe.kill()
    return probe
  }

  @Test func `The next opener records a killed writer's end, once`() throws {
    let test = TestLog()
    let probe = killedWriter(test)
    probe.wait()
    try test.open().close()
    let first = observed(test)
    #expect(first.count == 1)
    let event = try #require(first.first)
    let writer = try #require(test.read().events.first { $0.source.writer.pid == Int(probe.pid) }?.source.writer)
    #expect(event.pid == Int(probe.pid))
    #expect(event.exitReason == .missing)
    #expect(event.launch == writer.launch)
    #expect(event.executable == "log-writer-probe")
    #expect(event.boot == ProcessIdentity.current().boot)
    #expect(event.code == nil)
    let marks = LogDirectory.names(in: test.directory).filter { $0.hasSuffix(".observed") }
    // Only its last segment was left open.
    #expect(marks == [LogDirectory.name(of: UInt32(try #require(event.segment))).replacing(".seg", with: ".observed")])
    try test.open().close()
    #expect(observed(test).count == 1)
  }

  @Test func `A killed writer that its parent has not fetched yet is dead too`() throws {
    let test = TestLog()
    let probe = killedWriter(test)
    probe.waitForDeath()
    try test.open().close()
    #expect(observed(test).map(\.pid) == [Int(probe.pid)])
  }

  @Test func `A living writer is not reported, nor one that closed its log`() throws {
    let test = TestLog()
    let acknowledged = Acknowledgements(path: test.path("ack"))
    let probe = ChildProcess(
      "log-writer-probe", ["write", test.directory, "ack=\(test.path("ack"))", "count=10", "stay=1"])
    while acknowledged[0] < 10, !probe.hasEnded { sched_yield() }
    try test.open().close()
    try test.open().close()
    #expect(observed(test).isEmpty)
    #expect(LogDirectory.names(in: test.directory).allSatisfy { $0.hasSuffix(".seg") || $0 == LevelFile.name })
    probe.kill()
    probe.wait()
    try test.open().close()
    #expect(observed(test).count == 1)
  }

  @Test func `Several dead writers are recorded one by one`() throws {
    let test = TestLog()
    let probes = (0..<3).map { _ in killedWriter(test, threads: 2) }
    for probe in probes { probe.wait() }
    try test.open().close()
    #expect(observed(test).compactMap(\.pid).sorted() == probes.map { Int($0.pid) }.sorted())
  }

  /// A log left open by a writer that claims to be another process.
  private func leftOpen(_ test: TestLog, by change: (inout ProcessIdentity) -> Void) throws {
    let log = try test.open { change(&$0.process) }
    log.emit(thread: 0, number: 0)
  }

  @Test func `A writer of an earlier boot ended with that boot`() throws {
    let test = TestLog()
    let boot = BootID(high: 1, low: 2)
    try leftOpen(test) { $0.boot = boot }
    try test.open().close()
    #expect(observed(test).map(\.exitReason) == [.rebooted])
    #expect(observed(test).first?.boot == boot)
    try test.open().close()
    #expect(observed(test).count == 1)
  }

  @Test func `A process number that was given out again does not hide a death`() throws {
    let test = TestLog()
    try leftOpen(test) { $0.start += 1 }
    try test.open().close()
    #expect(observed(test).map(\.exitReason) == [.missing])
    #expect(observed(test).first?.pid == Int(getpid()))
  }

  @Test func `A process of another pid namespace cannot be judged`() throws {
    let test = TestLog()
    try leftOpen(test) { identity in
      identity.namespace += 1
      identity.pid = 1 << 22 + 1
    }
    try test.open().close()
    #expect(observed(test).isEmpty)
    #expect(LogDirectory.names(in: test.directory).allSatisfy { $0.hasSuffix(".seg") || $0 == LevelFile.name })
  }

  @Test func `Fates are told by boot, namespace, number and start`() {
    let here = ProcessIdentity.current()
    var other = here
    #expect(other.fate(seenFrom: here) == .running)
    other.start += 1
    #expect(other.fate(seenFrom: here) == .gone)
    other.start = 0
    #expect(other.fate(seenFrom: here) == .running, "an unknown start is no proof of death")
    other.pid = .max
    #expect(other.fate(seenFrom: here) == .gone)
    other.namespace += 1
    #expect(other.fate(seenFrom: here) == .unknowable)
    other.boot = BootID(high: 0, low: 1)
    #expect(other.fate(seenFrom: here) == .rebooted)
  }
}
