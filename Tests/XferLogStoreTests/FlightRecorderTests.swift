import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that debug detail of a task stays in the log if the task fails, and only then.
struct FlightRecorderTests {
  private let test = TestLog()

  private func open(
    _ recorder: FlightRecorder = FlightRecorder(), appends: Bool = false, privacy: PrivacyPolicy = Workload.policy
  ) throws -> EventLog {
    try test.open { configuration in
      configuration.flightRecorder = recorder
      configuration.forcesAppending = appends
      configuration.privacy = privacy
    }
  }

  private func check(_ read: LogContents, _ comment: Comment = "") {
    #expect(read.gaps.isEmpty && read.problems.isEmpty && read.wrong == [], comment)
    #expect(read.isOrdered, comment)
    #expect(Set(read.events.map { "\($0.reference)" }).count == read.events.count, comment)
  }

  // MARK: Kept detail

  /// The tasks, in order: one succeeds, one fails, one has a failed attempt, one is kept on request, and one does not end.
  @Test(
    arguments: [
      (FlightRecorder.Keeping.onFailure, [1, 4]), (.firstRetry, [1, 2, 4]), (.always, [0, 1, 2, 3, 4]), (.onRequest, [3, 4]),
    ], [false, true])
  func `A policy determines which detail is kept`(_ policy: (keeps: FlightRecorder.Keeping, tasks: [Int]), appends: Bool) throws {
    let log = try open(FlightRecorder(keeps: policy.keeps), appends: appends)
    for task in 0..<5 { Detail.emit(0..<3, of: task, to: log) }
    log.emit(AttemptEnded(task: Detail.task(2), attempt: 1, end: .transport, domain: .curl, error: 56))
    if policy.keeps == .onRequest { log.keep(Detail.task(3)) }
    for task in 0..<4 { Detail.emit(3..<5, of: task, to: log) }
    for task in 0..<4 { Detail.complete(task, error: task == 1 ? 28 : nil, in: log) }
    log.close()
    let read = test.read()
    for task in 0..<5 {
      let steps = policy.tasks.contains(task) ? Array(0..<(task == 4 ? 3 : 5)) : []
      #expect(read.steps(of: task) == steps, "task \(task)")
    }
    check(read)
  }

  @Test func `Detail emitted after a task has ended is discarded if it succeeded and kept if it failed`() throws {
    let log = try open()
    for (task, error) in [(0, nil), (1, 28)] {
      Detail.emit(0..<2, of: task, to: log)
      Detail.complete(task, error: error, in: log)
      Detail.emit(2..<4, of: task, to: log)
    }
    log.close()
    let read = test.read()
    #expect(read.steps(of: 0) == [])
    #expect(read.steps(of: 1) == [0, 1, 2, 3])
    check(read)
  }

  @Test func `Detail emitted after a failure does not overwrite the detail from before it`() throws {
    let log = try open()
    Detail.emit(0..<20, of: 1, to: log)
    Detail.complete(1, error: 28, in: log)
    Detail.emit(20..<5000, of: 1, to: log)
    log.close()
    let read = test.read()
    let steps = read.steps(of: 1)
    #expect(steps.starts(with: 0..<20) && steps.last == 4999 && steps.count < 200, "\(steps.count)")
    check(read)
  }

  @Test func `Detail without a task or below the recorder's level is discarded`() throws {
    let log = try open(FlightRecorder(level: .info))
    let logger = EventLogger(subsystem: "com.example", category: "net", log: log)
    let ofTask = logger.with(task: Detail.task(1))
    #expect(!logger.isEnabled(.info) && !ofTask.isEnabled(.debug) && ofTask.isEnabled(.info))
    logger.info("of no task")
    log.emit(MessageInfo(subsystem: "com.example", category: "net", eventMessage: "of no task"))
    ofTask.debug("below")
    ofTask.info("kept")
    Detail.complete(1, error: 28, in: log)
    log.close()
    let read = test.read()
    #expect(read.events.compactMap { $0.eventMessage?.format } == ["kept"])
    check(read)
  }

  @Test func `Typed events below the log's level go to the ring of their task`() throws {
    let log = try open()
    #expect(log.keeps(.messageInfo))
    for task in 0..<2 {
      for line in 1...3 {
        log.emit(
          MessageInfo(subsystem: "com.example", category: "net", eventMessage: "typed", task: Detail.task(task), line: line))
      }
      Detail.complete(task, error: task == 0 ? nil : 28, in: log)
    }
    log.close()
    let read = test.read()
    #expect(read.events(.messageInfo).map(\.line) == [1, 2, 3])
    #expect(read.events(.messageInfo).allSatisfy { $0.task == Detail.task(1) })
    check(read)
  }

  // MARK: Rings

  @Test(arguments: [2176, 4096, 20_000], [false, true])
  func `A ring keeps the newest detail, filling at least half of its size`(bytes: Int, appends: Bool) throws {
    let log = try open(FlightRecorder(bytesPerTask: bytes), appends: appends)
    Detail.emit(0..<5000, of: 1, to: log)
    Detail.complete(1, error: 28, in: log)
    log.close()
    let read = test.read()
    let steps = read.steps(of: 1)
    let first = try #require(steps.first)
    #expect(steps == Array(first..<5000))
    // A record of such a step takes between 44 and 56 bytes.
    #expect(steps.count * 56 >= bytes / 2, "\(steps.count)")
    #expect(steps.count * 44 <= bytes + RingFormat.pageSize, "\(steps.count)")
    check(read)
  }

  @Test(arguments: [false, true])
  func `A ring continues across the segments of its log`(appends: Bool) throws {
    let log = try open(FlightRecorder(bytesPerTask: 10_000), appends: appends)
    for part in 0..<4 {
      for task in 0..<3 { Detail.emit(part * 10..<part * 10 + 10, of: task, to: log) }
      Workload.emit(0, numbers: part * 5000..<(part + 1) * 5000, to: log)
    }
    Detail.complete(0, in: log)
    Detail.complete(1, error: 28, in: log)
    log.close()
    #expect(test.segments.count > 2)
    let read = test.read()
    #expect(read.steps(of: 0) == [])
    #expect(read.steps(of: 1) == Array(0..<40))
    #expect(read.steps(of: 2) == Array(0..<40))
    #expect(read.numbers[0] == Array(0..<20_000))
    check(read)
  }

  @Test func `Many threads can emit detail about one task and about separate tasks`() throws {
    let log = try open(FlightRecorder(bytesPerTask: 200_000))
    SystemThread.run(6) { thread in
      for step in 0..<200 {
        Detail.emit(thread * 200 + step..<thread * 200 + step + 1, of: 100, to: log)
        Detail.emit(step..<step + 1, of: thread, to: log)
        Workload.emit(thread, numbers: step..<step + 1, to: log)
      }
      Detail.complete(thread, error: thread == 3 ? 28 : nil, in: log)
    }
    Detail.complete(100, error: 28, in: log)
    log.close()
    let read = test.read()
    #expect(read.steps(of: 100).sorted() == Array(0..<1200))
    #expect(read.steps(of: 3) == Array(0..<200))
    for thread in [0, 1, 2, 4, 5] { #expect(read.steps(of: thread) == []) }
    // Each step records the thread that emitted it.
    var threads: [Int: Set<UInt32?>] = [:]
    for event in read.events where event.kind == .messageDebug && event.task == Detail.task(100) {
      guard case .signed(let number)? = event.eventMessage?.arguments.first?.value else { continue }
      threads[Int(number) / 200, default: []].insert(event.thread)
    }
    #expect(threads.count == 6 && threads.values.allSatisfy { $0.count == 1 } && Set(threads.values).count == 6)
    check(read)
  }

  @Test func `With more tasks than rings, the newest tasks' detail is kept`() throws {
    let log = try open(FlightRecorder(tasks: 4))
    for task in 0..<10 { Detail.emit(0..<3, of: task, to: log) }
    for task in 0..<10 { Detail.complete(task, error: 28, in: log) }
    log.close()
    let read = test.read()
    #expect((0..<10).filter { !read.steps(of: $0).isEmpty } == [6, 7, 8, 9])
    check(read)
  }

  @Test func `A text larger than a page is truncated, and an event that still does not fit is counted as dropped`() throws {
    let log = try open(privacy: PrivacyPolicy(declaredPublic: Set(FieldID.allCases), key: (1, 2)))
    let logger = Detail.logger(log, 1)
    logger.debug("long \(String(repeating: "x", count: 5000), privacy: .public)")
    var large = LogMessage(text: "large", privacy: .public)
    for number in 0..<200 { large.attach("key \(number)", "value", privacy: .public) }
    logger.debug(large)
    Detail.complete(1, error: 28, in: log)
    log.close()
    let read = test.read()
    let values = read.events(.messageDebug).compactMap { $0.eventMessage?.arguments.first?.value }
    guard case .text(.cut(let kept, let count))? = values.first else { throw TestFailure(text: "\(values)") }
    #expect(kept.allSatisfy { $0 == "x" } && count == 5000)
    #expect(read.events(.messageDebug).count == 1)
    #expect(read.events(.logDropped).map(\.why) == [.tooLarge])
    #expect(read.events(.logDropped).map(\.family) == ["message"])
    check(read)
  }

  private struct TestFailure: Error { let text: String }

  // MARK: Interaction with the log

  @Test func `Changing the levels redirects detail to the log and back to the ring`() throws {
    let log = try open()
    let control = LevelControl(directory: test.directory)
    let pattern = try LevelPattern("com.example")
    for (part, level) in [Level.default, .debug, .default].enumerated() {
      _ = try control.change { $0.set(LevelRule(pattern, level)) }
      for task in 0..<2 { Detail.emit(part * 10..<part * 10 + 10, of: task, to: log) }
    }
    Detail.complete(0, in: log)
    Detail.complete(1, error: 28, in: log)
    log.close()
    let read = test.read()
    #expect(read.steps(of: 0) == Array(10..<20))
    #expect(read.steps(of: 1) == Array(0..<30))
    check(read)
  }

  @Test(arguments: [false, true])
  func `No private value is stored in a ring, whether kept or not`(appends: Bool) throws {
    let canary = "canary-7c1f-SECRET"
    let log = try open(appends: appends, privacy: PrivacyPolicy(key: (1, 2)))
    for task in 0..<3 {
      for _ in 0..<100 { Detail.logger(log, task).debug("token \(canary) of \(task)") }
    }
    Detail.complete(0, in: log)
    Detail.complete(1, error: 28, in: log)
    log.close()
    #expect(!test.read().events(.messageDebug).isEmpty)
    for path in test.segments {
      #expect(try Data(contents(of: path)).range(of: Data(canary.utf8)) == nil)
      // Check that the search would find stored text.
      #expect(try Data(contents(of: path)).range(of: Data("com.example".utf8)) != nil)
    }
  }

  @Test(arguments: [false, true])
  func `Sealing preserves kept detail, and free pages take no space`(appends: Bool) throws {
    let log = try open(FlightRecorder(bytesPerTask: 8192), appends: appends)
    for task in 0..<200 {
      Detail.emit(0..<50, of: task, to: log)
      Workload.emit(0, numbers: task * 20..<task * 20 + 20, to: log)
      Detail.complete(task, error: task % 50 == 0 ? 28 : nil, in: log)
    }
    log.close()
    let before = test.read()
    #expect(before.steps(of: 50) == Array(0..<50) && before.steps(of: 51) == [])
    let outcomes = LogSealer(directory: test.directory).seal()
    #expect(try outcomes.map { try $0.result.get() }.count == test.segments.count)
    let after = test.read()
    #expect(after.events.map { "\($0.reference) \($0.values)" } == before.events.map { "\($0.reference) \($0.values)" })
    check(after)
    // The index lists the blocks that contain a task's detail.
    var selection = BlockSelection()
    selection.isTaskWanted = { $0 == Detail.task(50) }
    let reader = LogReader([.directory(test.directory)], isFollowing: false, selection: selection)
    var read = LogContents()
    while let member = reader.next() { read.add(member) }
    #expect(read.steps(of: 50) == Array(0..<50))
    #expect(read.steps(of: 150) == [], "blocks of another task are skipped")
    #expect(read.gaps.isEmpty && reader.passedOver > 0)
  }

  @Test(arguments: [false, true])
  func `A log with rings is accounted for to the last byte and can be salvaged`(seals: Bool) throws {
    let log = try open(FlightRecorder(bytesPerTask: 8192))
    for task in 0..<20 {
      Detail.emit(0..<30, of: task, to: log)
      Detail.complete(task, error: task == 3 ? 28 : nil, in: log)
    }
    log.close()
    if seals { #expect(try LogSealer(directory: test.directory).seal().map { try $0.result.get() }.count == 1) }
    let account = StorageAccount(LogReader([.directory(test.directory)]))
    let shares = account.events.values.reduce(0) { $0 + $1.bytes } + account.strings.bytes + account.tasks.bytes
    let rest = account.layouts.bytes + account.headers + account.unused
    #expect(shares + rest == account.total && account.damaged == 0)
    #expect(account.events[EventKind.messageDebug.rawValue]?.count == 30)
    let output = test.path("salvaged.xlog")
    _ = try LogSalvager([.directory(test.directory)], to: output).salvage()
    let before = test.read()
    let read = LogContents([.directory(output)])
    #expect(read.steps(of: 3) == Array(0..<30))
    #expect(read.events.map { "\($0.reference) \($0.values)" } == before.events.map { "\($0.reference) \($0.values)" })
    check(read)
  }

  @Test func `A follower receives a task's detail once, when the task fails`() throws {
    let log = try open()
    let reader = LogReader([.directory(test.directory)], isFollowing: true)
    var read = LogContents()
    func readNew() {
      reader.refresh()
      while let member = reader.next() { read.add(member) }
    }
    Detail.emit(0..<20, of: 1, to: log)
    Detail.emit(0..<20, of: 2, to: log)
    readNew()
    #expect(read.steps(of: 1) == [])
    Detail.complete(1, error: 28, in: log)
    Detail.complete(2, in: log)
    readNew()
    #expect(read.steps(of: 1) == Array(0..<20))
    Detail.emit(20..<30, of: 1, to: log)
    Detail.complete(3, error: 28, in: log)
    readNew()
    #expect(read.steps(of: 1) == Array(0..<20))
    log.close()
    readNew()
    #expect(read.steps(of: 1) == Array(0..<30))
    #expect(read.steps(of: 2) == [] && read.gaps.isEmpty)
  }

  /// The number of rounds. A reader sees a page in the middle of a change only once in several thousand attempts.
  private static let rounds = isCampaign ? 3000 : 40

  @Test func `A reader finds no damage while threads overwrite rings`() throws {
    let log = try open(FlightRecorder(bytesPerTask: 2176))
    let writers = (0..<2).map { thread in
      SystemThread {
        for round in 0..<Self.rounds {
          Detail.emit(round * 500..<(round + 1) * 500, of: thread, to: log)
          if round % 10 == 9 { Detail.complete(100 + thread, in: log) }
        }
      }
    }
    for _ in 0..<Self.rounds {
      let read = test.read()
      for gap in read.gaps where gap.cause != .torn { Issue.record("\(gap)") }
      for thread in 0..<2 {
        let steps = read.steps(of: thread)
        #expect(steps == Array((steps.first ?? 0)..<(steps.last ?? -1) + 1))
      }
    }
    for writer in writers { writer.join() }
    log.close()
  }

  @Test func `Damage in a ring loses records of one page and is reported`() throws {
    let log = try open(FlightRecorder(bytesPerTask: 8192))
    Detail.emit(0..<60, of: 1, to: log)
    Detail.complete(1, error: 28, in: log)
    log.close()
    let original = try contents(of: test.segment(1))
    let rings = try #require(
      (0..<8).first { index in
        let start = SegmentFormat.chunkOffset(index)
        return start + 8 < original.count && original[start + 4] == UInt8(ChunkHeader.Kind.rings.rawValue)
      })
    let second = SegmentFormat.chunkOffset(rings) + RingFormat.offset(of: 2)
    var random = SeededRandom(seed: 11)
    for trial in 0..<60 {
      // Damage the header first, then random bytes of the page.
      let place = second + (trial < 20 ? trial * 2 : Int.random(in: 0..<RingFormat.pageSize - 64, using: &random))
      var bytes = original
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try write(bytes, to: test.segment(1))
      let read = test.read()
      let steps = read.steps(of: 1)
      #expect(Set(steps).isSubset(of: 0..<60) && steps == steps.sorted() && Set(steps).count == steps.count, "at \(place)")
      if steps.count < 60 { #expect(!read.gaps.isEmpty, "at \(place - second)") }
      #expect(steps.count >= 30, "at \(place - second)")
      let plain = read.events.map { "\($0.reference)" }
      #expect(LogSealer(directory: test.directory).seal().allSatisfy { (try? $0.result.get()) != nil })
      #expect(test.read().events.map { "\($0.reference)" } == plain, "sealed, at \(place - second)")
    }
  }

  // MARK: Size

  private static let tasks = isCampaign ? 10_000 : 1000

  /// Returns the size and segment count of a log of many tasks with 20 events each, of which every hundredth fails.
  private func size(
    _ recorder: FlightRecorder?, lowest: Level = .default, only failed: Bool = false
  ) throws -> (bytes: Int, segments: Int) {
    let test = TestLog()
    let log = try test.open { configuration in
      configuration.flightRecorder = recorder
      configuration.lowestLevel = lowest
    }
    var random = SeededRandom(seed: 18)
    for task in 0..<Self.tasks {
      let fails = task % 100 == 37
      let steps = Int.random(in: 20...40, using: &random)
      if !failed || fails {
        for number in 0..<20 {
          log.emit(
            DeliveryEntered(
              task: Detail.task(task), delivery: DeliveryID(UInt64(number)), callback: .didReceiveData, queue: "delegate",
              onMainThread: false))
          if recorder != nil || lowest == .debug {
            Detail.emit(number * steps / 20..<(number + 1) * steps / 20, of: task, to: log)
          }
        }
        Detail.complete(task, error: fails ? 28 : nil, in: log)
      }
    }
    log.close()
    if recorder != nil {
      let read = test.read()
      let kept = Set(read.events(.messageDebug).compactMap { $0.task?.number })
      #expect(kept == Set((0..<Self.tasks).filter { $0 % 100 == 37 }.map(UInt32.init)))
      #expect(read.gaps.isEmpty && read.isOrdered)
    }
    return (try test.segments.reduce(0) { try $0 + contents(of: $1).count }, test.segments.count)
  }

  @Test func `With one percent of tasks failing, their detail is kept and the log grows by at most three percent more`() throws {
    let plain = try size(nil).bytes
    let recorded = try size(FlightRecorder())
    let detail = try size(nil, lowest: .debug, only: true).bytes - size(nil, only: true).bytes
    print(
      "\(Self.tasks) tasks, 1 % failing: \(plain) bytes without detail, \(detail) of detail, \(recorded.bytes) with a flight "
        + "recorder")
    // Each segment may waste part of a chunk, which matters only in a short run.
    let chunks = isCampaign ? 0 : recorded.segments * SegmentFormat.chunkSize
    #expect(recorded.bytes <= plain + plain * 3 / 100 + detail + chunks)
  }
}
