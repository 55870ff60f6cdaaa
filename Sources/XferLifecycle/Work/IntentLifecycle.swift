package import XferEvents

/// Something that an app wants done, under a key of its own: from its declaration to the outcome that the app records.
package struct IntentLifecycle: Sendable {
  package let key: String
  /// Place of the process life that spoke of it last, and of the one that spoke of it first.
  package internal(set) var process: Int
  package let firstProcess: Int
  package private(set) var declared: Fact?
  /// The first declaration that says that the app has it on disk.
  package private(set) var recorded: Fact?
  /// Whether declarations say at all whether it is on disk.
  package private(set) var saysRecorded = false
  /// Whether a task carries what the app needs to know it again.
  package private(set) var hasMetadata = false
  /// Steps of the app's plan, in the order in which they were declared first.
  package private(set) var steps: [String] = []
  package private(set) var lastStep: Fact?
  /// The tasks that were made for it, or bound to it, last.
  package private(set) var bindings: [Binding] = []
  /// The first task that was resumed for it.
  package private(set) var resumed: Fact?
  /// The last completion of one of its tasks, and whether that brought what was wanted.
  package private(set) var completed: Fact?
  package private(set) var hasSucceeded = false
  package private(set) var outcome: Outcome?
  package private(set) var concluded: Fact?
  /// The last completion came in a life that had been started for it, with nobody looking.
  package private(set) var completedUnseen = false
  /// Completions that brought what was wanted.
  package private(set) var successes = 0
  /// A later life asked for its session's tasks, and its task was not among them.
  package private(set) var unlisted: Unlisted?
  /// Lives of its program that began since the last completion.
  package private(set) var livesSinceCompletion = 0

  /// A task that stands for it.
  package struct Binding: Sendable {
    package let task: TaskIdentity
    /// Its creation, or the app's word that it belongs here.
    package let bound: Fact
    /// Place of the process life that bound it.
    package let process: Int
    /// By what the app finds its record; `nil` when it does not say.
    package internal(set) var key: String?
    package internal(set) var unbound: Fact?
  }

  /// An answer to an app that asked for its tasks, without the one that it takes to be running.
  package struct Unlisted: Sendable {
    package let answer: Fact
    package let task: TaskIdentity
    package let bound: Fact
    /// Whether the answer names its tasks.
    package let isNamed: Bool

    package init(answer: Fact, task: TaskIdentity, bound: Fact, isNamed: Bool) {
      (self.answer, self.task, self.bound, self.isNamed) = (answer, task, bound, isNamed)
    }
  }

  package init(key: String, process: Int) {
    (self.key, self.process, firstProcess) = (key, process, process)
  }

  /// A plan has a few steps, and a few tasks at a time; what is wrong throughout must not cost memory.
  private static let limit = 8

  package mutating func apply(_ event: EventView, _ fact: Fact, process: Int) {
    self.process = process
    switch fact.kind {
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
    case .taskCreated:
      if event.metadata != nil { hasMetadata = true }
      if let task = event.task { bind(task, fact, key: nil) }
    case .appIntentBound: if let task = event.task { bind(task, fact, key: event.key) }
    case .appIntentUnbound:
      for place in bindings.indices where event.task == nil || bindings[place].task.uid == event.task?.uid {
        bindings[place].unbound = bindings[place].unbound ?? fact
      }
    case .appOutcomeRecorded:
      outcome = event.outcome
      concluded = fact
    default: break
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

  /// One of its tasks is complete.
  package mutating func complete(_ fact: Fact, succeeded: Bool, unseen: Bool, process: Int) {
    (completed, hasSucceeded, livesSinceCompletion, completedUnseen) = (fact, succeeded, 0, unseen)
    if succeeded { successes += 1 }
    self.process = process
  }

  /// Its program was started again; what is still to come for it comes from there.
  package mutating func noteLife(_ process: Int) {
    guard completed != nil else { return }
    livesSinceCompletion += 1
    self.process = process
  }

  /// A life of its program was told which tasks its session has.
  package mutating func note(_ unlisted: Unlisted, process: Int) {
    guard self.unlisted?.task != unlisted.task else { return }
    self.unlisted = unlisted
    self.process = process
  }

  /// Whether the app still wants it.
  package var isOpen: Bool { concluded == nil }
}
