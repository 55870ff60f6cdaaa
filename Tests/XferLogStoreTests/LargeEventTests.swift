import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

struct LargeEventTests {
  private static let policy = PrivacyPolicy(mode: .full, key: (1, 2))

  @Test(arguments: [false, true])
  func `Texts larger than a chunk are read back completely, among small events`(appends: Bool) throws {
    let test = TestLog()
    let log = try test.open { $0.forcesAppending = appends }
    let sizes = [32_600, 32_768, 40_000, 65_535, 65_536, 100 << 10, 900 << 10]
    for (place, size) in sizes.enumerated() {
      log.emit(thread: 0, number: 2 * place)
      log.emit(AppNoted(intent: "large", message: String(repeating: "م", count: size / 2)))
      log.emit(thread: 0, number: 2 * place + 1)
    }
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.wrong == [])
    #expect(read.isOrdered)
    #expect(read.numbers[0] == Array(0..<2 * sizes.count))
    let large = read.events(.appNoted).filter { $0.intent == .plain("large") }
    #expect(large.map(\.message) == sizes.map { .plain(String(repeating: "م", count: $0 / 2)) })
  }

  @Test func `A text larger than any record is truncated at a character boundary and marked`() throws {
    let test = TestLog()
    let log = try test.open()
    let count = (2 << 20) / 3
    log.emit(AppNoted(intent: "first", message: String(repeating: "本", count: count)))
    // The event's symbols must belong to the segment that it is finally written to.
    log.emit(AppNoted(task: Workload.task(3), intent: "second", message: String(repeating: "y", count: 2 << 20)))
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty)
    let limit = SegmentFormat.maximumRecord - 64 * 1024
    let first = read.events(.appNoted).first { $0.intent == .plain("first") }
    #expect(first?.message == .cut(String(repeating: "本", count: limit / 3), count: 3 * count))
    let second = read.events(.appNoted).first { $0.intent == .plain("second") }
    #expect(second?.message == .cut(String(repeating: "y", count: limit), count: 2 << 20))
    #expect(second?.task == Workload.task(3))
  }

  @Test func `Several long texts of one event are truncated to a smaller limit, and all are kept`() throws {
    let test = TestLog()
    let log = try test.open { $0.privacy = Self.policy }
    let long = String(repeating: "x", count: 600_000)
    log.emit(TaskCreated(task: Workload.task(0), path: long, urlQuery: long, destination: long))
    log.close()
    let event = try #require(test.read().events(.taskCreated).first)
    let cut = RecordedText.cut(String(repeating: "x", count: 16 * 1024), count: 600_000)
    #expect(event.path == cut && event.urlQuery == cut && event.destination == cut)
  }

  @Test func `Events of every size around a chunk's capacity are read back`() throws {
    // A note takes a whole number of words. Every length around a chunk's capacity is tried as the first event of a new
    // chunk and as one that fills the rest of a chunk.
    let room = SegmentFormat.chunkSize - ChunkHeader.size
    let overhead = RecordFormat.payload + 4 + 3
    for delta in -9...9 {
      for appends in [false, true] {
        let test = TestLog()
        let log = try test.open { $0.forcesAppending = appends }
        log.emit(thread: 0, number: 0)
        let exact = String(repeating: "e", count: room - overhead + delta)
        for number in 1...3 {
          log.emit(AppNoted(message: exact))
          log.emit(thread: 0, number: number)
        }
        // Fill the rest of the chunk after the last small event.
        log.emit(AppNoted(message: String(exact.dropLast(200 - delta))))
        log.emit(thread: 0, number: 4)
        log.close()
        let read = test.read()
        #expect(read.gaps.isEmpty, "\(delta)")
        #expect(read.numbers[0] == [0, 1, 2, 3, 4], "\(delta)")
        let notes = read.events(.appNoted).filter { $0.task == nil }.compactMap(\.message)
        #expect(notes == [.plain(exact), .plain(exact), .plain(exact), .plain(String(exact.dropLast(200 - delta)))], "\(delta)")
      }
    }
  }

  @Test func `Small events fill a chunk up to every possible remainder`() throws {
    for size in 0..<12 {
      let test = TestLog()
      let log = try test.open()
      let text = String(repeating: "s", count: size)
      for _ in 0..<2500 { log.emit(AppNoted(message: text)) }
      log.close()
      let read = test.read()
      #expect(read.gaps.isEmpty, "\(size)")
      #expect(read.events(.appNoted).count == 2500, "\(size)")
      #expect(read.events(.appNoted).allSatisfy { $0.message == .plain(text) }, "\(size)")
    }
  }

  @Test func `A list of more tasks than a segment can define is written to a larger segment`() throws {
    let test = TestLog()
    let log = try test.open()
    let tasks = (0..<9000).map { number in
      TaskIdentity(uid: TaskUID(high: 1, low: UInt64(number)), session: "many", number: UInt32(number))
    }
    log.emit(SessionTasksAnswered(session: "many", count: 9000, tasks: tasks))
    log.emit(thread: 0, number: 0)
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.events(.sessionTasksAnswered).first?.tasks == tasks)
    #expect(read.numbers[0] == [0])
    #expect(read.events(.logDropped).isEmpty)
  }

  @Test func `An event larger than any record is counted once as too large`() throws {
    let test = TestLog()
    let log = try test.open()
    let task = Workload.task(0)
    log.emit(SessionTasksAnswered(session: "s", tasks: Array(repeating: task, count: 300_000)))
    log.emit(thread: 0, number: 0)
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.events(.sessionTasksAnswered).isEmpty)
    #expect(
      read.events(.logDropped).map { "\($0.family ?? "") \($0.count ?? 0) \($0.why?.name ?? "")" } == ["session 1 tooLarge"])
    #expect(read.events(.logClosed).first?.dropped == 1)
  }

  @Test func `Large events of several threads share segments`() throws {
    let test = TestLog()
    let log = try test.open()
    SystemThread.run(3) { thread in
      for number in 0..<12 {
        log.emit(thread: thread, number: number)
        log.emit(
          AppNoted(
            task: Workload.task(thread), intent: "large", message: String(repeating: "\(thread)", count: 70_000 * (number % 5))))
      }
    }
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.events(.logDropped).isEmpty)
    for thread in 0..<3 {
      #expect(read.numbers[thread] == Array(0..<12))
      let large = read.events(.appNoted).filter { $0.intent == .plain("large") && $0.task == Workload.task(thread) }
      #expect(large.map(\.message) == (0..<12).map { .plain(String(repeating: "\(thread)", count: 70_000 * ($0 % 5))) })
    }
  }

  @Test(arguments: [false, true])
  func `More names than a segment can define continue in the next segment`(appends: Bool) throws {
    let test = TestLog()
    let log = try test.open { $0.forcesAppending = appends }
    // Every name is new and long, so the dictionary fills chunks as fast as the lane does.
    func name(_ number: Int) -> String { "\(number) " + String(repeating: "n", count: number * 37 % 1000) }
    for number in 0..<3000 { log.emit(AppBeatSent(name: name(number))) }
    log.close()
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.events(.logDropped).isEmpty)
    #expect(read.events(.appBeatSent).map(\.name) == (0..<3000).map(name))
  }

  @Test func `A name longer than the dictionary's limit is truncated at a character boundary and marked`() throws {
    let test = TestLog()
    let log = try test.open()
    let long = String(repeating: "語", count: 1000)
    for _ in 0..<3 { log.emit(AppBeatSent(name: long)) }
    log.emit(AppBeatSent(name: String(repeating: "x", count: 1024)))
    log.close()
    let names = test.read().events(.appBeatSent).map(\.name)
    let cut = String(repeating: "語", count: 340) + "…"
    #expect(names == [cut, cut, cut, String(repeating: "x", count: 1024)])
  }
}
