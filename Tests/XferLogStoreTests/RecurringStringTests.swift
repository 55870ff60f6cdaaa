import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that recurring strings are stored once and found by their bytes.
struct RecurringStringTests {
  /// For every length, one string and all strings that differ from it in a single byte.
  private static let strings: [String] = (0...33).flatMap { length in
    let base = [UInt8](repeating: UInt8(ascii: "a"), count: length)
    return [base]
      + base.indices.map { place in
        var changed = base
        changed[place] = UInt8(ascii: "b")
        return changed
      }
  }.map { String(decoding: $0, as: UTF8.self) }

  @Test
  func `Strings that differ in a single byte are distinguished, in any order`() throws {
    let test = TestLog()
    let log = try test.open()
    let written = Self.strings + Self.strings.reversed()
    for string in written {
      log.emit(DeliveryEntered(task: Workload.task(0), delivery: DeliveryID(1), callback: .didComplete, queue: string))
    }
    log.close()
    #expect(test.read().events(.deliveryEntered).map(\.queue) == written)
  }
}
