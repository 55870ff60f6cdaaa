import XferEvents
import XferReplay

// The effect of gaps that are found after a rule has decided.
extension Diagnosis {
  /// Grades the findings that gaps can weaken once more. A finding that the log does not support any more is withdrawn.
  mutating func weakenFindings() {
    let guards = Guards(world: replay.world)
    guard guards.hasLosses else { return }
    for (place, basis) in ledger.bases.enumerated() {
      guard let basis else { continue }
      let writers = basis.processes.map { replay.world.processes[$0] }
      switch guards.grade(basis.draft, of: descriptions[basis.rule], writers: writers) {
      case .silent: break
      case .finding(let certainty, let lowered): ledger.lower(place, to: certainty, lowered)
      case .undecidable(let needs):
        ledger.withdraw(place, needs)
        counted[basis.rule].findings -= 1
        note(undecided: basis.rule, needs)
      }
    }
  }
}
