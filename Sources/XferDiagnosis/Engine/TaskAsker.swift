package import XferEvents
package import XferLifecycle
package import XferReplay

/// The closures that ask one rule about tasks.
///
/// They are in a structure because a closure stored directly in an array is called through a thunk that copies its arguments.
package struct TaskAsker: Sendable {
  package typealias Ask = @Sendable (TaskLifecycle, RuleMemories, World, _ asked: Occasion) -> Verdict?
  package typealias Remember = @Sendable (EventView, Fact, TaskLifecycle, inout RuleMemories) -> Bool

  let ask: Ask
  /// Updates the rule's memory. Returns whether the rule remembers something of the task. `nil` for a rule without memory.
  var remember: Remember?
}
