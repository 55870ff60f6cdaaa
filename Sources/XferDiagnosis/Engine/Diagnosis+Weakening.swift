import XferEvents
import XferReplay

// The effect of gaps that are found after a rule has decided.
extension Diagnosis {
  /// Grades the findings that gaps can weaken once more. A finding that the log does not support any more is withdrawn.
  ///
  /// - Parameter isFinal: whether the whole log has been read, so that it is known which logs are missing.
  mutating func weakenFindings(isFinal: Bool = false) {
    let guards = Guards(world: replay.world, missingWriters: isFinal ? replay.world.missingWriters : [])
    guard guards.hasLosses else { return }
    for (place, basis) in ledger.bases.enumerated() {
      guard let basis else { continue }
      let writers = basis.processes.map { replay.world.processes[$0] }
      switch guards.grade(basis.draft, of: descriptions[basis.rule], writers: writers, isShared: basis.isShared) {
      case .silent: break
      case .finding(let certainty, let lowered): ledger.lower(place, to: certainty, lowered)
      case .undecidable(let needs, let lack):
        ledger.withdraw(place, "the log lacks \(needs)")
        counted[basis.rule].findings -= 1
        note(undecided: basis.rule, needs, lack)
      }
    }
  }
}
