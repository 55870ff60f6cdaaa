import XferLifecycle

/// What the rules have made of a subject.
struct Progress {
  /// Rules that have answered for good.
  var settled = RulePlaces()
  /// Rules that only what comes late could still move.
  var quiet = RulePlaces()
  /// Rules that asked for a deadline; each waits for one at a time.
  var waiting = RulePlaces()
  /// Rules that presuppose what was not seen so far.
  var idle = RulePlaces()
  // Not `[]`, which another module's option set has from the protocol, by way of its metadata.
  var traits = TaskLifecycle.Traits(rawValue: 0)
  var hasFinding = false
  /// Of the place; another generation is another subject.
  var generation: UInt32 = 0
  /// Place of the process by whose log it waits; not kept of tasks.
  var process: Int?

  mutating func note(_ answer: Answer, of rule: Int) {
    switch answer {
    case .settled: settled.insert(rule)
    case .quiet: quiet.insert(rule)
    case .waits: waiting.insert(rule)
    case .open: break
    }
  }
}

/// What a question comes to.
enum Answer {
  /// For good.
  case settled
  /// For good, unless something comes late.
  case quiet
  /// Asked again at a deadline.
  case waits
  case open
}
