import XferEvents
import XferLifecycle
import XferReplay

/// An event that a rule has taken, with what may be asked of it later.
struct RuleStep: Sendable {
  let fact: Fact
  /// Place of the process that wrote it.
  let process: Int
  let values: [FieldID: RecordedValue]
}

/// An event as user rules see it.
struct SeenEvent {
  let view: EventView
  let kind: EventKind
  let fact: Fact
  let process: Int
  let role: WriterRole?
  let keys: ScopeKeys
  /// The task's place in the world, as long as it is there.
  let task: TaskTable.Place?
}

/// Of whom an event is, for each scope.
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

  /// A trigger says of whom it is; what it does not say, the steps before it may have said.
  func filled(from earlier: ScopeKeys?) -> ScopeKeys {
    var keys = self
    keys.task = task ?? earlier?.task
    keys.session = session ?? earlier?.session
    return keys
  }
}

enum ScopeKey: Hashable, Sendable {
  case task(TaskUID)
  /// A session that ends with its process is another one in each.
  case session(String, process: Int?)
  case process(Int)
  case log
}

/// A trigger of a rule, and what has come of it so far.
struct RuleWait: Sendable {
  let steps: [RuleStep]
  /// What has come of what has to come.
  var answers: [RuleStep] = []
  let keys: ScopeKeys
  let task: TaskTable.Place?
  let about: Finding.About
  /// What hides whether the answer has come.
  var doubt: String?
  /// Place of the finding in the list of all, once there is one.
  var finding: Int?
  /// The process by whose log it waits.
  var queuedOn: Int?

  var trigger: RuleStep { steps[steps.count - 1] }
}
