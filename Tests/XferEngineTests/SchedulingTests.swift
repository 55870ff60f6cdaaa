import Testing
import XferEvents

@testable import XferEngine

struct SchedulingTests {
  private func host(_ name: String) -> URLFacts.Origin { .init(scheme: "http", host: name, zone: nil, port: nil) }

  @Test func `Connection slots are assigned in order of arrival, per host and in total`() {
    var slots = HostSlots<Int>(perHost: 2, total: 3)
    #expect(slots.request(1, at: host("a")) == .admitted)
    #expect(slots.request(2, at: host("a")) == .admitted)
    #expect(slots.request(3, at: host("a")) == .waits(.hostSlots, used: 2, slots: 2))
    #expect(slots.request(4, at: host("b")) == .admitted)
    #expect(slots.request(5, at: host("b")) == .waits(.sessionSlots, used: 3, slots: 3))
    #expect(slots.request(6, at: host("c")) == .waits(.sessionSlots, used: 3, slots: 3))
    #expect(slots.admit() == nil)
    slots.release(host("b"))
    #expect(slots.admit() == 5, "the oldest item whose host has a free slot")
    slots.release(host("a"))
    #expect(slots.admit() == 3)
    slots.release(host("a"))
    #expect(slots.admit() == 6)
    #expect(slots.admit() == nil)
  }

  @Test func `Items that go ahead of the queue are admitted in their order of arrival`() {
    var slots = HostSlots<Int>(perHost: 1, total: 9)
    _ = slots.request(1, at: host("a"))
    _ = slots.request(2, at: host("a"))
    _ = slots.request(3, at: host("a"), first: true)
    _ = slots.request(4, at: host("a"), first: true)
    slots.withdraw(4, from: host("a"))
    _ = slots.request(5, at: host("a"), first: true)
    var order: [Int] = []
    for _ in 0..<3 {
      slots.release(host("a"))
      order += [slots.admit()].compactMap { $0 }
    }
    #expect(order == [3, 5, 2])
  }

  /// A failure can be reproduced by running the test with its seed alone.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `Connection slots never exceed their limits, and each host admits items in order`(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var slots = HostSlots<Int>(perHost: 3, total: 5)
    var active: [(item: Int, host: String)] = []
    var waiting: [(item: Int, host: String)] = []
    for item in 0..<500 {
      let name = ["a", "b", "c"].randomElement(using: &random)!
      if slots.request(item, at: host(name)) == .admitted { active.append((item, name)) } else { waiting.append((item, name)) }
      if Bool.random(using: &random), let gone = waiting.indices.randomElement(using: &random) {
        slots.withdraw(waiting[gone].item, from: host(waiting[gone].host))
        waiting.remove(at: gone)
      }
      if Bool.random(using: &random), let done = active.indices.randomElement(using: &random) {
        slots.release(host(active.remove(at: done).host))
      }
      while let admitted = slots.admit() {
        let place = waiting.firstIndex { $0.item == admitted }!
        #expect(waiting[..<place].allSatisfy { $0.host != waiting[place].host })
        active.append(waiting.remove(at: place))
      }
      #expect(active.count <= 5)
      #expect(Dictionary(grouping: active, by: \.host).values.allSatisfy { $0.count <= 3 })
    }
  }

  /// A failure can be reproduced by running the test with its seed alone.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Deadlines are returned in order, also after pruning`(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var deadlines = Deadlines<Int>()
    let times = (0..<3_000).map { _ in Int64.random(in: 0..<1_000, using: &random) }
    for (item, time) in times.enumerated() { deadlines.add(item, at: time) }
    let isLive = { (item: Int) in item % 5 == 0 }
    deadlines.prune(live: 600, isLive: isLive)
    var popped: [Int] = []
    while let item = deadlines.popDue(at: 499) { popped.append(item) }
    let due = times.indices.filter { isLive($0) && times[$0] <= 499 }
    #expect(popped.map { times[$0] } == due.map { times[$0] }.sorted())
    #expect(Set(popped) == Set(due))
    #expect(deadlines.next == times.indices.filter { isLive($0) && times[$0] > 499 }.map { times[$0] }.min())
  }
}
