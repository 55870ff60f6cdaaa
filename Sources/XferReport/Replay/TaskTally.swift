import XferEvents
import XferLifecycle
import XferQuery
import XferReplay

/// The number of tasks by outcome, the open tasks, and the tasks that did not succeed, for the text of a replay.
struct TaskTally {
  private(set) var outcomes: [TaskLifecycle.Result: Int] = [:]
  private var named: [String] = []
  /// A line for each of the first tasks that did not succeed.
  private var failures: [Failure] = []

  /// The number of tasks that did not succeed, that the app rejected, or that got an error status that the app accepts.
  private var notable = 0

  private struct Failure {
    let task: TaskIdentity
    let outcome: String
    let reason: String
  }

  /// The maximum number of open tasks, and of tasks that did not succeed, that a replay lists.
  private static let (openLimit, failureLimit) = (8, 40)

  mutating func add(_ task: TaskLifecycle, _ world: World) {
    outcomes[task.result, default: 0] += 1
    if task.result == .open, named.count < Self.openLimit { named.append(Self.state(of: task, world)) }
    guard let outcome = Self.notableOutcome(task) else { return }
    notable += 1
    guard failures.count < Self.failureLimit else { return }
    failures.append(Failure(task: task.identity, outcome: outcome, reason: Self.reason(task, world)))
  }

  private static func notableOutcome(_ task: TaskLifecycle) -> String? {
    switch task.result {
    case .failed, .cancelled, .lost, .unknown: task.result.rawValue
    case .succeeded: task.contradiction != nil ? "rejected" : task.acceptsErrorStatus ? "accepted" : nil
    case .open, .resumed: nil
    }
  }

  /// Returns the tasks that failed, were cancelled, or are lost or unknown, and the successful ones that the app rejected or whose error
  /// status it accepts, each with the reason in the log, one line each.
  ///
  /// - Parameter hasSeveral: Whether the log has several session objects with an identifier. Their tasks may have equal numbers.
  func failureLines(_ hasSeveral: (_ session: String) -> Bool) -> [String] {
    let lines = failures.map { failure in
      let uid = hasSeveral(failure.task.session) ? " (uid \(failure.task.uid))" : ""
      let name = failure.task.label
      return "\(failure.outcome): \(name)\(uid)" + (failure.reason.isEmpty ? "" : ": " + failure.reason)
    }
    guard notable > failures.count else { return lines }
    return lines + ["and \(notable - failures.count) more that did not succeed (-o json lists all tasks)"]
  }

  /// Returns the reason why a task did not succeed: the error or status, the stage that it had reached, and who cancelled it.
  private static func reason(_ task: TaskLifecycle, _ world: World) -> String {
    var reasons: [String] = []
    if task.result == .cancelled {
      if let actor = task.cancelledBy { reasons.append("by \(actor.name)") }
      if let reason = task.cancelReason, reason != CancelReason.none { reasons.append(reason.name) }
    } else if let error = task.error {
      reasons.append(error.text)
    }
    // A response that an app rejects by its status ends with a cancellation.
    if let status = task.status ?? task.attempt?.status, status >= 400 { reasons.append("status \(status)") }
    if task.result == .succeeded { return task.contradiction ?? reasons.joined() + ", which the app accepts on purpose" }
    if task.result == .lost { reasons.append("its process ended first") }
    if task.result == .unknown {
      let hasBegun = task.created != nil || task.resumed != nil || task.firstAttempt != nil
      reasons.append(
        task.isCompletionAcknowledged
          ? "the app acknowledged its completion, and its end is not in the log"
          : hasBegun ? "its process ended first" : "its beginning is not in the log")
    } else if task.result != .failed || task.error != nil,
      let stage = task.stageReached(isExcerpt: world.process(of: task).coverage != nil)
    {
      reasons.append("stage \(stage)")
    }
    if task.attemptCount > 1 { reasons.append("\(task.attemptCount) attempts") }
    if let contradiction = task.contradiction { reasons.append(contradiction) }
    if let next = task.continuation?.task {
      reasons.append("resumed by \(next.label) (uid \(next.uid))")
    }
    return reasons.joined(separator: ", ")
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
