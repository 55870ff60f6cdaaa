package import XferEvents

/// What a log tells of the daemons before this one. Read when their database has lost something: a log may be long.
package struct LoggedInventory: Sendable {
  /// Of the last of them; 0 for none.
  package var generation: UInt64
  /// Tasks that they had and had not done with.
  package var tasks: [TaskIdentity]
  /// Tasks that they had done with: a database that still has one is older than it was.
  package var ended: Set<TaskUID>

  package init(generation: UInt64 = 0, tasks: [TaskIdentity] = [], ended: Set<TaskUID> = []) {
    (self.generation, self.tasks, self.ended) = (generation, tasks, ended)
  }
}
