package import XferEvents

// Facts about background sessions and the app's records that concern a task; set by the replay, which knows the other tasks.
extension TaskLifecycle {
  /// The delayed start of a session's first task after a wake, because the app was woken too often.
  package final class RateLimit: Sendable {
    /// The event in which the daemon states the wait; `nil` if it is inferred from start delays.
    package let held: Fact?
    package let delay: Duration?
    /// The first tasks of three successive wakes.
    package let starts: [Start]

    /// The start delay of the first task of a wake, from its resume to its first attempt.
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

    /// Whether the first delay is about a minute or longer and each further delay is about twice the previous one, as measured on
    /// devices.
    package static func isDoubling(_ delays: [Duration]) -> Bool {
      guard let first = delays.first, first >= .seconds(45) else { return false }
      return zip(delays, delays.dropFirst()).allSatisfy { ($0 * 8 / 5...$0 * 5 / 2).contains($1) }
    }
  }

  /// The binding of a task that the app identifies by its number alone.
  package final class NumberBinding: Sendable {
    package let bound: Fact
    /// An open task of another session that was bound to the same number before.
    package let earlier: Other?
    /// The event in which the app recorded the outcome of one of the two tasks for the other task's intent.
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
