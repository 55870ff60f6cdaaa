package import XferEvents

// What a session's end made of its tasks; set by the replay, which knows them.
extension SessionLifecycle {
  package struct Ending: StartingEmpty, Sendable {
    /// Tasks that ran when its end was asked for, and that nobody had cancelled.
    package var running: [TaskIdentity] = []
    /// The first of them that the end cancelled.
    package var interrupted: TaskEnd?
    /// Tasks that have not been completed since its end was asked for.
    package var awaited = 0
    /// When there was none left.
    package var lastTaskEnded: Fact?
    /// The first task that it was given when its end had been asked for.
    package var laterTask: TaskEnd?
    /// Tasks that ran when it was released.
    package var abandoned: [TaskIdentity] = []
    /// The first of them that failed for it.
    package var failed: TaskEnd?
    /// It was made, or handed out, again when its end had been asked for and not confirmed.
    package var reissued: Reissue?
    /// A callback was dropped because its delegate was gone: the first, and how many.
    package var delegateGone: Fact?
    package var undelivered = 0
    /// The process that has a session of the same identifier at the same time.
    package var holder: Holder?

    package init() {}
  }

  /// The session said that it has no tasks.
  package struct EmptyAnswer: Sendable {
    package let answered: Fact
    package let isConnected: Bool
    /// A task that it had, as far as the log knew then.
    package var known: TaskEnd?
    /// A task that came afterwards and was not made since.
    package var late: TaskEnd?
  }

  package struct Unfinished: Sendable {
    package let finished: Fact
    package let liveTasks: Int64
    /// What the app did then as if all were done: the first of it.
    package var misread: Fact?

    package init(finished: Fact, liveTasks: Int64) { (self.finished, self.liveTasks) = (finished, liveTasks) }
  }

  package struct Reissue: Sendable {
    package let requested: Fact
    package let again: Fact
    /// Whether what was given is the object that ends.
    package let isSame: Bool

    package init(requested: Fact, again: Fact, isSame: Bool) {
      self.requested = requested
      self.again = again
      self.isSame = isSame
    }
  }

  /// A task, and what was said of it.
  package struct TaskEnd: Sendable {
    package let task: TaskIdentity
    package let fact: Fact

    package init(task: TaskIdentity, fact: Fact) {
      self.task = task
      self.fact = fact
    }
  }

  package struct Holder: Sendable {
    /// Place of the process life.
    package let process: Int
    package let created: Fact

    package init(process: Int, created: Fact) {
      self.process = process
      self.created = created
    }
  }
}
