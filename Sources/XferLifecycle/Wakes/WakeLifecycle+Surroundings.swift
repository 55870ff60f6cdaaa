package import XferEvents

// What happens around a wake; set by the replay, which knows the sessions, the tasks and the other wakes.
extension WakeLifecycle {
  /// Place of the process life whose log covers what is still to come.
  package var place: Int? { process ?? launchedProcess ?? wantedBy }

  /// How much running time the app has.
  package var time: Duration { budget ?? Self.usualBudget }

  /// How things stood when the handler was called.
  package struct Call: Sendable {
    /// All events of the session had been delivered.
    package var wasFinished = false
    /// The process had the session.
    package var hadSession = false
    /// A completion or a file that the app was just being given: the callback had been entered and not left.
    package var running: Fact?
    /// Work of its own for one of the session's tasks that the app had begun and not ended.
    package var work: Fact?
    /// The app had asked for more time.
    package var hasMoreTime = false

    package init() {}
  }

  /// Another session all of whose events had been delivered, and whose own handler was not called yet.
  package struct OtherSession: Sendable {
    package let identifier: String
    package let finished: Fact
    /// The log itself says that this handler was its.
    package let isNamed: Bool

    package init(identifier: String, finished: Fact, isNamed: Bool) {
      self.identifier = identifier
      self.finished = finished
      self.isNamed = isNamed
    }
  }

  /// The wake that reached the same process when this one's handler had not been called.
  package struct Successor: Sendable {
    /// Place in the world's wakes.
    package let wake: Int
    package let delivered: Fact

    package init(wake: Int, delivered: Fact) {
      self.wake = wake
      self.delivered = delivered
    }
  }

  /// More launches of one app within an hour, nobody in front of it, than are good for it.
  package struct Storm: Sendable {
    package let first: Fact
    package let count: Int

    package init(first: Fact, count: Int) {
      self.first = first
      self.count = count
    }
  }
}
