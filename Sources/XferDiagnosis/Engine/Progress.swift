import XferLifecycle

/// The rules' progress on one subject.
struct Progress {
  /// The rules that have given their final answer.
  var settled = RulePlaces()
  /// The rules whose answer only a late event could still change.
  var quiet = RulePlaces()
  /// The rules that wait for a deadline. Each rule waits for one at a time.
  var waiting = RulePlaces()
  /// The rules whose presuppositions the task has not met so far.
  var idle = RulePlaces()
  // `[]` would be slower: for an option set of another module, it calls the protocol's initialiser through a witness table.
  var traits = TaskLifecycle.Traits(rawValue: 0)
  var hasFinding = false
  /// The memories that rules have of the subject; see `RememberingTaskRule`.
  var memories = RuleMemories()
  /// The generation of the subject's index. An index with another generation belongs to another subject.
  var generation: UInt32 = 0
  /// The index of the process on whose clock deadlines are set. Not used for tasks.
  var process: Int?

  mutating func note(_ settlement: Settlement) {
    settled = settled.union(settlement.settled)
    quiet = quiet.union(settlement.quiet)
    waiting = waiting.union(settlement.waiting)
    if settlement.hasFinding { hasFinding = true }
  }
}

/// The state of a question after a rule was asked.
enum Answer {
  /// The answer is final.
  case settled
  /// The answer is final unless a late event changes it.
  case quiet
  /// The rule is asked again at a deadline.
  case waits
  /// The rule is asked again at the next watched event.
  case open
}

/// A change of the progress on a subject, made by the answers of rules. Its fields mean the same as those of `Progress`.
struct Settlement {
  var settled: RulePlaces
  var quiet: RulePlaces
  var waiting = RulePlaces()
  var hasFinding = false

  mutating func note(_ answer: Answer, of rule: Int) {
    switch answer {
    case .settled: settled.insert(rule)
    case .quiet: quiet.insert(rule)
    case .waits: waiting.insert(rule)
    case .open: break
    }
  }
}
