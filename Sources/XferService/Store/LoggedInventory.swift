package import XferEvents

/// What a log tells of the daemons before this one, whose database cannot be read.
package struct LoggedInventory: Sendable {
  /// Of the last of them; 0 for none.
  package var generation: UInt64
  /// Tasks that they had and had not done with.
  package var tasks: [TaskIdentity]

  package init(generation: UInt64 = 0, tasks: [TaskIdentity] = []) { (self.generation, self.tasks) = (generation, tasks) }
}
