package import XferEvents

/// A task that transfers bytes without a progress callback to the app in the foreground.
package struct SilentProgress: Sendable {
  package let task: TaskIdentity
  /// The event in which the app came to the foreground.
  package let front: Fact
  /// The last progress of the transfer since then.
  package let moved: Fact

  package init(task: TaskIdentity, front: Fact, moved: Fact) {
    self.task = task
    self.front = front
    self.moved = moved
  }
}
