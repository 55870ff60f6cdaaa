import Testing
import XferEngine
import XferEvents

@testable import XferService

/// Tests of effects that wait for their state to be stored.
struct HeldEffectsTests {
  private static let progress = DaemonMessage.progress(
    TaskProgress(session: "s", task: "t", number: 1, received: 1, expected: 2, sent: 0, expectedToSend: 0))

  @Test func `Effects wait in order until their state is stored, except for obsolete progress messages`() {
    var held = HeldEffects()
    let uid = TaskUID(high: 1, low: 2)
    held.add([.storeTask(uid), .remove("a")])
    #expect(!held.isWaiting)
    #expect(held.noteFailure() == 50_000_000)
    held.add([.send(LinkID(1), Self.progress), .storeApp("b"), .storeTask(uid), .carry(uid)])
    #expect(held.isWaiting && held.items == [.task(uid), .app("b")])
    #expect(held.noteFailure() == 100_000_000)
    let taken = held.take().map { "\($0)".prefix { $0 != "(" } }
    #expect(taken == ["storeTask", "remove", "storeApp", "storeTask", "carry"])
    #expect(!held.isWaiting && held.items.isEmpty && held.take().isEmpty)
  }

  @Test func `The retry delay grows to at most five seconds`() {
    var held = HeldEffects()
    let delays = (0..<100).map { _ in held.noteFailure() }
    #expect(delays == delays.sorted() && delays.last == 5_000_000_000)
  }
}
