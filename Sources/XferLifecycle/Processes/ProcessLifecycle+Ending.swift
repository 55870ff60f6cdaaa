package import XferEvents

// The time at which a process ended. A process that is killed cannot log its end. Another process notices the end later: its parent,
// its daemon, or the next process that opens the log. The end lies between the last sign of life and that observation.
extension ProcessLifecycle {
  /// Whether another process noticed the end, so that its time is known only as an interval.
  package var endWasNoticed: Bool { exited == nil && exitObserved != nil }

  /// Whether the process that noticed the end did not know the reason.
  package var endIsUnexplained: Bool { endWasNoticed && [.missing, .unknown, nil].contains(exitReason) && exitSignal == nil }

  /// The last sign of life before an end that another process noticed: the last event of the process's own log, or a change of its
  /// link to the daemon. `nil` if the process logged its end itself, or if the log contains no sign of life.
  package var endedAfter: Moment? {
    guard endWasNoticed, let exitObserved else { return nil }
    var last = lastOwnMoment
    for sign in [link.connected, link.reconnected, link.disconnected] {
      guard let sign, sharesClock(with: sign) || firstSeen == nil else { continue }
      if last.map({ ($0.monotonic ?? .min) < sign.monotonic ?? .min }) ?? true { last = sign.moment }
    }
    guard let last else { return nil }
    // The wall clock may have been set back since.
    if let wall = last.wall, let noticed = exitObserved.wall, noticed < wall { return exitObserved.moment }
    return last
  }

  /// The moment of the last event in the process's own log; `nil` if its log is missing.
  private var lastOwnMoment: Moment? {
    guard let firstSeen else { return nil }
    guard let start = firstSeen.monotonic, coveredUntil >= start else { return firstSeen.moment }
    let elapsed = coveredUntil.subtractingClamped(start)
    return Moment(
      monotonic: coveredUntil, boottime: nil,
      wall: firstSeen.wall.map { WallTime(nanoseconds: $0.nanoseconds.addingClamped(elapsed)) })
  }

  /// Returns the shortest time that the process lived after a fact, as far as the log shows: up to the end that it logged, or else up to
  /// its last sign of life. At least zero.
  package func livedAtLeast(after fact: Fact) -> Duration {
    if let end = exited ?? (exitObserved == nil ? logClosed : nil) { return max(.zero, fact.duration(to: end) ?? .zero) }
    let last = endedAfter ?? lastOwnMoment
    if sharesClock(with: fact), let start = fact.monotonic, let end = last?.monotonic {
      return .nanoseconds(max(0, end.subtractingClamped(start)))
    }
    guard let start = fact.wall, let end = last?.wall else { return .zero }
    return .nanoseconds(max(0, end.nanoseconds.subtractingClamped(start.nanoseconds)))
  }

  /// Returns the longest time that the process can have lived after a fact; `nil` if the log does not show its end.
  package func livedAtMost(after fact: Fact) -> Duration? { endFact.flatMap { fact.duration(to: $0) } }
}
