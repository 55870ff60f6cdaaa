import XferEvents
package import XferLifecycle

/// Sums over all tasks. Each task is added when it ends, so that tasks need not be kept.
package struct TaskStatistics: Sendable {
  package private(set) var count = 0
  private(set) var outcomes: [TaskLifecycle.Result: Int] = [:]
  private(set) var states: [TaskLifecycle.State: Int] = [:]
  /// The bytes of bodies received.
  private(set) var received: Int64 = 0
  private(set) var sent: Int64 = 0
  /// The nanoseconds that each task spent in each stage, for the percentiles.
  private(set) var times: [TaskLifecycle.Stage: [Int64]] = [:]
  private var places: [String?: Int] = [:]
  private var hosts: [HostStatistics] = []

  package init() {}

  package mutating func add(_ task: TaskLifecycle) {
    count += 1
    outcomes[task.result, default: 0] += 1
    states[task.state, default: 0] += 1
    // The sums may overflow when a log is damaged, and must not trap.
    received = received.addingClamped(max(0, task.bytesReceived ?? 0))
    sent = sent.addingClamped(max(0, task.bytesSent ?? 0))
    for stage in TaskLifecycle.Stage.allCases {
      if let time = task.duration(of: stage) { times[stage, default: []].append(time.nanoseconds) }
    }
    let place = places[task.host] ?? hosts.count
    if place == hosts.count {
      places[task.host] = place
      hosts.append(HostStatistics(host: task.host))
    }
    hosts[place].add(task)
  }

  /// The hosts, the busiest first, then by name.
  var sortedHosts: [HostStatistics] {
    var hosts = hosts
    for place in hosts.indices { hosts[place].finish() }
    return hosts.sorted { $0.isBefore($1) }
  }
}
