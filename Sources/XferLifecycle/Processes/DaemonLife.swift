package import XferEvents

/// The facts about one process life as a daemon, which is one generation of the daemon.
package struct DaemonLife: Sendable {
  package private(set) var generation: Int64?
  package private(set) var version: String?
  package private(set) var started: Fact?
  /// The event in which the daemon recovered the tasks of its previous generation.
  package private(set) var recovered: Fact?
  /// The recovered tasks; `nil` if the event `recovered` does not list them.
  package private(set) var recoveredTasks: [TaskIdentity]?
  package private(set) var recoveredCount: Int64?
  package private(set) var unreadable: Int64 = 0
  /// The last event in which the daemon listed its tasks.
  package private(set) var listed: Fact?
  /// The tasks that one of the daemon's lists contains and the next one lacks, although no event ended them; set by the replay.
  package var vanished: Vanished?
  /// The tasks of the last complete list.
  package var inventory: [TaskIdentity] = []
  package var inventoried: Fact?
  /// The event in which the daemon announced its own end.
  package private(set) var exited: Fact?
  /// The index of the process life that was the previous generation; `nil` if unknown.
  package var earlier: Int?
  /// The index of the process life that was the next generation; `nil` if unknown.
  package var next: Int?

  package struct Vanished: Sendable {
    package let tasks: [TaskIdentity]
    package let before: Fact
    package let after: Fact

    package init(tasks: [TaskIdentity], before: Fact, after: Fact) {
      (self.tasks, self.before, self.after) = (tasks, before, after)
    }
  }

  package init() {}

  package mutating func apply(_ kind: EventModel.Daemon, _ event: EventView, _ fact: Fact) {
    generation = event.generation ?? generation
    switch kind {
    case .daemonStarted:
      started = fact
      version = event.version
    case .daemonTasksListed: if event.tasks != nil { listed = fact }
    case .daemonRecovered:
      if event.tasks != nil { listed = fact }
      recovered = fact
      recoveredTasks = event.tasks
      recoveredCount = event.count
      unreadable = event.dropped ?? 0
    case .daemonExited: exited = fact
    }
  }
}
