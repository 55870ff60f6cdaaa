package import XferEvents
package import XferLifecycle
import XferReplay

/// A task as the table of `tail --tasks` shows it.
package struct TaskRow: Sendable {
  package let task: TaskIdentity
  package let state: TaskLifecycle.State
  package let result: TaskLifecycle.Result
  /// The bytes that were moved in the direction in which the task moves most, and the number that it has to move. `nil` if unknown.
  package let moved: Int64
  package let expected: Int64?
  /// The time of the last change of `state`.
  package internal(set) var since: WallTime?
  /// The time after which the task's next step is late; `nil` if there is no such time.
  package let due: WallTime?
  /// Why the task waits, or how it ended. Empty while it runs.
  package let remark: String
  /// The rules with a finding about the task that counts.
  package internal(set) var rules: [String] = []

  /// The times after which a step of a task is late.
  package struct Patience: Sendable {
    /// The time from the last byte to the app's code.
    package var delivery: Duration
    /// The time without a byte, for tasks without a request timeout.
    package var movement: Duration = .seconds(60)

    package init(delivery: Duration = .seconds(60)) { self.delivery = delivery }
  }

  init(_ lifecycle: TaskLifecycle, in world: World, _ patience: Patience) {
    task = lifecycle.identity
    (state, result) = (lifecycle.state, lifecycle.result)
    let attempt = lifecycle.attempt
    let (received, sent) = (lifecycle.bytesReceived ?? 0, lifecycle.bytesSent ?? 0)
    if lifecycle.type == .upload || sent > received {
      (moved, expected) = (sent, attempt?.expectedToSend)
    } else {
      (moved, expected) = (received, attempt?.expected ?? lifecycle.expectedToReceive)
    }
    due = Self.due(lifecycle, in: world, patience)
    remark = Self.remark(lifecycle)
  }

  /// Whether nothing more is expected of the task.
  package var isOver: Bool {
    switch state {
    case .completed, .acknowledged: true
    case .created, .queued, .running, .held, .suspended, .transferred, .delivered, .failed, .cancelled: result == .lost
    }
  }

  package func isOverdue(at now: WallTime?) -> Bool {
    if isOver { return false }
    guard let now, let due else { return false }
    return now > due
  }

  /// The part of the expected bytes that was moved, in percent from 0 to 100; `nil` if it is unknown.
  package var percent: Int? {
    guard let expected, expected > 0, moved >= 0 else { return nil }
    return moved >= expected ? 100 : Int(Double(moved) / Double(expected) * 100)
  }

  // MARK: From the lifecycle

  private static func due(_ task: TaskLifecycle, in world: World, _ patience: Patience) -> WallTime? {
    switch task.state {
    case .transferred, .failed, .delivered:
      return task.cancelledBy == .app ? nil : task.wireEnd?.wall.map { $0 + patience.delivery }
    case .held:
      if let until = task.holdTerms?.until { return until }
      guard let delay = task.holdTerms?.delay else { return nil }
      return task.held?.wall.map { $0 + delay }
    case .running:
      // A challenge, and a network that is missing, are not the server's fault.
      guard let attempt = task.attempt, attempt.ended == nil, attempt.challengeOpen == nil, attempt.networkAwaited == nil else {
        return nil
      }
      let limit = task.requestTimeout ?? world.session(of: task)?.requestTimeout ?? patience.movement
      return attempt.lastMovement?.wall.map { $0 + limit }
    case .created, .queued, .suspended, .completed, .acknowledged, .cancelled: return nil
    }
  }

  private static func remark(_ task: TaskLifecycle) -> String {
    if task.result == .lost { return "lost with its process" }
    switch task.state {
    case .held:
      guard let hold = task.hold else { return "" }
      let slots = task.slots.map { slots in " \(task.holdTerms?.slotsUsed.map { "\($0)/" } ?? "")\(slots)" } ?? ""
      return hold.name + slots
    case .failed, .completed, .acknowledged, .cancelled:
      if let error = task.error {
        return error.name ?? error.domain.map { "\($0.name) \(error.number)" } ?? "error \(error.number)"
      }
      return task.status.map { "\($0)" } ?? ""
    case .created, .queued, .running, .suspended, .transferred, .delivered:
      return task.attemptCount > 1 ? "attempt \(task.attemptCount)" : ""
    }
  }
}

extension WallTime {
  fileprivate static func + (time: WallTime, duration: Duration) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds.addingClamped(duration.nanoseconds))
  }
}
