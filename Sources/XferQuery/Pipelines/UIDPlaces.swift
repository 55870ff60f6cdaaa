import XferEvents

/// The places of groups whose key is the uid of a task, by hash of the uid.
///
/// A table of its own, because a log may have millions of tasks, and a dictionary takes several times as long to find one. It does not
/// contain the uids: the smaller it is, the more of it stays in the processor's caches.
struct UIDPlaces {
  /// The place plus 1 in the lower half, and the hash of the uid in the upper half; 0 if the slot is empty.
  private typealias Slot = UInt64

  /// The slots, whose number is a power of two, at most half of them in use.
  private var slots: [Slot] = []
  /// The number of uids.
  private(set) var count = 0
  private let seed: UInt64

  /// - Parameter seed: a random number. Without it, the author of a forged log could choose uids that all belong in the same slot.
  init(seed: UInt64 = .random(in: .min ... .max)) { self.seed = seed }

  /// Returns the place of a uid, which is `new` if the uid is not known yet.
  ///
  /// - Parameter isHere: returns whether the uid at a place is the same.
  @inline(__always)
  mutating func place(of uid: TaskUID, new: Int, isHere: (_ place: Int) -> Bool) -> Int {
    if 2 * count >= slots.count { reserveCapacity(max(16, 2 * count)) }
    let hash = hash(of: uid)
    var index = index(of: hash)
    while slots[index] > 0 {
      let place = Int(UInt32(truncatingIfNeeded: slots[index])) - 1
      if slots[index] >> 32 == hash, isHere(place) { return place }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = hash << 32 | Slot(UInt32(new) + 1)
    count += 1
    return new
  }

  /// Makes room for a number of uids.
  mutating func reserveCapacity(_ capacity: Int) {
    var size = 32
    while size < 2 * capacity { size *= 2 }
    guard size > slots.count else { return }
    let known = slots
    slots = [Slot](repeating: 0, count: size)
    for slot in known where slot > 0 {
      var index = index(of: slot >> 32)
      while slots[index] > 0 { index = (index + 1) & (size - 1) }
      slots[index] = slot
    }
  }

  /// Returns 32 bits.
  @inline(__always)
  private func hash(of uid: TaskUID) -> UInt64 {
    // The engine draws both halves at random, but uids of foreign logs may differ in only one of them.
    let product = (uid.high ^ seed).multipliedFullWidth(by: uid.low ^ 0x9E37_79B9_7F4A_7C15 ^ seed.byteSwapped)
    let mixed = product.high ^ product.low
    return (mixed ^ mixed >> 32) & 0xFFFF_FFFF
  }

  @inline(__always)
  private func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }
}
