package import XferEvents
package import XferLifecycle
package import XferReplay

/// One failure mode: what it is, when to look, and how to tell.
///
/// Rules read lifecycles only. Levels, gaps, coverage and debuggers are the engine's business (guards G1 to G11).
package protocol DiagnosisRule: Sendable {
  static var description: RuleDescription { get }
  /// The events after which the rule may have changed its mind. It is asked at these, at deadlines that it asked for,
  /// and when its subject's scope closes.
  static var watches: Set<EventKind> { get }
  /// The figures that its user may change.
  static var limits: [RuleLimit<Self>] { get }
  /// Itself, by what it is about. A cast would ask the runtime, which looks through all conformances of the program.
  var taskRule: (any TaskRule)? { get }
  var subjectRule: (any SubjectRule)? { get }
}

extension DiagnosisRule {
  package static var limits: [RuleLimit<Self>] { [] }
  package var taskRule: (any TaskRule)? { nil }
  package var subjectRule: (any SubjectRule)? { nil }
}

package protocol TaskRule: DiagnosisRule {
  /// Events that matter only when the task is complete: while it runs, there may be a million of them.
  static var watchesOnceCompleted: Set<EventKind> { get }
  /// Events that matter only while no deadline is set: at that, the rule looks at all that came until then.
  static var watchesUnlessWaiting: Set<EventKind> { get }
  /// Without one of these the task is none of the rule's business; `nil` when any may be. A rule that presupposes something costs
  /// nothing for all the tasks that went well.
  static var presupposes: Set<TaskSign>? { get }
  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict?
}

extension TaskRule {
  package static var watchesOnceCompleted: Set<EventKind> { [] }
  package static var watchesUnlessWaiting: Set<EventKind> { [] }
  package static var presupposes: Set<TaskSign>? { nil }
  package var taskRule: (any TaskRule)? { self }
}

/// What was seen of a task, as far as rules presuppose it.
package enum TaskSign: Hashable, Sendable {
  case event(EventKind)
  case trait(TaskLifecycle.Traits)

  /// An attempt or the task ended with an error.
  static let failure = trait(.failed)
}

/// Why a rule is asked, and what the asking knows.
package struct Occasion: Sendable {
  package enum Cause: Sendable {
    /// A watched event, or a deadline that the log now covers.
    case change
    /// The task was acknowledged or forgotten: only what an app says of it may still come.
    case taskEnded(Fact)
    /// The process that the subject belongs to is over.
    case processEnded(Fact)
    /// There is no more log.
    case endOfLog
  }

  package let cause: Cause
  /// Monotonic nanoseconds up to which the subject's process has written.
  let coveredUntil: Int64

  /// Time after a fact that the process could run in and that its log covers (guards G1 and G4).
  package func covered(since fact: Fact, by process: ProcessLifecycle) -> Duration {
    guard let start = fact.monotonic, coveredUntil > start else { return .zero }
    return .nanoseconds(process.runningTime(from: start, to: coveredUntil))
  }

  /// What shows that something which did not come within `limit` will not come; `nil` while it still may.
  package func proofOfAbsence(since fact: Fact, within limit: Duration, by process: ProcessLifecycle) -> Draft.AbsenceProof? {
    if case .processEnded(let end) = cause { return .end(end) }
    if let end = process.endFact { return .end(end) }
    return covered(since: fact, by: process) >= limit ? .coverage : nil
  }

  package var isEndOfLog: Bool { if case .endOfLog = cause { true } else { false } }

  /// Whether what the subject's process does has all been done.
  package var isProcessOver: Bool {
    switch cause {
    case .endOfLog, .processEnded: true
    case .change, .taskEnded: false
    }
  }

  /// Whether what the engine says of the task has all been said.
  package var isTaskOver: Bool {
    switch cause {
    case .endOfLog, .taskEnded: true
    case .change, .processEnded: false
    }
  }
}
