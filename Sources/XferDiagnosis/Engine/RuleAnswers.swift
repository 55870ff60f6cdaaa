import XferEvents

/// The answers of rules about one subject. Most rules are silent, which takes one bit each.
struct RuleAnswers {
  private(set) var open = RulePlaces()
  private(set) var silent = RulePlaces()
  private(set) var silentSoFar = RulePlaces()
  /// The rules that wait. They are apart from the other answers because waiting is frequent, and copying a verdict is slow.
  private(set) var waits: [Wait] = []
  private(set) var decisions: [(rule: Int, decision: Decision)] = []

  /// A verdict of the kind `wait`.
  struct Wait {
    let rule: Int
    let delay: Duration
    let after: Fact
    /// The index of the process on whose clock the rule waits; `nil` for the subject's process.
    let process: Int?
  }

  /// A verdict that is neither silence nor waiting.
  enum Decision {
    case excused(because: String)
    case undecidable(needs: String)
    indirect case finding(Draft)
  }

  @inline(__always)
  mutating func note(_ verdict: Verdict?, of rule: Int) {
    switch verdict {
    case nil: open.insert(rule)
    case .silent: silent.insert(rule)
    case .silentSoFar: silentSoFar.insert(rule)
    case .wait(let delay, let fact, let process)?: waits.append(Wait(rule: rule, delay: delay, after: fact, process: process))
    case .excused(let reason): decisions.append((rule, .excused(because: reason)))
    case .undecidable(let needs): decisions.append((rule, .undecidable(needs: needs)))
    case .finding(let draft): decisions.append((rule, .finding(draft)))
    }
  }

  mutating func removeAll() {
    (open, silent, silentSoFar) = (RulePlaces(), RulePlaces(), RulePlaces())
    if !waits.isEmpty { waits.removeAll(keepingCapacity: true) }
    if !decisions.isEmpty { decisions.removeAll(keepingCapacity: true) }
  }
}
