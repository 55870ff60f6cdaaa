package import XferEvents

/// What one process life was as a daemon: a generation of it.
package struct DaemonLife: Sendable {
  package private(set) var generation: Int64?
  package private(set) var version: String?
  package private(set) var started: Fact?
  /// What it found of the generation before; the tasks are `nil` when it does not list them.
  package private(set) var recovered: Fact?
  package private(set) var recoveredTasks: [TaskIdentity]?
  package private(set) var recoveredCount: Int64?
  package private(set) var unreadable: Int64 = 0
  /// The last time that it said which tasks it had: what it had before is known from there.
  package private(set) var listed: Fact?
  /// Tasks that were in one of its lists and not in the next, though nothing had ended them; set by the replay.
  package var vanished: Vanished?
  /// What the last complete list named.
  package var inventory: [TaskIdentity] = []
  package var inventoried: Fact?
  /// It said that it ends.
  package private(set) var exited: Fact?
  /// Places of the process lives that were the generations before and after it.
  package var earlier: Int?
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

  package mutating func apply(_ event: EventView, _ fact: Fact) {
    generation = event.generation ?? generation
    switch fact.kind {
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
    default: break
    }
  }
}
