import XferEvents

/// The places of groups whose key is the uid of a task.
///
/// A table of its own, because a log may have millions of tasks, and a dictionary takes several times as long to find one.
struct UIDPlaces {
  private struct Slot {
    var uid = TaskUID(high: 0, low: 0)
    /// The place plus 1; 0 for an empty slot.
    var next: UInt32 = 0
  }

  /// The slots, whose number is a power of two, at most half of them in use.
  private var slots: [Slot] = []
  /// The number of uids.
  private(set) var count = 0
  private let seed: UInt64

  /// - Parameter seed: a random number. Without it, the author of a forged log could choose uids that all belong in the same slot.
  init(seed: UInt64 = .random(in: .min ... .max)) { self.seed = seed }

  /// Returns the place of a uid, which is `new` if the uid is not known yet.
  @inline(__always)
  mutating func place(of uid: TaskUID, new: Int) -> Int {
    if 2 * count >= slots.count { reserveCapacity(max(16, 2 * count)) }
    let index = index(of: uid)
    if slots[index].next == 0 {
      slots[index] = Slot(uid: uid, next: UInt32(new) + 1)
      count += 1
    }
    return Int(slots[index].next) - 1
  }

  /// Makes room for a number of uids.
  mutating func reserveCapacity(_ capacity: Int) {
    var size = 32
    while size < 2 * capacity { size *= 2 }
    guard size > slots.count else { return }
    let known = slots
    slots = [Slot](repeating: Slot(), count: size)
    for slot in known where slot.next > 0 { slots[index(of: slot.uid)] = slot }
  }

  /// Returns the index of the slot of a uid, or of the empty slot where it belongs.
  @inline(__always)
  private func index(of uid: TaskUID) -> Int {
    // The engine draws both halves at random, but uids of foreign logs may differ in only one of them.
    let product = (uid.high ^ seed).multipliedFullWidth(by: uid.low ^ 0x9E37_79B9_7F4A_7C15 ^ seed.byteSwapped)
    var index = Int(truncatingIfNeeded: product.high ^ product.low) & (slots.count - 1)
    while slots[index].next > 0, slots[index].uid != uid { index = (index + 1) & (slots.count - 1) }
    return index
  }
}
