package import XferEvents
package import XferReplay

/// A log in which one can go to and fro: the world after any number of its members, as a fresh replay would give it.
///
/// Going back takes the last snapshot before the place, and goes on from there.
package struct Timeline {
  package let members: [LogMember]
  /// How many members have been applied.
  package private(set) var position = 0
  private var current = SteppingReplay()
  private var snapshots: [Snapshot] = [Snapshot(position: 0, replay: SteppingReplay())]
  private var spacing: Int
  private let limit: Int

  private struct Snapshot {
    let position: Int
    let replay: SteppingReplay
  }

  /// - Parameters:
  ///   - members: in the order in which they are to be applied.
  ///   - spacing: members between two snapshots, at first.
  ///   - limit: snapshots that are kept; when there are more, every other one goes and the distance doubles.
  package init(_ members: [LogMember], spacing: Int = 64, limit: Int = 32) {
    precondition(spacing > 0 && limit > 1, "there are snapshots")
    self.members = members
    self.spacing = spacing
    self.limit = limit
  }

  package var world: World { current.world }
  package var state: StateDocument { current.state }

  /// - Returns: what the member right before the place was about.
  @discardableResult
  package mutating func go(to place: Int) -> Change? {
    let target = min(max(0, place), members.count)
    // The last member is always applied anew, to tell what it is about.
    let start = max(0, target - 1)
    if position > start {
      let snapshot = snapshots.last { $0.position <= start }!
      (current, position) = (snapshot.replay, snapshot.position)
    }
    var change: Change?
    while position < target {
      change = current.apply(members[position])
      position += 1
      keep()
    }
    return change
  }

  private mutating func keep() {
    guard position % spacing == 0, position > snapshots.last!.position else { return }
    snapshots.append(Snapshot(position: position, replay: current))
    guard snapshots.count > limit else { return }
    spacing *= 2
    snapshots.removeAll { $0.position % spacing != 0 }
  }
}
