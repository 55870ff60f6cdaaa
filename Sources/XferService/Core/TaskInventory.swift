internal import XferEngine
package import XferEvents

/// The daemon's tasks, with what is asked of them for each message: which session has how many, and whose a callback is.
package struct TaskInventory: Sendable {
  private var tasks: [TaskUID: CarriedTask] = [:]
  private var tallies: [SessionKey: Tally] = [:]
  /// By the callbacks that wait.
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
    // In place: a copy of the tally would copy the set of all tasks.
    let key = task.key
    if step > 0 { tallies[key, default: Tally()].tasks.insert(uid) } else { tallies[key]?.tasks.remove(uid) }
    tallies[key]?.pending += step * task.pending.count
    if task.standing == .running { tallies[key]?.running += step }
    if tallies[key]?.tasks.isEmpty ?? false { tallies[key] = nil }
    for pending in task.pending { owners[pending.id] = step > 0 ? uid : nil }
  }

  var count: Int { tasks.count }

  /// All, by session and number.
  package var all: [CarriedTask] { tasks.values.sorted { ($0.key, $0.new.number) < ($1.key, $1.new.number) } }

  /// In the order of their numbers.
  func tasks(of key: SessionKey) -> [CarriedTask] {
    (tallies[key]?.tasks ?? []).compactMap { tasks[$0] }.sorted { $0.new.number < $1.new.number }
  }

  func isEmpty(_ key: SessionKey) -> Bool { tallies[key] == nil }
  func pending(of key: SessionKey) -> Int { tallies[key]?.pending ?? 0 }
  func running(of key: SessionKey) -> Int { tallies[key]?.running ?? 0 }

  /// Whose callback it is.
  func owner(ofDelivery id: UInt64) -> TaskUID? { owners[id] }
}

extension Sequence where Element == TaskUID {
  /// In an order that is the same each time.
  func inOrder() -> [TaskUID] { sorted { ($0.high, $0.low) < ($1.high, $1.low) } }
}
