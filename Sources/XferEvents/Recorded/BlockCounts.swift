/// The numbers of blocks of sealed segments, and of chunks of other segments, that a reader was asked to read.
package struct BlockCounts: Equatable, Sendable {
  /// The blocks of sealed segments, skipped or not.
  package private(set) var sealed = 0
  /// The blocks of sealed segments that were skipped, because the caller's selection excludes all their events.
  package private(set) var skipped = 0
  /// The chunks of segments that are not sealed. They cannot be skipped.
  package private(set) var unsealed = 0

  package init() {}

  package mutating func note(isSealed: Bool, isSkipped: Bool) {
    if isSealed { sealed += 1 } else { unsealed += 1 }
    if isSkipped { skipped += 1 }
  }

  package static func + (left: BlockCounts, right: BlockCounts) -> BlockCounts {
    var sum = left
    sum.sealed += right.sealed
    sum.skipped += right.skipped
    sum.unsealed += right.unsealed
    return sum
  }
}
