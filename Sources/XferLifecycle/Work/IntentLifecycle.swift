package import XferEvents

/// Something that an app wants done, identified by the app's own key, from its declaration to the recorded outcome.
package struct IntentLifecycle: Sendable {
  package let key: String
  /// The index of the process life that mentioned the intent last.
  package internal(set) var process: Int
  /// The index of the process life that mentioned the intent first.
  package let firstProcess: Int
  package private(set) var declared: Fact?
  /// The first declaration that says that the app has stored the intent on disk.
  package private(set) var recorded: Fact?
  /// Whether any declaration states whether the app has stored the intent on disk.
  package private(set) var saysRecorded = false
  /// Whether a task has metadata by which the app recognizes it.
  package private(set) var hasMetadata = false
  /// The steps of the app's plan, in the order of their first declaration.
  package private(set) var steps: [String] = []
  package private(set) var lastStep: Fact?
  /// The last tasks that were created for the intent or bound to it.
  package private(set) var bindings: [Binding] = []
  /// The resume of the first task for the intent.
  package private(set) var resumed: Fact?
  /// The last completion of a task for the intent.
  package private(set) var completed: Fact?
  package private(set) var hasSucceeded = false
  package private(set) var outcome: Outcome?
  package private(set) var concluded: Fact?
  /// Whether the last completion happened in a life that was launched in the background and never came to the foreground.
  package private(set) var completedUnseen = false
  /// The number of successful completions.
  package private(set) var successes = 0
  /// The answer to a task query in a later process life, if the intent's task is missing from it.
  package private(set) var unlisted: Unlisted?
  /// The number of times that the program was started since the last completion.
  package private(set) var livesSinceCompletion = 0

  /// The binding of a task to the intent.
  package struct Binding: Sendable {
    package let task: TaskIdentity
    /// The creation of the task, or the event that binds it.
    package let bound: Fact
    /// The index of the process life that bound the task.
    package let process: Int
    /// The key by which the app finds its record of the task; `nil` if unknown.
    package internal(set) var key: String?
    package internal(set) var unbound: Fact?
  }

  /// A list of a session's tasks without the task that the app assumes to be running.
  package struct Unlisted: Sendable {
    package let answer: Fact
    package let task: TaskIdentity
    package let bound: Fact
    /// Whether the list names the listed tasks, and not only their number.
    package let isNamed: Bool

    package init(answer: Fact, task: TaskIdentity, bound: Fact, isNamed: Bool) {
      (self.answer, self.task, self.bound, self.isNamed) = (answer, task, bound, isNamed)
    }
  }

  package init(key: String, process: Int) {
    (self.key, self.process, firstProcess) = (key, process, process)
  }

  /// The maximum number of steps and bindings. A log with more of them must not take more memory.
  private static let limit = 8

  /// Applies an event of the app about the intent, or the creation of a task for it.
  package mutating func apply(_ event: EventView, _ fact: Fact, process: Int) {
    self.process = process
    guard case .intent(let kind) = fact.kind.model else {
      if event.metadata != nil { hasMetadata = true }
      if let task = event.task { bind(task, fact, key: nil) }
      return
    }
    switch kind {
    case .appIntentDeclared:
      declared = declared ?? fact
      if let durable = event.durable {
        saysRecorded = true
        if durable { recorded = recorded ?? fact }
      }
      if let step = event.step {
        lastStep = fact
        if !steps.contains(step), steps.count < Self.limit { steps.append(step) }
      }
      if let task = event.task { bind(task, fact, key: nil) }
    case .appIntentBound: if let task = event.task { bind(task, fact, key: event.key) }
    case .appIntentUnbound:
      for place in bindings.indices where event.task == nil || bindings[place].task.uid == event.task?.uid {
        bindings[place].unbound = bindings[place].unbound ?? fact
      }
    case .appOutcomeRecorded:
      outcome = event.outcome
      concluded = fact
    }
  }

  private mutating func bind(_ task: TaskIdentity, _ fact: Fact, key: String?) {
    if let known = bindings.firstIndex(where: { $0.task.uid == task.uid && $0.unbound == nil }) {
      bindings[known].key = key ?? bindings[known].key
    } else {
      if bindings.count == Self.limit { bindings.removeFirst() }
      bindings.append(Binding(task: task, bound: fact, process: process, key: key))
    }
    (completed, hasSucceeded, livesSinceCompletion) = (nil, false, 0)
  }

  package mutating func resume(_ fact: Fact) { resumed = resumed ?? fact }

  /// Notes that a task for the intent was completed.
  package mutating func complete(_ fact: Fact, succeeded: Bool, unseen: Bool, process: Int) {
    (completed, hasSucceeded, livesSinceCompletion, completedUnseen) = (fact, succeeded, 0, unseen)
    if succeeded { successes += 1 }
    self.process = process
  }

  /// Notes that the program was started again. Further events of the intent are expected from the new life.
  package mutating func noteLife(_ process: Int) {
    guard completed != nil else { return }
    livesSinceCompletion += 1
    self.process = process
  }

  /// Notes a list of the session's tasks that a life of the program received.
  package mutating func note(_ unlisted: Unlisted, process: Int) {
    guard self.unlisted?.task != unlisted.task else { return }
    self.unlisted = unlisted
    self.process = process
  }

  /// Whether the app has not recorded an outcome yet.
  package var isOpen: Bool { concluded == nil }
}
