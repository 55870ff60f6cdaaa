package import XferEvents

/// The tasks of earlier daemons according to the log. Read only when the database has lost data or is new, because reading a log
/// can take a long time.
package struct LoggedInventory: Sendable {
  /// The generation of the latest earlier daemon. Zero when there was none.
  package var generation: UInt64
  /// The unfinished tasks of earlier daemons.
  package var tasks: [TaskIdentity]
  /// The finished tasks of earlier daemons. A database that still contains one of them is an older copy.
  package var ended: Set<TaskUID>

  package init(generation: UInt64 = 0, tasks: [TaskIdentity] = [], ended: Set<TaskUID> = []) {
    (self.generation, self.tasks, self.ended) = (generation, tasks, ended)
  }
}
