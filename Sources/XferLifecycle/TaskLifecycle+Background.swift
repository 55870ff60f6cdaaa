package import XferEvents

// What background sessions and the app's own records make of a task; set by the replay, which knows the others.
extension TaskLifecycle {
  /// The first task of its session that had to wait because the app was woken too often, since the last wake.
  package final class RateLimit: Sendable {
    package let held: Fact
    package let delay: Duration?

    package init(held: Fact, delay: Duration?) {
      self.held = held
      self.delay = delay
    }
  }

  /// The app finds its record of the task by the task's number alone.
  package final class NumberBinding: Sendable {
    package let bound: Fact
    /// A live task of another session that was bound to the same number before.
    package let earlier: Other?
    /// What the app made of this task, said of another intent.
    package let mistaken: Fact?

    package struct Other: Sendable {
      package let task: TaskIdentity
      package let bound: Fact

      package init(task: TaskIdentity, bound: Fact) {
        self.task = task
        self.bound = bound
      }
    }

    package init(bound: Fact, earlier: Other?, mistaken: Fact? = nil) {
      self.bound = bound
      self.earlier = earlier
      self.mistaken = mistaken
    }
  }

  package mutating func limit(by rate: RateLimit) { rateLimit = rateLimit ?? rate }

  package mutating func bind(_ binding: NumberBinding) { numberBinding = binding }
}
