package import XferEvents

/// One life of one process: its facts, and what follows from them.
///
/// Many rules look at it, so it is handed around by reference. Whoever changes it makes sure to be the only one who has it: see
/// `World`.
package final class ProcessLifecycle {
  // One thread reads a log; checks for overlapping access would cost more than the accesses. Other modules check all the same.
  @exclusivity(unchecked) package var facts: ProcessFacts

  package init(_ facts: ProcessFacts) { self.facts = facts }

  package struct Suspension: Sendable {
    package let began: Fact
    /// It runs again.
    package internal(set) var ended: Fact?
    /// Whether it had background time that it had not given back.
    package let hadAssertion: Bool
  }

  /// How the life ended, as far as the log says.
  package enum End: String, Sendable, CaseIterable {
    case closed, exit, signal, observedMissing, unknown
  }

  package var end: End {
    if exitObserved != nil, exited == nil { return exitSignal != nil ? .signal : .observedMissing }
    if exited != nil { return logClosed == nil ? .exit : .closed }
    return logClosed == nil ? .unknown : .closed
  }

  /// What proves that the life is over.
  package var endFact: Fact? { exited ?? exitObserved ?? logClosed }

  /// Whether it ended by a crash or a kill, and not by its own code, its user or the end of a debugger's run (guard G11).
  package var endedAbnormally: Bool {
    if exited != nil { return false }
    guard exitObserved != nil else { return false }
    switch exitReason {
    case .returned, .exitCall, .userQuit, .debuggerEnded, .upgraded: return false
    case .unknown, .signal, .missing, .rebooted, .memoryPressure, .watchdog, .suspendedHoldingLock, .assertionExpired, nil:
      return true
    }
  }

  /// Whether its user quit it, as far as the log says.
  package var wasQuitByUser: Bool { exitReason == .userQuit }

  /// Whether it is stopped, or about to be.
  package var isSuspended: Bool { facts.suspendedSince != nil }

  /// Nanoseconds during which the process could run, between two moments of its monotonic clock (guard G4).
  package func runningTime(from start: Int64, to end: Int64) -> Int64 {
    guard end > start else { return 0 }
    var running = end.subtractingClamped(start)
    for span in facts.suspensions where span.upperBound > start && span.lowerBound < end {
      running = running.subtractingClamped(min(span.upperBound, end).subtractingClamped(max(span.lowerBound, start)))
    }
    if let suspendedSince = facts.suspendedSince, suspendedSince < end {
      running = running.subtractingClamped(end.subtractingClamped(max(suspendedSince, start)))
    }
    return running
  }

  // MARK: Changes that come with every event, made where the facts are

  /// Notes that the process was alive and writing.
  ///
  /// - Returns: how far its log covers its life now.
  package func cover(_ monotonic: Int64?) -> Int64 {
    if let monotonic, monotonic > facts.coveredUntil { facts.coveredUntil = monotonic }
    return facts.coveredUntil
  }

  /// Counts what begins and ends, and what levels may leave out.
  package func tally(_ fact: Fact) {
    if let detail = DetailTrail.Detail(fact.kind) {
      facts.log.details.note(detail, fact)
    } else {
      facts.log.pairs.note(fact)
    }
  }
}
