internal import XferEngine
package import XferEvents

/// The daemon's tasks. Counts per session and an index of pending callbacks are kept up to date, so that handling a message need
/// not search all tasks.
package struct TaskInventory: Sendable {
  private var tasks: [TaskUID: CarriedTask] = [:]
  private var tallies: [SessionKey: Tally] = [:]
  /// The tasks of the pending callbacks, by delivery ID.
  private var owners: [UInt64: TaskUID] = [:]

  private struct Tally {
    var tasks: Set<TaskUID> = []
    var pending = 0
    var running = 0
  }

  package subscript(_ uid: TaskUID) -> CarriedTask? {
    get { tasks[uid] }
    set {
      if let old = tasks[uid] { count(old, uid, -1) }
      tasks[uid] = newValue
      if let newValue { count(newValue, uid, 1) }
    }
  }

  private mutating func count(_ task: CarriedTask, _ uid: TaskUID, _ step: Int) {
    // The tally is changed in place, because a copy of the tally would copy its whole set of tasks.
    let key = task.key
    if step > 0 { tallies[key, default: Tally()].tasks.insert(uid) } else { tallies[key]?.tasks.remove(uid) }
    tallies[key]?.pending += step * task.pending.count
    if task.standing == .running { tallies[key]?.running += step }
    if tallies[key]?.tasks.isEmpty ?? false { tallies[key] = nil }
    for pending in task.pending { owners[pending.id] = step > 0 ? uid : nil }
  }

  var count: Int { tasks.count }

  /// All tasks, sorted by session and task number.
  package var all: [CarriedTask] { tasks.values.sorted { ($0.key, $0.new.number) < ($1.key, $1.new.number) } }

  /// Returns the tasks of a session, sorted by task number.
  func tasks(of key: SessionKey) -> [CarriedTask] {
    (tallies[key]?.tasks ?? []).compactMap { tasks[$0] }.sorted { $0.new.number < $1.new.number }
  }

  func isEmpty(_ key: SessionKey) -> Bool { tallies[key] == nil }
  func pending(of key: SessionKey) -> Int { tallies[key]?.pending ?? 0 }
  func running(of key: SessionKey) -> Int { tallies[key]?.running ?? 0 }

  /// Returns the task that a pending callback belongs to, or `nil` when no callback with this ID is pending.
  func owner(ofDelivery id: UInt64) -> TaskUID? { owners[id] }
}

extension Sequence where Element == TaskUID {
  /// Returns the uids in a deterministic order.
  func inOrder() -> [TaskUID] { sorted { ($0.high, $0.low) < ($1.high, $1.low) } }
}
