/// The numbers of blocks of sealed segments, and of chunks of other segments, that a reader was asked to read.
package struct BlockCounts: Equatable, Sendable {
  /// The property by which a reader knows that a block has no wanted event.
  package enum Exclusion: String, CaseIterable, Sendable {
    case time, level, session, task, kind
  }

  /// The blocks of sealed segments, skipped or not.
  package private(set) var sealed = 0
  /// The chunks of segments that are not sealed. They cannot be skipped.
  package private(set) var unsealed = 0
  /// The number of blocks that were skipped because of each property, in the order of `Exclusion.allCases`.
  private var skips = [Int](repeating: 0, count: Exclusion.allCases.count)
  /// `all` is the number of blocks that a scan read, and `partly` the number of blocks in which it decoded only some columns.
  package private(set) var scanned = (all: 0, partly: 0)

  /// The number of events that were left out because of their kind. `matches` counts the ones that match the query.
  package private(set) var leftOut = (events: 0, matches: 0)

  package init() {}

  /// The blocks of sealed segments that were skipped, because the caller's selection excludes all their events.
  package var skipped: Int { skips.reduce(0, +) }

  /// The number of skipped blocks for each reason, without the reasons that did not occur.
  package var exclusions: [(reason: Exclusion, count: Int)] {
    zip(Exclusion.allCases, skips).compactMap { $1 == 0 ? nil : ($0, $1) }
  }

  package mutating func note(isSealed: Bool, exclusion: Exclusion? = nil) {
    guard isSealed else { return unsealed += 1 }
    if let exclusion { note(skipped: 1, exclusion: exclusion) } else { sealed += 1 }
  }

  /// Notes blocks of sealed segments that were skipped.
  package mutating func note(skipped blocks: Int, exclusion: Exclusion) {
    sealed += blocks
    if let place = Exclusion.allCases.firstIndex(of: exclusion) { skips[place] += blocks }
  }

  package mutating func note(scanned count: Int, partly: Int) {
    scanned.all += count
    scanned.partly += partly
  }

  package mutating func note(leftOut events: Int, matches: Int) {
    leftOut.events += events
    leftOut.matches += matches
  }

  package static func + (left: BlockCounts, right: BlockCounts) -> BlockCounts {
    var sum = left
    sum.sealed += right.sealed
    sum.unsealed += right.unsealed
    for place in sum.skips.indices { sum.skips[place] += right.skips[place] }
    sum.note(scanned: right.scanned.all, partly: right.scanned.partly)
    sum.note(leftOut: right.leftOut.events, matches: right.leftOut.matches)
    return sum
  }

  package static func == (left: BlockCounts, right: BlockCounts) -> Bool {
    left.sealed == right.sealed && left.unsealed == right.unsealed && left.skips == right.skips && left.scanned == right.scanned
      && left.leftOut == right.leftOut
  }
}
