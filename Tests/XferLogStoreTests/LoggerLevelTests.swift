import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that loggers follow the log's levels.
struct LoggerLevelTests {
  private func set(_ rules: String..., in directory: String) throws {
    let rules = try rules.map { try LevelRule($0) }
    _ = try LevelControl(directory: directory).change { levels in for rule in rules { levels.set(rule) } }
  }

  /// Returns the categories and levels of the messages, in order.
  private func messages(_ test: TestLog) -> [String] {
    test.read().events.compactMap { event in
      guard event.layout.family == "message", let category = event.category else { return nil }
      return "\(category) \(event.level.name)"
    }
  }

  @Test func `A logger follows a change at once, for its own category only`() throws {
    let test = TestLog()
    let log = try test.open()
    let loggers = ["transfer", "cache"].map { EventLogger(subsystem: "com.example", category: $0, log: log) }
    func speak() {
      for logger in loggers {
        logger.debug("d")
        logger.info("i")
        logger.notice("n")
      }
    }
    speak()
    try set("com.example:transfer=debug", in: test.directory)
    speak()
    try set("com.example=info", "com.example:transfer=default", in: test.directory)
    speak()
    log.close()
    let quiet = ["transfer default", "cache default"]
    #expect(
      messages(test) == quiet + ["transfer debug", "transfer info", "transfer default", "cache default"]
        + ["transfer default", "cache info", "cache default"])
  }

  @Test func `A signposter follows changed levels`() throws {
    let test = TestLog()
    let log = try test.open()
    let signposter = EventSignposter(subsystem: "com.example", category: "work", log: log)
    #expect(!signposter.isEnabled)
    try set("*:work=info", in: test.directory)
    #expect(signposter.isEnabled)
    log.close()
  }

  @Test func `An excluded message is not evaluated, even if the file is superseded without a successor`() throws {
    let test = TestLog()
    let clock = TestClock(step: 1)
    let log = try test.open { $0.clock = clock.clock }
    let logger = EventLogger(subsystem: "com.example", category: "transfer", log: log)
    let old = try LevelFile.open(in: test.directory, mode: 2)
    try LevelFile.markSuperseded(old.descriptor)
    var evaluated = 0
    func text() -> String {
      evaluated += 1
      return "x"
    }
    // The process that marked the file was killed before replacing it.
    for _ in 0..<100 { logger.debug("\(text())") }
    #expect(evaluated == 0)
    try set("com.example=debug", in: test.directory)
    clock.advance(by: 10_000_000)
    logger.debug("\(text())")
    #expect(evaluated == 1)
    log.close()
  }

  @Test(arguments: seeds(5, campaign: 100))
  func `While the log announces the level debug, it contains every debug message`(seed: UInt64) throws {
    let test = TestLog()
    let log = try test.open()
    let directory = test.directory
    let isOver = Atomic(false)
    let count = 3
    // Each thread logs in its own category, whose level is switched on and off meanwhile.
    SystemThread.run(count + 1) { thread in
      if thread == count {
        for _ in 0..<15 {
          for rule in ["com.example=debug", "com.example=default"] {
            do { try set(rule, in: directory) } catch { Issue.record("seed \(seed): \(error)") }
            // A logger that checked the file between the two steps of the change checks again later.
            while log.keeps(.debug, subsystem: "com.example", category: "x") != rule.hasSuffix("debug") { sched_yield() }
          }
        }
        return isOver.store(true, ordering: .relaxed)
      }
      let logger = EventLogger(subsystem: "com.example", category: "thread-\(thread)", log: log)
      var number: UInt64 = 0
      while !isOver.load(ordering: .relaxed) {
        logger.debug("\(number)")
        log.emit(AppNoted(intent: "\(thread)", message: "\(number)"))
        number += 1
      }
    }
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty)
    // The log is ordered by its clock. Between a change to debug and the next change, every note must follow its message.
    var isDebug = false
    var seen: [String: Int] = [:]
    var spans = 0
    var missing: [String] = []
    for event in read.events {
      if event.kind == .logLevelsChanged {
        isDebug = event.levels?.contains("debug") ?? false
        seen = [:]
        spans += 1
      } else if event.kind == .messageDebug {
        seen[event.category ?? "", default: 0] += 1
      } else if event.kind == .appNoted, isDebug, case .plain(let thread)? = event.intent {
        // The first note may belong to a message that was excluded before the change.
        let messages = seen["thread-\(thread)", default: 0]
        let notes = seen["note-\(thread)", default: 0]
        if messages < notes { missing.append("thread \(thread), before \(event.reference)") }
        seen["note-\(thread)"] = notes + 1
      }
    }
    #expect(missing.first == nil, "seed \(seed)")
    #expect(spans == 30, "seed \(seed)")
  }
}
