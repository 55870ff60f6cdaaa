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
  /// The number that every wanted task has, with which a reader passes over other tasks quickly; `nil` if wanted tasks may have several
  /// numbers.
  package var wantedNumber: UInt32?
  /// Returns whether a session identifier is wanted; `nil` accepts every session.
  package var isSessionWanted: ((String) -> Bool)?
  /// The wanted kinds of events; `nil` accepts every kind. Unlike the other limits, this one also leaves out single events.
  package var kinds: KindSelection?
  /// A scan that reads blocks on several threads, in any order. The reader returns only the events of the other blocks.
  package var scan: BlockScan?

  /// The number of events at the end of the log that are wanted; `nil` for the whole log. The reader leaves out what precedes them, as
  /// far as it can tell without reading it, and may return more events.
  package var last: Int?

  package init() {}

  /// The selection resolved for one segment, whose blocks refer to tasks and sessions by number.
  struct Resolved {
    let selection: BlockSelection
    /// The symbols of the wanted tasks, in ascending order.
    let tasks: [UInt32]?
    let sessions: Set<UInt32>?
    let kinds: KindSet?

    /// - Parameters:
    ///   - tasks: The symbols of the wanted tasks, in ascending order; `nil` if every task is wanted.
    ///   - hasAllLayouts: Whether no definition of a layout can be missing.
    init(_ selection: BlockSelection, source: RecordSource, tasks: [UInt32]?, sessions: [String], hasAllLayouts: Bool) {
      self.selection = selection
      self.tasks = tasks
      self.sessions = selection.isSessionWanted.map { isWanted in
        Set(sessions.indices.filter { isWanted(sessions[$0]) }.map(UInt32.init))
      }
      let wanted = selection.kinds.flatMap { $0.keepsEnds || !hasAllLayouts ? nil : $0 }
      kinds = wanted.map { wanted in KindSet(of: source) { wanted.choice($0) != .count } }
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
      if let tasks, !Self.overlap(tasks, content.tasks) { return .task }
      if let kinds, entry.block.columns.isPlain, !entry.block.columns.kinds.intersects(kinds) { return .kind }
      return nil
    }

    /// Whether two lists in ascending order have a common number.
    private static func overlap(_ wanted: [UInt32], _ present: [UInt32]) -> Bool {
      guard let last = wanted.last, let first = wanted.first, let end = present.last, end >= first else { return false }
      if wanted.count == 1 { return present.contains(first) }
      var place = wanted.startIndex
      for number in present where number >= first {
        if number > last { return false }
        while wanted[place] < number { place += 1 }
        if wanted[place] == number { return true }
      }
      return false
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
