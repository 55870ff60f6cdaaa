import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of a log whose directory is deleted while it is being written.
struct RemovedLogTests {
  private let test = TestLog()

  private func faults(_ log: LogContents) -> [String] { log.events(.messageFault).map { "\($0.values)" } }

  @Test(arguments: [false, true])
  func `A deleted log is started again within a second and reports the lost events`(appends: Bool) throws {
    let clock = TestClock()
    let log = try test.open {
      $0.clock = clock.clock
      $0.forcesAppending = appends
    }
    for number in 0..<50 { log.emit(thread: 0, number: number) }
    try FileManager.default.removeItem(atPath: test.directory)
    // Events emitted within that second are lost as well and reported in the same way.
    for number in 50..<60 { log.emit(thread: 0, number: number) }
    clock.advance(by: 2_000_000_000)
    for number in 60..<70 { log.emit(thread: 0, number: number) }
    log.close()
    let read = test.read()
    #expect(read.numbers[0] == Array(60..<70), "\(read.numbers)")
    #expect(faults(read).contains { $0.contains("was deleted while it was being written") }, "\(faults(read))")
    let missing = read.gaps.filter { $0.cause == .missingHead }.compactMap(\.sequences)
    #expect(missing.count == 1 && (missing.first?.count ?? 0) >= 60, "\(read.gaps)")
  }

  @Test func `A deleted log is started again with the next segment`() throws {
    let clock = TestClock()
    let log = try test.open { $0.clock = clock.clock }
    log.emit(thread: 0, number: 0)
    try FileManager.default.removeItem(atPath: test.directory)
    // Emit more than the first segment can hold, without advancing the clock.
    for number in 1..<20_000 { log.emit(thread: 0, number: number) }
    log.close()
    let read = test.read()
    #expect(read.numbers[0]?.last == 19_999 && read.numbers[0]?.first != 0, "\(read.numbers[0]?.count ?? 0)")
    #expect(faults(read).contains { $0.contains("was deleted while it was being written") })
    #expect(read.gaps.contains { $0.cause == .missingHead })
  }

  @Test func `A log that is not deleted keeps its segment`() throws {
    let clock = TestClock()
    let log = try test.open { $0.clock = clock.clock }
    for number in 0..<50 {
      log.emit(thread: 0, number: number)
      clock.advance(by: 1_000_000_000)
    }
    log.close()
    #expect(test.segments.count == 1)
    #expect(faults(test.read()).isEmpty)
  }

  @Test func `A file with the largest segment number does not prevent a writer from creating its segment`() throws {
    try FileManager.default.createDirectory(atPath: test.directory, withIntermediateDirectories: true)
    for name in ["4294967295.seg", "4294967294.seg", "2147483648.seg"] { try write([1], to: "\(test.directory)/\(name)") }
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    log.close()
    #expect(test.read().numbers[0] == [0])
  }
}
