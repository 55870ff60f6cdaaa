import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that messages written with `EventLogger` can be read back from the log.
struct EventLoggerTests {
  private let test = TestLog()

  private func logger(_ log: EventLog) -> EventLogger { EventLogger(subsystem: "com.example", category: "net", log: log) }

  private func messages() -> [RecordedEvent] { test.read().events.filter { $0.layout.name.hasPrefix("message.") } }

  private func firstText(_ event: RecordedEvent) -> String? {
    if case .text(.plain(let text))? = event.eventMessage?.arguments.first?.value { text } else { nil }
  }

  @Test func `Every logging method uses its level`() throws {
    let log = try test.open { $0.lowestLevel = .debug }
    let logger = logger(log)
    logger.trace("1")
    logger.debug("2")
    logger.info("3")
    logger.log("4")
    logger.notice("5")
    logger.warning("6")
    logger.error("7")
    logger.critical("8")
    logger.fault("9")
    for level in Level.allCases { logger.log(level: level, "10") }
    log.close()
    let events = messages()
    #expect(
      events.map(\.level) == [
        .debug, .debug, .info, .default, .default, .error, .error, .fault, .fault, .debug, .info, .default, .error, .fault,
      ])
    #expect(events.compactMap { $0.eventMessage?.format.flatMap(Int.init) } == Array(1...9) + Array(repeating: 10, count: 5))
    #expect(Set(events.map { "\($0.subsystem ?? ""):\($0.category ?? "")" }) == ["com.example:net"])
    #expect(Set(events.map(\.kind)) == [.messageDebug, .messageInfo, .messageDefault, .messageError, .messageFault])
  }

  @Test(arguments: [(Level.debug, 5), (.info, 4), (.default, 3), (.error, 3), (.fault, 3)])
  func `Arguments of excluded messages are not evaluated, and levels from default up are always logged`(
    lowest: Level, kept: Int
  ) throws {
    let log = try test.open { $0.lowestLevel = lowest }
    var evaluated = 0
    func value() -> Int {
      evaluated += 1
      return evaluated
    }
    for level in Level.allCases { logger(log).log(level: level, "\(value())") }
    #expect(evaluated == kept)
    #expect(Level.allCases.filter(logger(log).isEnabled).count == kept)
    log.close()
    #expect(messages().count == kept)
  }

  @Test func `A message stored in a variable can be logged repeatedly by any thread`() throws {
    let log = try test.open()
    let logger = logger(log)
    let text = String(repeating: "long ", count: 100)
    let (short, long): (LogMessage, LogMessage) = ("short \(1) \("s", privacy: .public)", "long \(text, privacy: .public)")
    SystemThread.run(4) { _ in
      for _ in 0..<200 {
        logger.notice(short)
        logger.notice(long)
      }
    }
    log.close()
    let events = messages()
    #expect(events.count == 1600)
    let expected = Set([
      RecordedMessage(format: "short {} {}", arguments: [.init(value: .signed(1)), .init(value: .text(.plain("s")))]),
      RecordedMessage(format: "long {}", arguments: [.init(value: .text(.plain(text)))]),
    ])
    #expect(Set(events.compactMap(\.eventMessage)) == expected)
  }

  @Test func `An argument may log messages itself while it is evaluated`() throws {
    let log = try test.open()
    let logger = logger(log)
    func inner(_ depth: Int) -> String {
      if depth > 0 { logger.notice("depth \(inner(depth - 1), privacy: .public) of \(depth)") }
      return "\(depth)"
    }
    logger.notice("outer \(1) \(inner(3), privacy: .public) \(2)")
    log.close()
    let read = messages().compactMap(\.eventMessage)
    #expect(read.map(\.format) == ["depth {} of {}", "depth {} of {}", "depth {} of {}", "outer {} {} {}"])
    #expect(read.last?.arguments.map(\.value) == [.signed(1), .text(.plain("3")), .signed(2)])
    #expect(read.first?.arguments.map(\.value) == [.text(.plain("0")), .signed(1)])
  }

  @Test func `A message can belong to a task`() throws {
    let log = try test.open()
    let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "s", number: 3)
    logger(log).with(task: task).notice("about it")
    logger(log).notice("about nothing")
    log.close()
    #expect(messages().map(\.task) == [task, nil])
  }

  @Test func `Texts that are too long together are truncated and marked as such`() throws {
    let log = try test.open()
    let text = String(repeating: "é", count: 150_000)
    logger(log).notice("\(text, privacy: .public)")
    var many: LogMessage = "many"
    for number in 0..<30 { many.attach("n\(number)", text, privacy: .public) }
    logger(log).notice(many)
    logger(log).notice("after \(1)")
    log.close()
    let read = messages()
    try #require(read.count == 3)
    #expect(firstText(read[0]) == text)
    let arguments = try #require(read[1].eventMessage?.arguments)
    #expect(arguments.map(\.name) == (0..<30).map { "n\($0)" })
    var bytes = 0
    for (place, argument) in arguments.enumerated() {
      // The first texts fit, after which no room is left.
      switch argument.value {
      case .text(.plain(text)) where place < 3: bytes += text.utf8.count
      case .text(.cut(let kept, count: 300_000)) where place >= 3 && text.hasPrefix(kept): bytes += kept.utf8.count
      default: Issue.record("\(argument.name ?? "") has an unexpected value")
      }
    }
    #expect((900_000...1 << 20).contains(bytes))
    #expect(read[2].eventMessage?.format == "after {}")
    #expect(test.read().events(.logDropped).isEmpty)
  }

  @Test func `A format text that is too long is truncated, and its arguments are kept`() throws {
    let log = try test.open()
    // The source code limits the length of a literal, so this message repeats a short one.
    var interpolation = LogMessage.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    for number in 0..<100 {
      interpolation.appendLiteral("a piece of text, ")
      interpolation.appendInterpolation(number)
    }
    logger(log).notice(LogMessage(stringInterpolation: interpolation))
    log.close()
    let message = try #require(messages().first?.eventMessage)
    #expect(message.format?.hasSuffix("…") == true)
    #expect(message.arguments.map(\.value) == (0..<100).map { .signed($0) })
  }

  // MARK: Activities

  private struct Refused: Error {}

  @Test func `Messages carry the activity that they are written in`() async throws {
    let log = try test.open()
    let logger = logger(log)
    logger.notice("outside")
    EventActivity.within("outer", log: log) {
      logger.notice("outer")
      EventActivity.within("inner", log: log) { logger.notice("inner") }
      logger.notice("outer again")
    }
    try? EventActivity.within("fails", log: log) { () throws(Refused) in throw Refused() }
    await EventActivity.within("async", log: log) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { logger.notice("child") } }
      }
      // A detached task is not a child task and therefore has no activity.
      await Task.detached { logger.notice("detached") }.value
    }
    logger.notice("outside")
    log.close()

    let read = test.read()
    let begun = Dictionary(grouping: read.events(.activityBegun), by: { $0.name ?? "" }).mapValues { $0[0] }
    #expect(begun.keys.sorted() == ["async", "fails", "inner", "outer"])
    #expect(Set(begun.values.map(\.activity)).count == 4)
    #expect(begun["inner"]?.parentActivity == begun["outer"]?.activity)
    #expect(begun["outer"]?.parentActivity == nil)
    #expect(Set(read.events(.activityEnded).map(\.activity)) == Set(begun.values.map(\.activity)))
    func activities(_ text: String) -> [CorrelationID?] {
      messages().filter { $0.eventMessage?.format == text }.map(\.activity)
    }
    #expect(activities("outside") == [nil, nil])
    #expect(activities("detached") == [nil])
    #expect(activities("outer") + activities("outer again") == [begun["outer"]?.activity, begun["outer"]?.activity])
    #expect(activities("inner") == [begun["inner"]?.activity])
    #expect(activities("child") == Array(repeating: begun["async"]?.activity, count: 3))
  }

  @Test @MainActor func `An activity runs on its caller's actor`() async throws {
    let log = try test.open()
    await EventActivity.within("main", log: log) {
      await Task.yield()
      MainActor.assertIsolated()
    }
    await #expect(throws: Refused.self) {
      try await EventActivity.within("fails", log: log) { () async throws(Refused) in
        await Task.yield()
        MainActor.assertIsolated()
        throw Refused()
      }
    }
    log.close()
    #expect(test.read().events(.activityEnded).map(\.name) == ["main", "fails"])
  }

  // MARK: Signposts

  @Test func `Signposts are logged from info on, and their messages are evaluated only then`() async throws {
    var evaluated = 0
    func rows() -> Int {
      evaluated += 1
      return 7
    }
    for (level, expected) in [(Level.default, 0), (.info, 2)] {
      let test = TestLog()
      let log = try test.open { $0.lowestLevel = level }
      let signposter = EventSignposter(subsystem: "com.example", category: "net", log: log)
      #expect(signposter.isEnabled == (expected > 0))
      let (first, second) = (signposter.makeSignpostID(), signposter.makeSignpostID())
      #expect(first != second)
      let interval = signposter.beginInterval("decode", id: first, "of \(rows())")
      signposter.emitEvent("half", id: second)
      signposter.endInterval("decode", interval, "\(rows()) rows")
      #expect(signposter.withIntervalSignpost("value") { 3 } == 3)
      let four = await signposter.withIntervalSignpost("async") {
        await Task.yield()
        return 4
      }
      #expect(four == 4)
      #expect(throws: Refused.self) {
        try signposter.withIntervalSignpost("fails") { () throws(Refused) in throw Refused() }
      }
      log.close()
      #expect(evaluated == expected)
      let read = test.read()
      if expected == 0 {
        #expect(read.events.allSatisfy { !$0.layout.name.hasPrefix("signpost.") })
        continue
      }
      #expect(read.events(.signpostBegun).map(\.name) == ["decode", "value", "async", "fails"])
      #expect(read.events(.signpostEnded).map(\.name) == ["decode", "value", "async", "fails"])
      #expect(read.events(.signpostBegun).map(\.signpost).dropFirst().allSatisfy { $0 == SignpostID.exclusive.rawValue })
      #expect(read.events(.signpostBegun).first?.signpost == first.rawValue)
      #expect(read.events(.signpostEnded).first?.eventMessage?.format == "{} rows")
      #expect(read.events(.signpostEmitted).map(\.signpost) == [second.rawValue])
    }
  }
}
