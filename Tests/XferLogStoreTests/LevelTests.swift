import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that writers follow the log's file of levels.
struct LevelTests {
  private func set(_ rules: String..., in directory: String) throws {
    let rules = try rules.map { try LevelRule($0) }
    _ = try LevelControl(directory: directory).change { levels in for rule in rules { levels.set(rule) } }
  }

  /// Returns the levels that the log records, in order.
  private func recordedLevels(_ read: LogContents) -> [String?] {
    read.events.filter { $0.kind == .logOpened || $0.kind == .logLevelsChanged || $0.kind == .logLevelsIgnored }.map(\.levels)
  }

  @Test func `A running writer adopts changed levels with its next event and records them`() throws {
    let test = TestLog()
    let log = try test.open()
    try set("com.example:transfer=debug", in: test.directory)
    log.emit(thread: 0, number: 0)
    try set("com.example:transfer=default", "*=info", in: test.directory)
    log.emit(thread: 0, number: 1)
    log.emit(thread: 0, number: 2)
    log.close()
    let read = test.read()
    #expect(
      recordedLevels(read) == ["default", "default,com.example:transfer=debug", "default,*=info,com.example:transfer=default"])
    #expect(read.events(.logLevelsChanged).allSatisfy { $0.by == .user })
    #expect(read.numbers[0] == [0, 1, 2])
    // The change is recorded before the first event that it includes.
    let kinds = read.events.compactMap(\.kind)
    #expect(kinds.firstIndex(of: .logLevelsChanged)! + 1 == kinds.firstIndex(of: .attemptBytesReceived)!)
  }

  @Test func `A change without effect is not recorded`() throws {
    let test = TestLog()
    let log = try test.open()
    try set("a=debug", in: test.directory)
    _ = try LevelControl(directory: test.directory).change { $0.remove(try! LevelPattern("a")) }
    log.emit(thread: 0, number: 0)
    log.close()
    #expect(recordedLevels(test.read()) == ["default"])
  }

  @Test func `A writer that starts later uses the levels from its first event on`() throws {
    let test = TestLog()
    try LogDirectory.create(test.directory)
    try set("*=debug", "xferlog:task=info", in: test.directory)
    try test.open().close()
    let read = test.read()
    #expect(recordedLevels(read) == ["default,*=debug,xferlog:task=info"])
    #expect(read.events(.logLevelsChanged).isEmpty)
    // The header states the level from which on every event is logged.
    #expect(read.events.first?.source.writer.lowestLevel == .info)
  }

  @Test func `Each writer's own level applies where no rule matches`() throws {
    let test = TestLog()
    try LogDirectory.create(test.directory)
    try set("a=default", in: test.directory)
    let log = try test.open { $0.lowestLevel = .debug }
    log.close()
    #expect(recordedLevels(test.read()) == ["debug,a=default"])
  }

  @Test func `A superseded file without a successor is checked again after ten milliseconds of the writer's clock`() throws {
    let test = TestLog()
    let clock = TestClock(step: 1)
    let log = try test.open { $0.clock = clock.clock }
    let old = try LevelFile.open(in: test.directory, mode: O_RDWR)
    try LevelFile.markSuperseded(old.descriptor)
    // The writer checks the file and finds the same one.
    log.emit(thread: 0, number: 0)
    let successor = LevelFile(generation: 1, rules: LevelRules([try LevelRule("a=debug")]))
    try successor.write(to: test.directory + "/draft")
    rename(test.directory + "/draft", LevelFile.path(in: test.directory))
    log.emit(thread: 0, number: 1)
    clock.advance(by: 9_999_000)
    log.emit(thread: 0, number: 2)
    clock.advance(by: 1000)
    log.emit(thread: 0, number: 3)
    log.close()
    let kinds = test.read().events.compactMap(\.kind)
    let change = try #require(kinds.firstIndex(of: .logLevelsChanged))
    #expect(kinds[change + 1] == .appNoted, "three events must precede the change, the fourth must follow it")
  }

  @Test(arguments: ["", "XFERLVL", "checksum", "longer", "a directory", "a pipe", "a link"])
  func `An unreadable file changes nothing and is reported once, and the next valid file applies`(_ damage: String) throws {
    let test = TestLog()
    let clock = TestClock(step: 1)
    let log = try test.open { $0.clock = clock.clock }
    try set("a=debug", in: test.directory)
    log.emit(thread: 0, number: 0)
    let path = LevelFile.path(in: test.directory)
    var bytes = try contents(of: path)
    let old = try LevelFile.open(in: test.directory, mode: O_RDWR)
    try LevelFile.markSuperseded(old.descriptor)
    unlink(path)
    switch damage {
    case "checksum":
      bytes[36] ^= 1
      try write(bytes, to: path)
    case "longer": try write(bytes + [0], to: path)
    case "a directory": mkdir(path, 0o700)
    case "a pipe": mkfifo(path, 0o600)
    case "a link": symlink("/dev/zero", path)
    default: try write(Array(damage.utf8), to: path)
    }
    for number in 1...3 {
      clock.advance(by: 10_000_000)
      log.emit(thread: 0, number: number)
    }
    let isFile = !damage.hasPrefix("a ")
    if isFile {
      #expect(throws: LogError.self) { try set("b=debug", in: test.directory) }
      _ = try LevelControl(directory: test.directory).change(fromScratch: true) { $0.set(try! LevelRule("b=info")) }
    } else {
      remove(path)
      try set("b=info", in: test.directory)
    }
    clock.advance(by: 10_000_000)
    log.emit(thread: 0, number: 4)
    log.close()
    let read = test.read()
    let levels = ["default", "default,a=debug"] + (isFile ? ["default,a=debug"] : []) + ["default,b=info"]
    #expect(recordedLevels(read) == levels)
    #expect(read.events(.logLevelsIgnored).count == (isFile ? 1 : 0))
    #expect(read.numbers[0] == Array(0...4))
  }

  @Test func `A file that is damaged from the start is reported`() throws {
    let test = TestLog()
    try LogDirectory.create(test.directory)
    try write(Array("none".utf8), to: LevelFile.path(in: test.directory))
    try test.open().close()
    #expect(test.read().events(.logLevelsIgnored).map(\.reason) == ["size"])
  }

  @Test func `A forked child and its parent follow the levels independently`() throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["fork-levels", test.directory])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    let changes = read.events(.logLevelsChanged)
    #expect(changes.map(\.levels) == ["default,com.example=debug", "default,com.example=debug"])
    #expect(Set(changes.map(\.source.writer.launch)).count == 2)
    #expect(read.numbers == [0: [0, 1], 1: [0, 1]])
  }

  @Test(arguments: seeds(4, campaign: 200))
  func `No concurrent change is lost, and every writer adopts the last one`(seed: UInt64) throws {
    let test = TestLog()
    let directory = test.directory
    let logs = Mutex([try test.open()])
    let changers = 4
    let changes = 25
    SystemThread.run(changers + 2) { thread in
      do {
        if thread >= changers {
          // Writers start and stop, and some stay. The first one finds no file to watch.
          for number in 0..<10 {
            let log = try EventLog(
              directory: directory, configuration: LogConfiguration(role: .tool, privacy: Workload.policy))
            log.emit(thread: thread, number: 0)
            if number % 3 == 0 { logs.withLock { $0.append(log) } } else { log.close() }
          }
          return
        }
        for number in 0..<changes {
          let rule = try LevelRule("thread-\(thread):change-\(number)=debug")
          _ = try LevelControl(directory: directory).change { $0.set(rule) }
          logs.withLock { $0.randomElement()! }.emit(thread: thread, number: number)
        }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    let control = LevelControl(directory: test.directory)
    #expect(try control.current().rules.rules.count == changers * changes, "seed \(seed)")
    _ = try control.change(fromScratch: true) { $0.set(try! LevelRule("last=info")) }
    #expect(try control.current().generation == UInt64(changers * changes + 1), "seed \(seed)")
    for log in logs.withLock({ $0 }) {
      log.emit(thread: 99, number: 0)
      log.close()
    }
    var last: [LaunchID?: String?] = [:]
    let read = test.read()
    for event in read.events where event.kind == .logOpened || event.kind == .logLevelsChanged {
      last[event.source.writer.launch] = event.levels
    }
    let stayed = Set(read.events.filter { Workload.place(of: $0)?.thread == 99 }.map(\.source.writer.launch))
    #expect(stayed.count == 9, "seed \(seed)")
    for launch in stayed { #expect(last[launch] == "default,last=info", "seed \(seed)") }
    #expect(LogDirectory.names(in: test.directory).allSatisfy { $0.hasSuffix(".seg") || $0 == LevelFile.name })
  }
}
