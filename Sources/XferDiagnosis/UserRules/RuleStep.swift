import XferEvents
import XferLifecycle
import XferReplay

/// An event that matched a step of a rule, with the values needed later.
struct RuleStep: Sendable {
  let fact: Fact
  /// The index of the process that wrote the event.
  let process: Int
  let values: [FieldID: RecordedValue]
}

/// An event as user rules match it.
struct SeenEvent {
  let view: EventView
  let kind: EventKind
  let fact: Fact
  let process: Int
  let role: WriterRole?
  let keys: ScopeKeys
  /// The task's index in the world, with its generation; `nil` if the event changed no task.
  let task: TaskTable.Place?
}

/// The keys that tell for each scope which task, session or process an event belongs to.
struct ScopeKeys: Sendable, Hashable {
  var task: TaskUID?
  var session: ScopeKey?
  let process: Int

  subscript(_ scope: UserRule.Scope) -> ScopeKey? {
    switch scope {
    case .task: task.map(ScopeKey.task)
    case .session: session
    case .process: .process(process)
    case .log: .log
    }
  }

  /// Returns the keys with missing ones filled in from earlier steps.
  func filled(from earlier: ScopeKeys?) -> ScopeKeys {
    var keys = self
    keys.task = task ?? earlier?.task
    keys.session = session ?? earlier?.session
    return keys
  }
}

enum ScopeKey: Hashable, Sendable {
  case task(TaskUID)
  /// A session. `process` is set for a session that ends with its process, so that each process has its own.
  case session(String, process: Int?)
  case process(Int)
  case log
}

/// A trigger that waits for its answer, and the answers so far.
struct RuleWait: Sendable {
  let steps: [RuleStep]
  /// The expected events that have come.
  var answers: [RuleStep] = []
  let keys: ScopeKeys
  let task: TaskTable.Place?
  let about: Finding.About
  /// The value without which the log does not show whether the answer came; `nil` if the log shows it.
  var doubt: String?
  /// The index of the wait's finding in the list of all findings; `nil` before there is one.
  var finding: Int?
  /// The index of the process on whose clock the deadline is set; `nil` if no deadline is set.
  var queuedOn: Int?

  var trigger: RuleStep { steps[steps.count - 1] }
}
