import XferEvents
import XferLifecycle
import XferReplay

/// The guards of the catalogue's §1: what a log can prove, whatever the rule.
struct Guards {
  let world: World

  enum Graded {
    case finding(Certainty, lowered: [String])
    case undecidable(needs: String)
    case silent
  }

  /// - Parameter writers: whose log it rests on; none when that is not known.
  func grade(_ draft: Draft, of rule: RuleDescription, writers: [ProcessLifecycle]) -> Graded {
    // G8: under a debugger the app is not suspended as it would be.
    if rule.needsNoDebugger, writers.contains(where: \.hasDebugger) { return .silent }
    var lowered: [String] = []
    var certainty = Certainty.certain
    func atMost(_ limit: Certainty, _ why: String) {
      if certainty > limit {
        certainty = limit
        lowered.append(why)
      }
    }
    if case .absence(let since, let proof) = draft.claim {
      if let needs = levelNeeded(draft.missing + draft.assumedAbsent.map { .init($0) }, since, writers) {
        return .undecidable(needs: needs)
      }
      switch proof {
      case .end, .overtaken: break
      case .coverage: atMost(.probable, "absence, over time that the log covers")
      case .endOfLog: atMost(.possible, "the log ends before it could have come")
      }
      for gap in gaps(of: writers, after: since) {
        guard let less = certainty.lowered else { return .undecidable(needs: "what \(gap) hides") }
        certainty = less
        lowered.append(gap)
      }
    } else if !draft.assumedAbsent.isEmpty {
      let since = draft.evidence[0]
      if let needs = levelNeeded(draft.assumedAbsent.map { .init($0) }, since, writers) { return .undecidable(needs: needs) }
      for gap in gaps(of: writers, after: since) { atMost(.probable, "what \(gap) hides may excuse it") }
    }
    // What would have excused it may have been lost anywhere, and is no more likely to be for being one of many.
    if rule.needsWholeLog, let gap = gaps().first { atMost(.probable, gap) }
    if rule.isContractOnly { atMost(.possible, "the rule rests on the documented contract alone") }
    return .finding(certainty, lowered: lowered)
  }

  /// G9: what was not to be written proves nothing by its absence.
  private func levelNeeded(_ missing: [Draft.Missing], _ since: Fact, _ writers: [ProcessLifecycle]) -> String? {
    for missing in missing {
      for writer in writers {
        let levels = writer.levels.leavingOut(missing.event, from: since.monotonic, to: missing.dueBy?.monotonic)
        if let levels { return "level of \(missing.event.name): the log's levels were \(levels.text)" }
      }
    }
    return nil
  }

  /// G3: places of the writers' log, after a fact, where what is absent may have stood; without writers, of all logs. One level for
  /// all of a kind.
  private func gaps(of writers: [ProcessLifecycle] = [], after since: Fact? = nil) -> [String] {
    var found: Set<String> = []
    for gap in world.gaps
    where gap.launch == nil || writers.isEmpty || writers.contains(where: { $0.launch == gap.launch }) {
      if let end = gap.before?.monotonic, let start = since?.monotonic, end < start { continue }
      switch gap.cause {
      // A torn record is one whose call never returned: nothing that happened is missing for it.
      case .torn, .missingHead: continue
      case .missingSequence: found.insert("a gap in \(gap.name)")
      case .damaged: found.insert("damage in \(gap.name)")
      case .truncated: found.insert("the end of \(gap.name), which is cut off")
      case .dropped: found.insert("events that \(gap.name) could not hold")
      }
    }
    if !world.drops.isEmpty { found.insert("events that could not be written") }
    return found.sorted()
  }
}
