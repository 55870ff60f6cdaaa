package import XferEvents

// Facts about sessions, tasks and other wakes that concern a wake; set by the replay, which knows them.
extension WakeLifecycle {
  /// The index of the process life in whose log further events of the wake are expected.
  package var place: Int? { process ?? launchedProcess ?? wantedBy }

  /// The running time that the app has for the wake.
  package var time: Duration { budget ?? Self.usualBudget }

  /// The state of the app when it called the handler.
  package struct Call: Sendable {
    /// Whether all events of the session had been delivered.
    package var wasFinished = false
    /// Whether the process had the session.
    package var hadSession = false
    /// A completion or file callback that had been entered and not left.
    package var running: Fact?
    /// Work for one of the session's tasks that the app had begun and not ended.
    package var work: Fact?
    /// Whether the app had open background assertions.
    package var hasMoreTime = false

    package init() {}
  }

  /// Another session whose events had all been delivered and whose own handler had not been called.
  package struct OtherSession: Sendable {
    package let identifier: String
    package let finished: Fact
    /// Whether the event that reports the end of the other session's events names this wake's handler.
    package let isNamed: Bool

    package init(identifier: String, finished: Fact, isNamed: Bool) {
      self.identifier = identifier
      self.finished = finished
      self.isNamed = isNamed
    }
  }

  /// The next wake of the same process, delivered before this one's handler was called.
  package struct Successor: Sendable {
    /// The index in the world's wakes.
    package let wake: Int
    package let delivered: Fact

    package init(wake: Int, delivered: Fact) {
      self.wake = wake
      self.delivered = delivered
    }
  }

  /// More launches of a background app within an hour than `WakeLimits` accepts.
  package struct Storm: Sendable {
    package let first: Fact
    package var count: Int

    package init(first: Fact, count: Int) {
      self.first = first
      self.count = count
    }
  }
}
