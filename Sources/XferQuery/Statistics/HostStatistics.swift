import XferEvents
import XferLifecycle

/// The statistics of the tasks for one host.
package struct HostStatistics: Hashable, Sendable {
  /// The host; `nil` for tasks whose creation is not in the log.
  package let host: String?
  package private(set) var tasks = 0
  package private(set) var failed = 0
  package private(set) var lost = 0
  /// The bytes of bodies received.
  package private(set) var received: Int64 = 0
  package private(set) var sent: Int64 = 0
  /// The number of connections that the tasks used, including connections to other hosts after a redirect.
  package private(set) var connections = 0
  package private(set) var reusedConnections = 0
  /// The median time from resume to completion; `nil` when no task was completed.
  package private(set) var median: Duration?
  package private(set) var ninetieth: Duration?

  /// The times from resume to completion in nanoseconds.
  private var times: [Int64] = []

  init(host: String?) { self.host = host }

  /// Whether this host is sorted before the other one: hosts with more tasks come first, then by name.
  func isBefore(_ other: HostStatistics) -> Bool { (other.tasks, host ?? "") < (tasks, other.host ?? "") }

  /// Computes the percentiles after all tasks have been added.
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
    // The sums may overflow when a log is damaged, and must not trap.
    received = received.addingClamped(max(0, task.bytesReceived ?? 0))
    sent = sent.addingClamped(max(0, task.bytesSent ?? 0))
    connections += Int(task.connections)
    reusedConnections += Int(task.reusedConnections)
    if let time = task.totalTime { times.append(time.nanoseconds) }
  }
}
