package import XferEvents

/// Whether a process gets anything done, by its heartbeats: the processor time that it has used, and what waits.
package struct WorkTrail: Sendable {
  private var last: (fact: Fact, cpuTime: Duration)?
  /// Since when it has done nothing but compute, with tasks to look after and a queue that does not get shorter.
  package private(set) var busySince: Fact?
  package private(set) var busyUntil: Fact?
  private var depth: Int64 = 0

  package init() {}

  /// More than that of one processor is no ordinary work for a process that moves bytes.
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
  }
}
