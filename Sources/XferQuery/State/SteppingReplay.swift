package import XferEvents
package import XferReplay

/// A replay that can stop anywhere: it keeps tasks that are over for a while, as a diagnosis does, and asks no rule.
///
/// A value: where it stood is kept by copying it.
package struct SteppingReplay {
  private var replay = Replay()
  /// Tasks that were acknowledged or forgotten, oldest first.
  private var ended: [TaskTable.Place] = []
  private var firstEnded = 0
  /// Tasks that have been taken out of the world.
  package private(set) var left = 0
  package var world: World { replay.world }
  package var events: Int { replay.counts.events }

  /// How many tasks that are over stay.
  private static let endedLimit = 1000

  package init() {}

  /// - Returns: what the event was about; `nil` for a gap, and for what no model knows.
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
