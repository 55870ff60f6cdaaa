import LogTestSupport
import Testing
import XferEvents

@testable import XferQuery

struct UIDPlacesTests {
  @Test func `Each uid has a place of its own, also if its hash is that of another uid`() {
    // The hash has 32 bits, so about ten of these uids share theirs with another one.
    var random = SeededRandom(seed: 1)
    let uids = (0..<300_000).map { _ in TaskUID(high: random.next(), low: random.next()) }
    var table = UIDPlaces(seed: 1)
    var collisions = 0
    func place(of uid: TaskUID) -> Int {
      table.place(of: uid, new: table.count) { place in
        if uids[place] != uid { collisions += 1 }
        return uids[place] == uid
      }
    }
    #expect(uids.map(place) == Array(uids.indices))
    #expect(uids.map(place) == Array(uids.indices))
    #expect(table.count == uids.count)
    #expect(collisions > 0)
  }
}
