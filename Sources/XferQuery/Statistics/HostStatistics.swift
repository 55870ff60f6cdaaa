import XferEvents
import XferLifecycle

/// What happened with the tasks that were made for one host.
package struct HostStatistics: Hashable, Sendable {
  /// `nil` for tasks whose creation the log lacks.
  package let host: String?
  package private(set) var tasks = 0
  package private(set) var failed = 0
  package private(set) var lost = 0
  /// Bytes of bodies.
  package private(set) var received: Int64 = 0
  package private(set) var sent: Int64 = 0
  /// Connections that the tasks were given, and how many of them had been used before. One that a redirect led elsewhere
  /// counts here all the same.
  package private(set) var connections = 0
  package private(set) var reusedConnections = 0
  /// From resume to completion, of those that were completed; `nil` when none was.
  package private(set) var median: Duration?
  package private(set) var ninetieth: Duration?

  /// From resume to completion, nanoseconds.
  private var times: [Int64] = []

  init(host: String?) { self.host = host }

  /// Whether it stands before the other: the busiest first, then by name.
  func isBefore(_ other: HostStatistics) -> Bool { (other.tasks, host ?? "") < (tasks, other.host ?? "") }

  /// Works out what needs all tasks.
  mutating func finish() {
    times.sort()
    median = Percentile.median.value(of: times)
    ninetieth = Percentile.ninetieth.value(of: times)
    times = []
  }

  mutating func add(_ task: TaskLifecycle) {
    tasks += 1
    switch task.result {
    case .failed: failed += 1
    case .lost: lost += 1
    default: break
    }
    // A damaged count must not end the program.
    received &+= task.bytesReceived ?? 0
    sent &+= task.bytesSent ?? 0
    connections += Int(task.connections)
    reusedConnections += Int(task.reusedConnections)
    if let time = task.totalTime { times.append(time.nanoseconds) }
  }
}
