package import XferEvents

/// A task that transfers bytes while the app is in the foreground, without calling its progress callback.
package struct SilentProgress: Sendable {
  package let task: TaskIdentity
  /// The event in which the app came to the foreground.
  package let front: Fact
  /// The last progress of the transfer since the app came to the foreground.
  package let moved: Fact

  package init(task: TaskIdentity, front: Fact, moved: Fact) {
    self.task = task
    self.front = front
    self.moved = moved
  }
}
