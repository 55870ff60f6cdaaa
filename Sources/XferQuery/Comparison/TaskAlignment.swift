import XferEvents

/// The pairs of tasks in two runs that are the same task of the workload.
///
/// Tasks are aligned by keys, the most specific first: the app's intent, then the whole path, then the path's template, and then the
/// template whatever the host is. Session role, type and method are part of each key. Tasks with equal keys are aligned in the order in
/// which they were created.
struct TaskAlignment {
  private(set) var pairs: [(first: TaskProfile, second: TaskProfile)] = []
  private(set) var onlyInFirst: [TaskProfile]
  private(set) var onlyInSecond: [TaskProfile]

  init(_ first: [TaskProfile], _ second: [TaskProfile]) {
    (onlyInFirst, onlyInSecond) = (Self.inOrder(first), Self.inOrder(second))
    align { $0.intent }
    align { task in task.path?.key.map { "\(task.host ?? "") \($0)" } }
    align { task in task.path.map { "\(task.host ?? "") \(TaskProfile.template($0))" } }
    align { task in task.path.map(TaskProfile.template) ?? "" }
    pairs.sort { ($0.first.created, $0.first.identity.number) < ($1.first.created, $1.first.identity.number) }
  }

  private static func inOrder(_ tasks: [TaskProfile]) -> [TaskProfile] {
    tasks.sorted { ($0.created, $0.identity.session, $0.identity.number) < ($1.created, $1.identity.session, $1.identity.number) }
  }

  private struct Key: Hashable {
    let role: String
    let type: TaskType?
    let method: String?
    let resource: String
  }

  /// Aligns the remaining tasks by a key.
  ///
  /// - Parameter resource: Returns what the task transfers; `nil` if the task cannot be aligned by this key.
  private mutating func align(_ resource: (TaskProfile) -> String?) {
    func key(_ task: TaskProfile) -> Key? {
      resource(task).map { Key(role: task.role, type: task.type, method: task.method, resource: $0) }
    }
    var waiting: [Key: [Int]] = [:]
    for (place, task) in onlyInSecond.enumerated().reversed() {
      if let key = key(task) { waiting[key, default: []].append(place) }
    }
    var (left, taken) = ([TaskProfile](), Set<Int>())
    for task in onlyInFirst {
      if let key = key(task), let place = waiting[key]?.popLast() {
        pairs.append((task, onlyInSecond[place]))
        taken.insert(place)
      } else {
        left.append(task)
      }
    }
    onlyInFirst = left
    onlyInSecond = onlyInSecond.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
  }
}
