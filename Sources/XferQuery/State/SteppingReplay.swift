package import XferEvents
package import XferReplay

/// A replay without rules that can stop after any event or gap. Like a diagnosis, the replay keeps ended tasks for a while.
///
/// The replay is a value, so that a copy is a snapshot.
package struct SteppingReplay {
  private var replay = Replay()
  /// The tasks that were acknowledged or forgotten, the oldest first.
  private var ended: [TaskTable.Place] = []
  private var firstEnded = 0
  /// The number of tasks that have been removed from the world.
  package private(set) var left = 0
  package var world: World { replay.world }
  package var events: Int { replay.counts.events }

  /// The maximum number of ended tasks that are kept.
  private static let endedLimit = 1000

  package init() {}

  /// - Returns: the change that the event made. `nil` for a gap, and for an event that no lifecycle consumes.
  @discardableResult
  package mutating func apply(_ member: LogMember) -> Change? {
    guard let change = replay.apply(member) else { return nil }
    if case .task(let task) = change.subject {
      switch change.fact.kind {
      case .taskAcknowledged, .taskForgotten: end(task)
      default: break
      }
    }
    return change
  }

  private mutating func end(_ task: Int) {
    ended.append(replay.world.tasks.place(task))
    guard ended.count - firstEnded > Self.endedLimit else { return }
    let oldest = ended[firstEnded]
    firstEnded += 1
    if firstEnded > Self.endedLimit {
      ended.removeFirst(firstEnded)
      firstEnded = 0
    }
    guard replay.world.tasks.isCurrent(oldest) else { return }
    replay.close(Int(oldest.index))
    left += 1
  }

  package var state: StateDocument { StateDocument(replay.world, left: left) }
}
