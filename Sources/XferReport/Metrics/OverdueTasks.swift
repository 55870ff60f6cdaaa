package import XferEvents
package import XferLifecycle
package import XferReplay

/// The tasks that have a next step with a deadline, by which they can be overdue.
package struct OverdueTasks: Sendable {
  private let patience: TaskRow.Patience
  /// The deadlines, in no order.
  private var deadlines: [WallTime] = []

  package init(_ patience: TaskRow.Patience) { self.patience = patience }

  /// Notes the deadline of a task, if nothing has ended it.
  package mutating func note(_ task: TaskLifecycle, in world: World) {
    switch task.state {
    case .completed, .acknowledged: return
    case .created, .queued, .running, .held, .suspended, .transferred, .delivered, .failed, .cancelled: break
    }
    let row = TaskRow(task, in: world, patience)
    if !row.isOver, let due = row.due { deadlines.append(due) }
  }

  /// Returns the number of tasks whose deadline is before a time. `nil` is a time that is unknown, at which no task is overdue.
  package func count(at now: WallTime?) -> Int {
    guard let now else { return 0 }
    return deadlines.count { now > $0 }
  }
}
