package import XferEvents
package import XferLifecycle
package import XferReplay

/// A rule that recognises one failure mode: its description, the events that it watches, and its verdict.
///
/// A rule reads lifecycles only. The guards G1 to G11 of the failure-mode catalogue, which the engine applies to the rule's verdict,
/// account for log levels, gaps, coverage and debuggers.
package protocol DiagnosisRule: Sendable {
  static var description: RuleDescription { get }
  /// The kinds of events that may change the rule's verdict. The rule is asked after such an event, at deadlines that it set, and when
  /// its subject, the subject's process or the log ends.
  static var watches: Set<EventKind> { get }
  /// The thresholds that a user may change.
  static var limits: [RuleLimit<Self>] { get }
  /// The rule as a `TaskRule`; `nil` if it is about another kind of subject. Faster than a cast, which searches all conformances of the
  /// program at run time.
  var taskRule: (any TaskRule)? { get }
  /// The rule as a `SubjectRule`; `nil` if it is about tasks.
  var subjectRule: (any SubjectRule)? { get }
}

extension DiagnosisRule {
  package static var limits: [RuleLimit<Self>] { [] }
  package var taskRule: (any TaskRule)? { nil }
  package var subjectRule: (any SubjectRule)? { nil }
}

/// A rule about tasks.
package protocol TaskRule: DiagnosisRule {
  /// The kinds of events that are watched only after the task completed. A running task may have a million of them.
  static var watchesOnceCompleted: Set<EventKind> { get }
  /// The kinds of events that are watched only while the rule waits for no deadline. At the deadline, the rule sees the effect of all
  /// of them.
  static var watchesUnlessWaiting: Set<EventKind> { get }
  /// The signs that make the rule applicable: the rule is asked about a task only after the task has shown at least one of them. `nil`
  /// if the rule applies to every task. A rule with presuppositions costs nothing for the tasks that do not meet them.
  static var presupposes: Set<TaskSign>? { get }
  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict?
  /// Returns the closures that ask the rule. A requirement of the protocol, so that the closures are specialised for the rule's type.
  func asker(at index: Int) -> TaskAsker
  /// Returns the summary of one of the rule's findings at the end of the log, if a figure in it has grown since; `nil` if the summary
  /// is still right.
  ///
  /// - Parameter memories: what all rules remember of the task, and the place of this rule.
  func finalSummary(
    of finding: Finding, on task: TaskLifecycle, _ memories: (all: RuleMemories, rule: Int), in world: World
  ) -> String?
  /// The kinds of events of a task from which the rule learns; see `RememberingTaskRule`.
  static var remembers: Set<EventKind> { get }
  /// The kinds of events that only change what a rule already remembers; see `RememberingTaskRule`.
  static var updates: Set<EventKind> { get }
}

extension TaskRule {
  package static var remembers: Set<EventKind> { [] }
  package static var updates: Set<EventKind> { [] }

  package func asker(at index: Int) -> TaskAsker {
    TaskAsker(ask: { task, _, world, asked in verdict(on: task, in: world, asked: asked) })
  }
  package func finalSummary(
    of finding: Finding, on task: TaskLifecycle, _ memories: (all: RuleMemories, rule: Int), in world: World
  ) -> String? { nil }
  package static var watchesOnceCompleted: Set<EventKind> { [] }
  package static var watchesUnlessWaiting: Set<EventKind> { [] }
  package static var presupposes: Set<TaskSign>? { nil }
  package var taskRule: (any TaskRule)? { self }
}

/// A property of a task that rules can presuppose.
package enum TaskSign: Hashable, Sendable {
  case event(EventKind)
  case trait(TaskLifecycle.Traits)

  /// An attempt or the task ended with an error.
  static let failure = trait(.failed)
}

/// The reason why a rule is asked.
package struct Occasion: Sendable {
  package enum Cause: Sendable {
    /// A watched event arrived, or the log now covers a deadline.
    case change
    /// The task was acknowledged or forgotten. Only events of an app may still follow.
    case taskEnded(Fact)
    /// The process that the subject belongs to has ended.
    case processEnded(Fact)
    /// The log has been read to its end.
    case endOfLog
  }

  package let cause: Cause

  /// Returns how long the process has been able to run since a fact, as far as its own log reaches. Time in which the process was
  /// suspended does not count (guards G1 and G4).
  package func covered(since fact: Fact, by process: ProcessLifecycle) -> Duration { process.runningTime(since: fact) }

  /// Returns the proof that an event did not come within `limit` after a fact and will not come; `nil` while it may still come.
  package func proofOfAbsence(since fact: Fact, within limit: Duration, by process: ProcessLifecycle) -> Draft.AbsenceProof? {
    if case .processEnded(let end) = cause { return .end(end) }
    if let end = process.endFact { return .end(end) }
    return covered(since: fact, by: process) >= limit ? .coverage : nil
  }

  package var isEndOfLog: Bool { if case .endOfLog = cause { true } else { false } }

  /// Whether the subject's process can write no more events.
  package var isProcessOver: Bool {
    switch cause {
    case .endOfLog, .processEnded: true
    case .change, .taskEnded: false
    }
  }

  /// Whether the engine can write no more events about the task.
  package var isTaskOver: Bool {
    switch cause {
    case .endOfLog, .taskEnded: true
    case .change, .processEnded: false
    }
  }
}
