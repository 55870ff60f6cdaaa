package import XferEvents
package import XferReplay

/// A replay that can move forwards and backwards in a log. The world at each position equals that of a new replay up to the position.
///
/// A move backwards restores the last snapshot before the target and replays from the snapshot.
package struct Timeline {
  package let members: [LogMember]
  /// The number of events and gaps of the log that have been applied.
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
  ///   - members: the events and gaps in the order in which they are applied.
  ///   - spacing: the initial number of events and gaps between two snapshots.
  ///   - limit: the maximum number of snapshots. When it is exceeded, every other snapshot is dropped and the spacing doubles.
  package init(_ members: [LogMember], spacing: Int = 64, limit: Int = 32) {
    precondition(spacing > 0 && limit > 1, "a timeline needs snapshots")
    self.members = members
    self.spacing = spacing
    self.limit = limit
  }

  package var world: World { current.world }
  package var state: StateDocument { current.state }

  /// - Parameter place: the number of events and gaps to apply.
  /// - Returns: the change that the last applied event made. `nil` at the beginning, after a gap, and after an event that no
  ///   lifecycle consumes.
  @discardableResult
  package mutating func go(to place: Int) -> Change? {
    let target = min(max(0, place), members.count)
    // The last event or gap is always applied again, to find the change that it makes.
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
