package import XferEvents

/// A filter on the index of sealed segments, with which a reader skips blocks that contain no wanted event.
///
/// The filter never excludes a wanted event. The events of the remaining blocks must still be filtered one by one.
package struct BlockSelection {
  /// A bit mask of the wanted levels, indexed by level number.
  package var levels: UInt8 = .max
  /// The earliest wanted time; `nil` means unlimited.
  package var since: WallTime?
  /// The exclusive end of the wanted times; `nil` means unlimited.
  package var until: WallTime?
  /// Returns whether a task is wanted; `nil` accepts every task. An event that names a successor task is also wanted if the
  /// successor is.
  package var isTaskWanted: ((TaskIdentity) -> Bool)?
  /// Returns whether a session identifier is wanted; `nil` accepts every session.
  package var isSessionWanted: ((String) -> Bool)?
  /// The wanted kinds of events; `nil` accepts every kind. Unlike the other limits, this one also leaves out single events.
  package var kinds: KindSelection?
  /// A scan that reads blocks on several threads, in any order. The reader returns only the events of the other blocks.
  package var scan: BlockScan?

  package init() {}

  /// The selection resolved for one segment, whose blocks refer to tasks and sessions by number.
  struct Resolved {
    let selection: BlockSelection
    let tasks: Set<UInt32>?
    let sessions: Set<UInt32>?

    init(_ selection: BlockSelection, source: RecordSource, sessions: [String]) {
      self.selection = selection
      tasks = selection.isTaskWanted.map { isWanted in
        Set(source.definedTasks.filter { isWanted($0.value) }.map(\.symbol))
      }
      self.sessions = selection.isSessionWanted.map { isWanted in
        Set(sessions.indices.filter { isWanted(sessions[$0]) }.map(UInt32.init))
      }
    }

    /// Returns the property that excludes all events of a block; `nil` if the block must be read.
    func exclusion(of entry: SealIndex.Entry) -> BlockCounts.Exclusion? {
      let content = entry.content
      // The block contains only the format's own records, which may be needed to decode later records.
      guard content.firstTime <= content.lastTime else { return nil }
      let wall = entry.block.chunk.clocks.wall
      if let since = selection.since, wall &+ content.lastTime < since.nanoseconds { return .time }
      if let until = selection.until, wall &+ content.firstTime >= until.nanoseconds { return .time }
      if selection.levels != .max, content.levels & selection.levels == 0 { return .level }
      if let sessions, !content.sessions.contains(where: sessions.contains) { return .session }
      if let tasks, !content.tasks.contains(where: tasks.contains) { return .task }
      return nil
    }
  }
}

/// The kinds of events that a reader returns.
package struct KindSelection {
  package let choice: (UnsafePointer<LayoutTable>) -> KindChoice
  /// Whether the last event of each lane is returned whatever its kind, so that the time of the log's last event is known.
  package let keepsEnds: Bool

  package init(keepsEnds: Bool, choice: @escaping (UnsafePointer<LayoutTable>) -> KindChoice) {
    (self.choice, self.keepsEnds) = (choice, keepsEnds)
  }
}
