package import XferEvents

/// What is wanted of a log, as far as the index of a sealed segment can tell: blocks that hold nothing of it are passed over.
///
/// It never leaves out what is wanted, and what it lets through still has to be looked at.
package struct BlockSelection {
  /// A bit for each level, by its number.
  package var levels: UInt8 = .max
  package var since: WallTime?
  /// Not itself included.
  package var until: WallTime?
  /// Which tasks; an event about another is wanted only if its successor is.
  package var isTaskWanted: ((TaskIdentity) -> Bool)?
  package var isSessionWanted: ((String) -> Bool)?

  package init() {}

  /// The same for one segment, whose contents name tasks and sessions by number.
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
      // Nothing but the format's own records, which say what those behind them mean.
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
