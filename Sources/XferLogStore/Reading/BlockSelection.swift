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

    func admits(_ entry: SealIndex.Entry) -> Bool {
      let content = entry.content
      // The block contains only the format's own records, which may be needed to decode later records.
      guard content.firstTime <= content.lastTime else { return true }
      guard content.levels & selection.levels != 0 else { return false }
      let wall = entry.block.chunk.clocks.wall
      if let since = selection.since, wall &+ content.lastTime < since.nanoseconds { return false }
      if let until = selection.until, wall &+ content.firstTime >= until.nanoseconds { return false }
      if let tasks, !content.tasks.contains(where: tasks.contains) { return false }
      if let sessions, !content.sessions.contains(where: sessions.contains) { return false }
      return true
    }
  }
}
