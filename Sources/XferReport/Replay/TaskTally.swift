import XferEvents
import XferLifecycle
import XferReplay

/// The number of tasks by outcome, and the open tasks, for the text of a replay.
struct TaskTally {
  private var outcomes: [TaskLifecycle.Result: Int] = [:]
  private var named: [String] = []

  /// The maximum number of open tasks that are listed by name.
  private static let limit = 8

  mutating func add(_ task: TaskLifecycle, _ world: World) {
    outcomes[task.result, default: 0] += 1
    if task.result == .open, named.count < Self.limit { named.append(Self.state(of: task, world)) }
  }

  var count: Int { outcomes.values.reduce(0, +) }

  /// The outcomes, such as `3 failed, 97 succeeded`; `nil` without tasks.
  var outcomeText: String? {
    let parts = outcomes.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    return parts.isEmpty ? nil : parts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }

  /// The open tasks, such as `get/3 running (1.2s), get/4 held`; `nil` when none is open.
  var openText: String? {
    guard let open = outcomes[.open] else { return nil }
    return named.joined(separator: ", ") + (open > named.count ? " and \(open - named.count) more" : "")
  }

  /// Returns the name and state of an open task, and its age at the end of its process's log.
  private static func state(of task: TaskLifecycle, _ world: World) -> String {
    let name = "\(task.identity.session)/\(task.identity.number) \(task.state.rawValue)"
    let covered = world.process(of: task).coveredUntil
    guard let start = (task.resumed ?? task.created)?.monotonic, covered > start else { return name }
    return "\(name) (\(Duration.nanoseconds(covered.subtractingClamped(start)).short))"
  }
}
