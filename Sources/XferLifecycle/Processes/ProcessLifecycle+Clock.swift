package import XferEvents

// Times of facts on the clock of the process. A fact that another process wrote in another boot has no time on this clock.
extension ProcessLifecycle {
  package func sharesClock(with fact: Fact) -> Bool { facts.clock == fact.boot }

  /// Returns the reading of the process's monotonic clock at a fact.
  ///
  /// - Returns: the first reading of the process's log for a fact of an earlier boot, so that a time since the fact is never
  ///   overestimated; `nil` if the fact has no monotonic time or is younger than the process's boot.
  package func reading(of fact: Fact) -> Int64? {
    if sharesClock(with: fact) { return fact.monotonic }
    guard let firstSeen, fact.isBefore(firstSeen) ?? false else { return nil }
    return firstSeen.monotonic
  }

  /// Whether the process wrote an event after a fact of its boot.
  package func isCovered(after fact: Fact) -> Bool {
    guard sharesClock(with: fact), let time = fact.monotonic else { return false }
    return coveredUntil > time
  }

  /// Returns the time during which the process was not suspended between two facts; zero if the second one is not later.
  package func runningTime(from start: Fact, to end: Fact) -> Duration {
    if sharesClock(with: start), sharesClock(with: end), let first = start.monotonic, let last = end.monotonic {
      return .nanoseconds(runningTime(from: first, to: last))
    }
    return max(.zero, start.duration(to: end) ?? .zero)
  }

  /// Returns the time during which the process was not suspended from a fact to the last event of its log.
  package func runningTime(since start: Fact) -> Duration {
    reading(of: start).map { .nanoseconds(runningTime(from: $0, to: coveredUntil)) } ?? .zero
  }
}
