package import XferEvents

/// A task that moves while its app, in front of the user, is not told.
package struct SilentProgress: Sendable {
  package let task: TaskIdentity
  /// The app came to the front.
  package let front: Fact
  /// The last bytes that the daemon moved since.
  package let moved: Fact

  package init(task: TaskIdentity, front: Fact, moved: Fact) {
    self.task = task
    self.front = front
    self.moved = moved
  }
}
