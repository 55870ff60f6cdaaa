package import XferEvents

// Facts about a session's tasks after it was invalidated or released; set by the replay, which knows the tasks.
extension SessionLifecycle {
  package struct Ending: EmptyInitializable, Sendable {
    /// The tasks that were running and not cancelled when the invalidation was requested.
    package var running: [TaskIdentity] = []
    /// The first task in `running` that the invalidation cancelled.
    package var interrupted: TaskEnd?
    /// The number of tasks that were open when the invalidation was requested and have not completed yet.
    package var awaited = 0
    /// The completion of the last task that `awaited` counted.
    package var lastTaskEnded: Fact?
    /// The first task that was created after the invalidation was requested.
    package var laterTask: TaskEnd?
    /// The tasks that were running when the session was released.
    package var abandoned: [TaskIdentity] = []
    /// The first task in `abandoned` that failed because of the release.
    package var failed: TaskEnd?
    /// The creation or reuse of the session after its invalidation was requested and before it was confirmed.
    package var reissued: Reissue?
    /// The first callback that was dropped because the delegate no longer existed.
    package var delegateGone: Fact?
    /// The number of callbacks that were dropped because the delegate no longer existed.
    package var undelivered = 0
    /// Another process that has a session with the same identifier at the same time.
    package var holder: Holder?

    package init() {}
  }

  /// A query's answer that the session has no tasks, and the tasks that contradict the answer.
  package struct EmptyAnswer: Sendable {
    package let answered: Fact
    package let isConnected: Bool
    /// An open task of the session that the log had mentioned before the answer.
    package var known: TaskEnd?
    /// A task that the app adopted after the answer and that had existed before it.
    package var late: TaskEnd?
  }

  package struct Unfinished: Sendable {
    package let finished: Fact
    package let liveTasks: Int64
    /// The first event that suggests that the app wrongly assumed that all tasks had finished.
    package var misread: Fact?

    package init(finished: Fact, liveTasks: Int64) { (self.finished, self.liveTasks) = (finished, liveTasks) }
  }

  package struct Reissue: Sendable {
    package let requested: Fact
    package let again: Fact
    /// Whether the app got the same session object, which is being invalidated.
    package let isSame: Bool

    package init(requested: Fact, again: Fact, isSame: Bool) {
      self.requested = requested
      self.again = again
      self.isSame = isSame
    }
  }

  /// A task and an event about it.
  package struct TaskEnd: Sendable {
    package let task: TaskIdentity
    package let fact: Fact

    package init(task: TaskIdentity, fact: Fact) {
      self.task = task
      self.fact = fact
    }
  }

  package struct Holder: Sendable {
    /// The index of the process life.
    package let process: Int
    package let created: Fact

    package init(process: Int, created: Fact) {
      self.process = process
      self.created = created
    }
  }
}
