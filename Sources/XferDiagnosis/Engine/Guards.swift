import XferEvents
import XferLifecycle
import XferReplay

/// The guards of the failure-mode catalogue, §1: the limits on what a log can prove, whatever the rule.
struct Guards {
  let world: World
  /// The processes whose logs are missing. Known only at the end of the log.
  var missingWriters: [WriterMentions.Mention] = []

  enum Graded {
    case finding(Certainty, lowered: [String])
    case undecidable(needs: String)
    case silent
  }

  /// Returns the certainty with which a log supports a draft, or that the log cannot decide.
  ///
  /// - Parameters:
  ///   - writers: the processes on whose log the draft rests; empty if unknown.
  ///   - isShared: whether both an app and the daemon write events about the subject.
  func grade(_ draft: Draft, of rule: RuleDescription, writers: [ProcessLifecycle], isShared: Bool = false) -> Graded {
    // G8: a debugger keeps the app from being suspended.
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
      case .coverage: atMost(.probable, "concluded from an event that is missing in a time that the log covers")
      case .endOfLog:
        let other = "the log cannot exclude another explanation"
        atMost(.possible, draft.missing.isEmpty ? other : "the log ends before the missing event could be recorded")
      }
      if let writer = missingWriter(of: draft, since, writers, isShared: isShared) {
        atMost(.possible, "the log of \(writer.name), where the event would be, is missing")
      }
      for gap in gaps(of: writers, after: since) {
        guard let less = certainty.lowered else { return .undecidable(needs: "the events missing because of \(gap)") }
        certainty = less
        lowered.append(gap)
      }
    } else if !draft.assumedAbsent.isEmpty {
      let since = draft.evidence[0]
      if let needs = levelNeeded(draft.assumedAbsent.map { .init($0) }, since, writers) { return .undecidable(needs: needs) }
      if let writer = missingWriter(of: draft, since, writers, isShared: isShared) {
        atMost(.possible, "an event that excuses the fault may be in the log of \(writer.name), which is missing")
      }
      for gap in gaps(of: writers, after: since) {
        atMost(.probable, "an event that excuses the fault may be missing because of \(gap)")
      }
    }
    // An event that excuses the fault may have been lost in any gap. Further gaps do not lower the certainty again.
    if rule.needsWholeLog, let gap = gaps().first { atMost(.probable, gap) }
    if rule.isContractOnly { atMost(.possible, "the rule follows only from documentation, and no observed case confirms it") }
    return .finding(certainty, lowered: lowered)
  }

  /// Whether any event is known to be missing from the log.
  var hasLosses: Bool { !world.gaps.isEmpty || !world.drops.isEmpty || !missingWriters.isEmpty }

  /// Returns a process whose log is missing and may contain the event on whose absence a draft rests.
  private func missingWriter(
    of draft: Draft, _ since: Fact, _ writers: [ProcessLifecycle], isShared: Bool
  ) -> WriterMentions.Mention? {
    if missingWriters.isEmpty { return nil }
    // A rule that misses the first event of a process reports the missing log itself, so this event is not looked for here.
    let kinds = (draft.missing.map(\.event) + draft.assumedAbsent).filter { $0 != .processStarted }
    // If one process alone writes about the subject, the log of another process matters only for events that this process cannot
    // write.
    let roles = writers.compactMap(\.role)
    let foreign = isShared ? kinds : kinds.filter { kind in !roles.contains { kind.isWritten(by: $0) } }
    let due = draft.missing.map { $0.dueBy?.monotonic ?? .max }.max() ?? .max
    return missingWriters.first { writer in
      guard foreign.contains(where: { $0.isWritten(by: writer.isDaemon ? .daemon : .app) }) else { return false }
      // The daemon lives longer than its connection to an app, so its log may contain the event at any time.
      if writer.isDaemon { return true }
      if let first = writer.first.monotonic, first > due { return false }
      guard writer.hasEnded, let last = writer.last.monotonic, let start = since.monotonic else { return true }
      return start <= last
    }
  }

  /// Guard G9: the absence of an event proves nothing if its level was not logged.
  ///
  /// - Returns: the level that the log lacks; `nil` if all the missing events would have been logged.
  private func levelNeeded(_ missing: [Draft.Missing], _ since: Fact, _ writers: [ProcessLifecycle]) -> String? {
    for missing in missing {
      for writer in writers {
        let levels = writer.levels.leavingOut(missing.event, from: since.monotonic, to: missing.dueBy?.monotonic)
        if let levels { return "level of \(missing.event.name): the log's levels were \(levels.text)" }
      }
    }
    return nil
  }

  /// Guard G3: returns the gaps after a fact in which a missing event may have been lost, in the writers' logs or, without writers, in
  /// all logs. Gaps of the same kind and name are returned once, so they lower the certainty once.
  private func gaps(of writers: [ProcessLifecycle] = [], after since: Fact? = nil) -> [String] {
    var found: Set<String> = []
    for gap in world.gaps
    where gap.launch == nil || writers.isEmpty || writers.contains(where: { $0.launch == gap.launch }) {
      if let end = gap.before?.monotonic, let start = since?.monotonic, end < start { continue }
      switch gap.cause {
      // The call that wrote a torn record never returned, so its thread logged nothing later that could be missing.
      case .torn, .missingHead: continue
      case .missingSequence: found.insert("a gap in \(gap.name)")
      case .damaged: found.insert("damage in \(gap.name)")
      case .truncated: found.insert("the truncation of \(gap.name)")
      case .missingSegments: if let missing = gap.missingSegments { found.insert("the loss of \(missing)") }
      case .dropped: found.insert("events dropped from \(gap.name)")
      }
    }
    if !world.drops.isEmpty { found.insert("events that could not be written") }
    return found.sorted()
  }
}
