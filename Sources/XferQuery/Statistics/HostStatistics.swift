package import XferLifecycle

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

  /// Busiest first, then by name.
  package static func all(_ tasks: [TaskLifecycle]) -> [HostStatistics] {
    var places: [String?: Int] = [:]
    var hosts: [HostStatistics] = []
    var times: [[Duration]] = []
    for task in tasks {
      let place = places[task.host] ?? hosts.count
      if place == hosts.count {
        places[task.host] = place
        hosts.append(HostStatistics(host: task.host))
        times.append([])
      }
      hosts[place].add(task)
      if let time = task.totalTime { times[place].append(time) }
    }
    for place in hosts.indices {
      let sorted = times[place].sorted()
      hosts[place].median = Percentile.median.value(of: sorted)
      hosts[place].ninetieth = Percentile.ninetieth.value(of: sorted)
    }
    return hosts.sorted { ($1.tasks, $0.host ?? "") < ($0.tasks, $1.host ?? "") }
  }

  private init(host: String?) { self.host = host }

  private mutating func add(_ task: TaskLifecycle) {
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
  }
}
