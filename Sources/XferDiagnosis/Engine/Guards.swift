import XferEvents
import XferLifecycle
import XferReplay

/// The guards of the failure-mode catalogue, §1: the limits on what a log can prove, whatever the rule.
struct Guards {
  let world: World
  /// The processes whose logs are missing. Known only at the end of the log.
  var missingWriters: [WriterMentions.Mention] = []

  enum Graded {
    case finding(Certainty, lowered: [Lowering])
    case undecidable(needs: String, Lack)
    case silent
  }

  /// Returns how certain a draft of a finding is, or that the log is not sufficient to decide.
  ///
  /// - Parameters:
  ///   - writers: the processes on whose log the draft rests; empty if unknown.
  ///   - isShared: whether both an app and the daemon write events about the draft's subject.
  func grade(_ draft: Draft, of rule: RuleDescription, writers: [ProcessLifecycle], isShared: Bool = false) -> Graded {
    // G8: a debugger keeps the app from being suspended.
    if rule.needsNoDebugger, writers.contains(where: \.hasDebugger) { return .silent }
    var lowered: [Lowering] = []
    var certainty = Certainty.certain
    func atMost(_ limit: Certainty, _ why: String, _ lack: Lack?) {
      if certainty > limit {
        certainty = limit
        lowered.append(Lowering(reason: why, lack: lack))
      }
    }
    if case .absence(let since, let proof) = draft.claim {
      if let level = levelNeeded(draft.missing + draft.assumedAbsent.map { .init($0) }, since, writers) {
        return .undecidable(needs: level.text, .level(level.kind))
      }
      if let coverage = coverage(of: writers) {
        // What such a log never contains is not missing from it.
        if let never = (draft.missing.map(\.event) + draft.assumedAbsent).first(where: { !coverage.kinds.contains($0) }) {
          return .undecidable(needs: "\(never.name), which \(coverage.log) does not contain", .events([never]))
        }
        atMost(
          .possible, "the input is \(coverage.log), in which events that happened may be missing",
          .events(draft.missing.map(\.event) + draft.assumedAbsent))
      }
      switch proof {
      case .end, .overtaken: break
      case .coverage: atMost(.probable, "concluded from an event that is missing in a time that the log covers", .continuation)
      case .endOfLog:
        let other = "the log cannot exclude another explanation"
        atMost(
          .possible, draft.missing.isEmpty ? other : "the log ends before the missing event could be recorded", .continuation)
      }
      if let writer = missingWriter(of: draft, since, writers, isShared: isShared) {
        atMost(.possible, "the log of \(writer.name), where the event would be, is missing", .log(writer.name))
      }
      for loss in losses(of: Sought(draft, since, writers, isShared: isShared)) {
        guard let less = certainty.lowered else { return .undecidable(needs: loss.part, .records(loss.place)) }
        certainty = less
        lowered.append(Lowering(reason: loss.reason(for: draft.missing.first?.event), lack: .records(loss.place)))
      }
    } else if !draft.assumedAbsent.isEmpty {
      let since = draft.evidence[0]
      if let level = levelNeeded(draft.assumedAbsent.map { .init($0) }, since, writers) {
        return .undecidable(needs: level.text, .level(level.kind))
      }
      if let writer = missingWriter(of: draft, since, writers, isShared: isShared) {
        atMost(
          .possible, "an event that excuses the fault may be in the log of \(writer.name), which is missing", .log(writer.name))
      }
      for loss in losses(of: Sought(draft, since, writers, isShared: isShared)) {
        atMost(.probable, loss.reason(for: nil), .records(loss.place))
      }
    }
    if !rule.isStatedByEvents, let coverage = coverage(of: writers) {
      atMost(
        .possible, "the input is \(coverage.log), in which an event with another explanation may be missing",
        .events(draft.assumedAbsent))
    }
    // An event that excuses the fault may have been lost in any gap. Further gaps do not lower the certainty again.
    if rule.needsWholeLog, let loss = losses().first {
      atMost(.probable, loss.reason(for: nil), .records(loss.place))
    }
    if rule.isContractOnly {
      atMost(.possible, "the rule follows only from documentation, and no observed case confirms it", nil)
    }
    return .finding(certainty, lowered: lowered)
  }

  /// Returns the coverage of a foreign log on which a draft rests; `nil` if only complete records count.
  private func coverage(of writers: [ProcessLifecycle]) -> ImportCoverage? {
    let coverages = (writers.isEmpty ? world.processes : writers).lazy.compactMap(\.coverage)
    return coverages.first
  }

  /// Whether any event is known to be missing from the log.
  var hasLosses: Bool { !world.gaps.isEmpty || !world.drops.isEmpty || !missingWriters.isEmpty }

  /// Returns a process whose log is missing and may contain the event on whose absence a draft rests.
  private func missingWriter(
    of draft: Draft, _ since: Fact, _ writers: [ProcessLifecycle], isShared: Bool
  ) -> WriterMentions.Mention? {
    if missingWriters.isEmpty { return nil }
    let sought = Sought(draft, since, writers, isShared: isShared)
    return missingWriters.first { writer in
      guard sought.mayBeWritten(by: writer.isDaemon ? .daemon : .app) else { return false }
      // The daemon lives longer than its connection to an app, so its log may contain the event at any time.
      if writer.isDaemon { return true }
      if writer.first.sharesClock(with: since), let first = writer.first.monotonic, let due = sought.dueBy, first > due {
        return false
      }
      guard writer.hasEnded, let wasOver = writer.last.isBefore(since) else { return true }
      return !wasOver
    }
  }

  /// Guard G9: the absence of an event proves nothing if its level was not logged.
  ///
  /// - Returns: a missing event whose level the log lacks; `nil` if all the missing events would have been logged.
  private func levelNeeded(
    _ missing: [Draft.Missing], _ since: Fact, _ writers: [ProcessLifecycle]
  ) -> (kind: EventKind, text: String)? {
    for missing in missing {
      for writer in writers {
        // A deadline is on the clock of the fact that it follows.
        let due = writer.sharesClock(with: since) ? missing.dueBy?.monotonic : nil
        let levels = writer.levels.leavingOut(missing.event, from: writer.reading(of: since), to: due)
        if let levels { return (missing.event, "level of \(missing.event.name): the log's levels were \(levels.text)") }
      }
    }
    return nil
  }

  /// Guard G3: returns the losses in which the sought event may be; without one, all losses. Of the losses in one file with one kind of
  /// cause, only the first is returned, so that they lower the certainty once.
  private func losses(of sought: Sought? = nil) -> [Loss] {
    var losses: [Loss] = []
    var known: Set<Loss.Kind> = []
    for gap in world.gaps {
      // The call that wrote a torn record never returned, so its thread logged nothing later that could be missing.
      if gap.cause == .torn || gap.cause == .missingHead { continue }
      if world.isAfterEnd(gap) { continue }
      if let sought, !sought.mayBe(in: gap, world) { continue }
      let loss = Loss(gap)
      if known.insert(loss.kind).inserted { losses.append(loss) }
    }
    if !world.drops.isEmpty { losses.append(.drops) }
    return losses
  }
}
