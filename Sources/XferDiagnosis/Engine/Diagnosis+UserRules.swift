import XferEvents
import XferLifecycle
import XferReplay

// The conclusions of user rules, graded by the same guards as those of the catalogue's rules.
extension Diagnosis {
  @inline(never)
  mutating func show(_ event: EventView, _ change: Change?) {
    settle(monitors.take(event, change, in: replay.world))
    guard let change else { return }
    switch (change.fact.kind, change.subject) {
    case (.processExited, .process(let process)), (.processExitObserved, .process(let process)):
      settle(monitors.close(process, in: replay.world))
    case (.logClosed, _): settle(monitors.close(change.process, in: replay.world))
    default: break
    }
  }

  mutating func finishMonitors() {
    settle(monitors.finish(in: replay.world))
    for rule in 0..<(counted.count - rules.count) {
      let place = rules.count + rule
      counted[place].inFlight += monitors.open(rule)
      counted[place].silent += monitors.unmet(rule)
      let tally = counted[place]
      guard tally.silent + tally.undecidable + tally.findings + tally.inFlight == 0 else { continue }
      if let needs = monitors.neverKept(rule, in: replay.world) { note(undecided: place, needs) }
    }
  }

  private mutating func settle(_ decisions: [UserMonitors.Decision]) {
    for decision in decisions { settle(decision) }
  }

  private mutating func settle(_ decision: UserMonitors.Decision) {
    let rule = rules.count + decision.rule
    switch decision.verdict {
    case .silent, .silentSoFar, .excused: counted[rule].silent += 1
    case .undecidable(let needs): note(undecided: rule, needs)
    case .wait: break
    case .finding(let draft):
      let writers = decision.writers.map { replay.world.processes[$0] }
      switch Guards(world: replay.world).grade(draft, of: descriptions[rule], writers: writers) {
      case .silent:
        counted[rule].silent += 1
        monitors.drop(decision)
      case .undecidable(let needs, let lack):
        if decision.earlier == nil { note(undecided: rule, needs, lack) }
        monitors.drop(decision)
      case .finding(let certainty, let lowered):
        guard let about = decision.about else { return }
        let finding = Finding(
          draft, of: descriptions[rule], about: about, launch: writers.last?.launch, certainty: certainty, lowered: lowered,
          &fingerprints)
        if decision.earlier == nil { counted[rule].findings += 1 }
        let basis = FindingBasis(
          draft, rule: rule, of: descriptions[rule], processes: decision.writers, isShared: about.identity != nil)
        let place = ledger.note(finding, basis, replacing: decision.earlier)
        if certainty == .certain { monitors.drop(decision) } else { monitors.note(finding: place, of: decision) }
      }
    }
  }
}
