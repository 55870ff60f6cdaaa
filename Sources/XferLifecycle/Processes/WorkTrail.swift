package import XferEvents

/// The processor time and the backlog of a process according to its heartbeats, to detect a process that computes without
/// progress.
package struct WorkTrail: Sendable {
  private var last: (fact: Fact, cpuTime: Duration)?
  /// The first heartbeat of a period in which the process used nearly all of one processor while its queue did not get shorter.
  package private(set) var busySince: Fact?
  package private(set) var busyUntil: Fact?
  /// The longest such period.
  package private(set) var longest: Duration = .zero
  private var depth: Int64 = 0

  package init() {}

  /// The minimum share of one processor that a busy process uses. A process that merely moves bytes uses less.
  private static let share = 0.9

  package mutating func note(_ event: EventView, _ fact: Fact) {
    guard let cpuTime = event.cpuTime else { return }
    let waiting = event.queueDepth ?? 0
    defer {
      last = (fact, cpuTime)
      depth = waiting
    }
    guard let last, let elapsed = last.fact.duration(to: fact), elapsed > .zero, event.liveTasks ?? 0 > 0, waiting > 0,
      waiting >= depth, (cpuTime - last.cpuTime) / elapsed >= Self.share
    else {
      (busySince, busyUntil) = (nil, nil)
      return
    }
    busySince = busySince ?? last.fact
    busyUntil = fact
    longest = max(longest, busySince?.duration(to: fact) ?? .zero)
  }
}
