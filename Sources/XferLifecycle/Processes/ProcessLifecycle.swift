package import XferEvents

/// One process life: its facts, and what follows from them.
///
/// Many rules refer to processes, so they are objects. Code that changes one first makes sure that nothing else refers to it;
/// see `World`.
package final class ProcessLifecycle {
  // Only one thread reads a log, and the checks for overlapping access would cost more than the accesses. Other modules still
  // check.
  @exclusivity(unchecked) package var facts: ProcessFacts

  package init(_ facts: ProcessFacts) { self.facts = facts }

  package struct Suspension: Sendable {
    package let began: Fact
    /// The event that shows that the process runs again; `nil` while it is suspended.
    package internal(set) var ended: Fact?
    /// Whether the process had open background assertions when it was suspended.
    package let hadAssertion: Bool
  }

  /// The way in which the life ended, according to the log.
  package enum End: String, Sendable, CaseIterable {
    case closed, exit, signal, observedMissing, unknown
  }

  package var end: End {
    if exitObserved != nil, exited == nil { return exitSignal != nil ? .signal : .observedMissing }
    if exited != nil { return logClosed == nil ? .exit : .closed }
    return logClosed == nil ? .unknown : .closed
  }

  /// The event that proves the end of the life.
  package var endFact: Fact? { exited ?? exitObserved ?? logClosed }

  /// Whether the life ended by a crash or a kill, and not by its own code, its user or a debugger (guard G11 of the diagnosis).
  package var endedAbnormally: Bool {
    if exited != nil { return false }
    guard exitObserved != nil else { return false }
    switch exitReason {
    case .returned, .exitCall, .userQuit, .debuggerEnded, .upgraded: return false
    case .unknown, .signal, .missing, .rebooted, .memoryPressure, .watchdog, .suspendedHoldingLock, .assertionExpired, .crashed,
      nil:
      return true
    }
  }

  /// Whether the user quit the app, according to the log.
  package var wasQuitByUser: Bool { exitReason == .userQuit }

  /// Whether the process is suspended or about to be.
  package var isSuspended: Bool { facts.suspendedSince != nil }

  /// Returns the time during which the process was not suspended between two moments of its monotonic clock, in nanoseconds
  /// (guard G4 of the diagnosis).
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

  // MARK: Changes by every event

  /// Notes that the process was running and writing.
  ///
  /// - Returns: the time until which its log covers its life, in monotonic nanoseconds.
  package func cover(_ monotonic: Int64?) -> Int64 {
    if let monotonic, monotonic > facts.coveredUntil, facts.coverage == nil { facts.coveredUntil = monotonic }
    return facts.coveredUntil
  }

  /// Notes an event that `LogTroubles` tallies: an event that a level may exclude, one end of a pair, or a task's completion.
  package func tally(_ fact: Fact) {
    if let detail = DetailTrail.Detail(fact.kind) {
      facts.log.details.note(detail, fact)
    } else {
      facts.log.pairs.note(fact)
    }
  }
}
