import XferEvents
import XferLifecycle
import XferQuery
import XferReplay

/// The number of tasks by outcome, the open tasks, and the tasks that did not succeed, for the text of a replay.
struct TaskTally {
  private var outcomes: [TaskLifecycle.Result: Int] = [:]
  private var named: [String] = []
  /// A line for each of the first tasks that did not succeed.
  private var failures: [String] = []

  /// The maximum number of tasks in each list.
  private static let limit = 8

  mutating func add(_ task: TaskLifecycle, _ world: World) {
    outcomes[task.result, default: 0] += 1
    if task.result == .open, named.count < Self.limit { named.append(Self.state(of: task, world)) }
    if Self.isUnsuccessful(task.result), failures.count < Self.limit { failures.append(Self.failure(of: task)) }
  }

  private static func isUnsuccessful(_ result: TaskLifecycle.Result) -> Bool {
    switch result {
    case .failed, .cancelled, .lost, .unknown: true
    case .succeeded, .open: false
    }
  }

  /// The tasks that failed, were cancelled, or are lost or unknown, each with the reason in the log, one line each.
  var failureLines: [String] {
    let count = outcomes.reduce(0) { $0 + (Self.isUnsuccessful($1.key) ? $1.value : 0) }
    guard count > failures.count else { return failures }
    return failures + ["and \(count - failures.count) more that did not succeed (-o json lists all tasks)"]
  }

  private static func failure(of task: TaskLifecycle) -> String {
    var reasons: [String] = []
    if let error = task.error { reasons.append(TerminalText.escaped(error.text)) }
    if let status = task.status, status >= 400 { reasons.append("status \(status)") }
    if task.result == .cancelled, let actor = task.cancelledBy { reasons.append("by \(actor.name)") }
    if task.result == .cancelled, let reason = task.cancelReason, reason != CancelReason.none { reasons.append(reason.name) }
    if task.result == .lost { reasons.append("its process ended first") }
    if task.result == .unknown { reasons.append("its beginning is not in the log") }
    if task.attemptCount > 1 { reasons.append("\(task.attemptCount) attempts") }
    let name = TerminalText.escaped("\(task.identity.session)/\(task.identity.number)")
    return "\(task.result.rawValue): \(name)" + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", "))
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
    let process = world.process(of: task)
    let covered = process.coveredUntil
    guard let begun = task.resumed ?? task.created, process.sharesClock(with: begun), let start = begun.monotonic, covered > start
    else { return name }
    return "\(name) (\(Duration.nanoseconds(covered.subtractingClamped(start)).short))"
  }
}
