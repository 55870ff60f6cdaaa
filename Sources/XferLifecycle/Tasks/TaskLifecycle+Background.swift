package import XferEvents

// What background sessions and the app's own records make of a task; set by the replay, which knows the others.
extension TaskLifecycle {
  /// The first task of its session that had to wait because the app was woken too often, since the last wake.
  package final class RateLimit: Sendable {
    /// The daemon says so; `nil` where it follows from how long tasks took to begin.
    package let held: Fact?
    package let delay: Duration?
    /// The first tasks of three wakes, one after another.
    package let starts: [Start]

    /// How long the first task of a wake took from its resume to its first attempt.
    package struct Start: Sendable {
      package let wake: Int
      package let delay: Duration
      package let started: Fact

      package init(wake: Int, delay: Duration, started: Fact) {
        self.wake = wake
        self.delay = delay
        self.started = started
      }
    }

    package init(held: Fact, delay: Duration?) {
      (self.held, self.delay, starts) = (held, delay, [])
    }

    package init(starts: [Start]) {
      (held, delay, self.starts) = (nil, starts.last?.delay, starts)
    }

    /// A minute, two, four, as measured in the field, with some room for what else takes time.
    package static func isDoubling(_ delays: [Duration]) -> Bool {
      guard let first = delays.first, first >= .seconds(45) else { return false }
      return zip(delays, delays.dropFirst()).allSatisfy { ($0 * 8 / 5...$0 * 5 / 2).contains($1) }
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
}

extension TaskFacts {
  package mutating func limit(by rate: RateLimit) {
    rateLimit = rateLimit ?? rate
    traits.insert(.rateLimited)
  }

  package mutating func bind(_ binding: NumberBinding) {
    numberBinding = binding
    traits.insert(.boundByNumber)
  }
}
