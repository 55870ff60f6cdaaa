package import XferEvents
package import XferReplay

/// A replay without rules that can stop after any event or gap. Like a diagnosis, the replay keeps ended tasks for a while, and keeps
/// installations apart.
///
/// The replay is a value, so that a copy is a snapshot.
package struct SteppingReplay {
  private var parts = [Part()]
  private var table = InstallationTable()
  /// The installation of the last event or gap.
  private var current = 0

  /// The replay of one installation.
  fileprivate struct Part {
    var replay = Replay()
    /// The tasks that were acknowledged or forgotten, the oldest first.
    var ended: [TaskTable.Place] = []
    var firstEnded = 0
    /// The number of tasks that have been removed from the world.
    var left = 0
  }

  /// The world of the installation whose event or gap was applied last.
  package var world: World { parts[current].replay.world }
  package var events: Int { parts.reduce(0) { $0 + $1.replay.counts.events } }

  /// The maximum number of ended tasks that are kept of each installation.
  fileprivate static let endedLimit = 1000

  package init() {}

  /// - Returns: the change that the event made to `world`. `nil` for a gap, and for an event that no lifecycle consumes.
  @discardableResult
  package mutating func apply(_ member: LogMember) -> Change? {
    switch member {
    case .event(let event): current = table.place(of: event.view)
    case .gap(let gap): current = table.place(of: gap)
    }
    while parts.count < table.count { parts.append(Part()) }
    return parts[current].apply(member)
  }

  package var state: StateDocument {
    StateDocument(parts.map(\.replay.world), left: parts.reduce(0) { $0 + $1.left })
  }
}

extension SteppingReplay.Part {
  fileprivate mutating func apply(_ member: LogMember) -> Change? {
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
    guard ended.count - firstEnded > SteppingReplay.endedLimit else { return }
    let oldest = ended[firstEnded]
    firstEnded += 1
    if firstEnded > SteppingReplay.endedLimit {
      ended.removeFirst(firstEnded)
      firstEnded = 0
    }
    guard replay.world.tasks.isCurrent(oldest) else { return }
    replay.close(Int(oldest.index))
    left += 1
  }
}
