import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that the log of a killed writer contains every event whose call had returned.
@Suite(.timeLimit(.minutes(isCampaign ? 60 : 5))) struct KillTests {
  private struct Lane: Hashable {
    let launch: LaunchID?
    let lane: UInt32?
  }

  /// Checks the log of killed writers against the numbers of events that their threads had acknowledged.
  @discardableResult
  private func check(_ test: TestLog, _ acknowledged: [Int: UInt64], _ trial: String) throws -> LogContents {
    let read = test.read()
    // A kill between creating a file and writing its header leaves an empty segment.
    #expect(read.problems.filter { $0.error.code != .unfinished }.map(\.error.description) == [], "\(trial)")
    #expect(read.wrong == [], "\(trial)")
    #expect(read.isOrdered, "\(trial)")
    for (thread, count) in acknowledged {
      let numbers = read.numbers[thread] ?? []
      #expect(numbers == Array(0..<numbers.count), "\(trial), thread \(thread)")
      #expect(numbers.count >= Int(count), "\(trial), thread \(thread): an acknowledged event is lost")
      // At most one event can be in the log although its call had not returned.
      #expect(numbers.count <= Int(count) + 1, "\(trial), thread \(thread)")
    }
    #expect(read.unexplainedGaps == [], "\(trial)")
    let torn = read.gaps.filter { $0.cause == .torn }
    let tornLanes = Dictionary(grouping: torn) { Lane(launch: $0.launch, lane: $0.lane) }
    #expect(tornLanes.values.allSatisfy { $0.count <= 1 }, "\(trial)")
    let replay = try ToolRun("xferlog", ["replay", "-o", "ndjson", "--allow-empty", test.directory])
    #expect(replay.status <= 1 && !replay.text.contains("\"log-gap\""), "\(trial): \(replay.status) \(replay.standardError)")
    return read
  }

  private static let writers = 4
  private static let threads = 2

  @Test(arguments: [false, true])
  func `SIGKILL of four writers at any moment loses no acknowledged event`(appends: Bool) throws {
    var (acknowledgedEvents, torn, unacknowledged) = (0, 0, 0)
    let seeds = seeds(5, campaign: 100)
    for seed in seeds {
      var random = SeededRandom(seed: seed &* 2 &+ (appends ? 1 : 0))
      let test = TestLog()
      let acknowledged = Acknowledgements(path: test.path("ack"))
      let probes = (0..<Self.writers).map { writer in
        ChildProcess(
          "log-writer-probe",
          [
            "write", test.directory, "ack=\(test.path("ack"))", "first=\(writer * Self.threads)", "threads=\(Self.threads)",
            "appending=\(appends ? 1 : 0)",
          ])
      }
      let targets = probes.indices.map { writer in
        (
          thread: writer * Self.threads + Int.random(in: 0..<Self.threads, using: &random),
          count: UInt64.random(in: 1...(isCampaign ? 12_000 : 3000), using: &random)
        )
      }
      var running = Set(probes.indices)
      while !running.isEmpty {
        for writer in running where acknowledged[targets[writer].thread] >= targets[writer].count || probes[writer].hasEnded {
          probes[writer].kill()
          running.remove(writer)
        }
        sched_yield()
      }
      let trial = "seed \(seed), appending \(appends), at \(targets.map(\.count))"
      for probe in probes { #expect(probe.wait() == .signal(SIGKILL), "\(trial)") }
      let counts = Dictionary(uniqueKeysWithValues: (0..<Self.writers * Self.threads).map { ($0, acknowledged[$0]) })
      let read = try check(test, counts, trial)
      acknowledgedEvents += Int(counts.values.reduce(0, +))
      torn += read.gaps.count
      unacknowledged += read.numbers.values.reduce(0) { $0 + $1.count } - Int(counts.values.reduce(0, +))
    }
    print(
      "kills at random, appending \(appends): \(seeds.count) x \(Self.writers) writers x \(Self.threads) threads, "
        + "\(acknowledgedEvents) events acknowledged, 0 lost unless reported, \(unacknowledged) written but not yet "
        + "acknowledged, \(torn) torn")
  }

  // MARK: Kills at chosen positions

  private static let largeEvery = 400
  private static let placedEvents = 6000

  /// Returns the positions of a lane at which a kill may have a special effect: at chunk ends, at the first record of a
  /// segment, at a large record, at dictionary growth, and random others. The positions are taken from a log of the same
  /// events without a kill.
  private static func places(_ count: Int) throws -> [Int] {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", arguments(test, ["count=\(placedEvents)"]))
    guard probe.wait() == .exit(0) else { throw LogError(.cannotOpen, place: "", problem: "the probe fails", advice: "") }
    var (chunkEnds, rotations, large): ([Int], [Int], [Int]) = ([], [], [])
    for path in test.segments {
      let chunks = SegmentDraft(try contents(of: path)).chunks.filter { $0.lane == 2 }
      chunkEnds += chunks.filter { !$0.isLarge }.flatMap { [Int($0.firstSequence) - 1, Int($0.firstSequence)] }
      rotations += chunks.prefix(1).map { Int($0.firstSequence) }
      large += chunks.filter(\.isLarge).map { Int($0.firstSequence) }
    }
    // Each early redirect has its own host name, so the dictionary grows.
    let definitions = Array(stride(from: 1, to: 1200, by: 4))
    let classes = [[0, 1, 2], chunkEnds, rotations, large, definitions, Array(3..<placedEvents - 1)]
    precondition(classes.allSatisfy { !$0.isEmpty } && rotations.count > 2, "the log must contain every kind of position")
    var random = SeededRandom(seed: 7)
    return (0..<count).map { max(0, classes[$0 % classes.count].randomElement(using: &random)!) }
  }

  private static func arguments(_ test: TestLog, _ more: [String]) -> [String] {
    ["write", test.directory, "ack=\(test.path("ack"))", "large=\(largeEvery)"] + more
  }

  @Test func `A kill directly before or after an event's commit loses at most that event`() throws {
    var fired = 0
    for (index, place) in try Self.places(isCampaign ? 150 : 18).enumerated() {
      // The kinds of positions alternate with the index, so choose the mode by a different period.
      let appends = index / 6 % 2 == 1
      for moment in ["before", "after-commit"] {
        let test = TestLog()
        let acknowledged = Acknowledgements(path: test.path("ack"))
        let probe = ChildProcess(
          "log-writer-probe",
          Self.arguments(
            test, ["kill=2:\(place):\(moment)", "count=\(Self.placedEvents)", "appending=\(appends ? 1 : 0)"]))
        let trial = "2:\(place):\(moment), appending \(appends)"
        // A trial without a kill does not count.
        guard probe.wait() == .signal(SIGKILL) else {
          Issue.record("\(trial): not killed")
          continue
        }
        fired += 1
        let read = try check(test, [0: acknowledged[0]], trial)
        // Lane 2 belongs to the only writing thread, so the lane position is the event's number.
        #expect(read.numbers[0]?.count ?? 0 == (moment == "before" ? place : place + 1), "\(trial)")
        #expect(acknowledged[0] == UInt64(place), "\(trial)")
        // The event was encoded but not committed, which is visible in a mapped log only.
        let expected = moment == "before" && !appends ? [LogGap.Cause.torn] : []
        #expect(read.gaps.map(\.cause) == expected, "\(trial)")
      }
    }
    print("kills at chosen positions: \(fired)")
  }

  @Test func `The kill hook is parsed from its text`() {
    #expect(KillHook("3:17:before") == KillHook(lane: 3, sequence: 17, afterCommit: false))
    #expect(KillHook("3:17:after-commit") == KillHook(lane: 3, sequence: 17, afterCommit: true))
    for text in ["", "3:17", "3:17:after", "-1:17:before", "3:x:before", "3:17:before:more"] {
      #expect(KillHook(text) == nil, "\(text)")
    }
  }

  // MARK: Dead writers

  /// Returns the process ends that were recorded when the log was opened again.
  private func observed(_ test: TestLog) -> [RecordedEvent] { test.read().events(.processExitObserved) }

  private func killedWriter(_ test: TestLog, threads: Int = 1) -> ChildProcess {
    let counters = test.path("ack \(UInt64.random(in: .min ... .max))")
    let acknowledged = Acknowledgements(path: counters)
    let probe = ChildProcess("log-writer-probe", ["write", test.directory, "ack=\(counters)", "threads=\(threads)"])
    while acknowledged[0] < 5000, !probe.hasEnded { sched_yield() }
    probe.kill()
    return probe
  }

  @Test func `Opening the log records a killed writer's end once`() throws {
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
    // Only the writer's last segment was left open.
    #expect(marks == [LogDirectory.name(of: UInt32(try #require(event.segment))).replacing(".seg", with: ".observed")])
    try test.open().close()
    #expect(observed(test).count == 1)
  }

  @Test func `A killed writer is recognised as dead before its parent has reaped it`() throws {
    let test = TestLog()
    let probe = killedWriter(test)
    probe.waitForDeath()
    try test.open().close()
    #expect(observed(test).map(\.pid) == [Int(probe.pid)])
  }

  @Test func `A running writer is not reported, and neither is one that closed its log`() throws {
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

  @Test func `Several dead writers are recorded individually`() throws {
    let test = TestLog()
    let probes = (0..<3).map { _ in killedWriter(test, threads: 2) }
    for probe in probes { probe.wait() }
    try test.open().close()
    #expect(observed(test).compactMap(\.pid).sorted() == probes.map { Int($0.pid) }.sorted())
  }

  /// Leaves a log open that claims to be written by another process.
  private func leftOpen(_ test: TestLog, by change: (inout ProcessIdentity) -> Void) throws {
    let log = try test.open { change(&$0.process) }
    log.emit(thread: 0, number: 0)
  }

  @Test func `A writer of an earlier boot is recorded as ended by the reboot`() throws {
    let test = TestLog()
    let boot = BootID(high: 1, low: 2)
    try leftOpen(test) { $0.boot = boot }
    try test.open().close()
    #expect(observed(test).map(\.exitReason) == [.rebooted])
    #expect(observed(test).first?.boot == boot)
    try test.open().close()
    #expect(observed(test).count == 1)
  }

  @Test func `A reused process ID does not hide the death of a writer`() throws {
    let test = TestLog()
    try leftOpen(test) { $0.start += 1 }
    try test.open().close()
    #expect(observed(test).map(\.exitReason) == [.missing])
    #expect(observed(test).first?.pid == Int(getpid()))
  }

  @Test func `A process of another PID namespace is not judged`() throws {
    let test = TestLog()
    try leftOpen(test) { identity in
      identity.namespace += 1
      identity.pid = 1 << 22 + 1
    }
    try test.open().close()
    #expect(observed(test).isEmpty)
    #expect(LogDirectory.names(in: test.directory).allSatisfy { $0.hasSuffix(".seg") || $0 == LevelFile.name })
  }

  @Test func `A process's fate is determined by boot, namespace, process ID and start time`() {
    let here = ProcessIdentity.current()
    var other = here
    #expect(other.fate(seenFrom: here) == .running)
    other.start += 1
    #expect(other.fate(seenFrom: here) == .terminated)
    other.start = 0
    #expect(other.fate(seenFrom: here) == .running, "an unknown start time must not count as terminated")
    other.pid = .max
    #expect(other.fate(seenFrom: here) == .terminated)
    other.namespace += 1
    #expect(other.fate(seenFrom: here) == .unknowable)
    other.boot = BootID(high: 0, low: 1)
    #expect(other.fate(seenFrom: here) == .rebooted)
  }
}
