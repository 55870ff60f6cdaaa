import XferEvents
import XferLifecycle
import XferReplay

/// The cause of a task's cancellation.
///
/// All rules about cancellations share this answer, so that only one of them reports a cancellation.
enum CancelCause {
  /// The app or an invalidation requested the cancellation; there is nothing to report.
  case known
  case reason(CancelReason)
  /// The log has no request, and the user seems to have quit the process that owned the task.
  case userQuit(ProcessLifecycle, exit: Fact)
  /// The log has no request, and background refresh was off.
  case refreshOff(Fact)
  /// The log has no request, and the session object was released while the task ran.
  case sessionReleased(Fact)
  case unexplained

  /// - Returns: `nil` when the log does not show a cancellation of the task.
  init?(of task: TaskLifecycle, in world: World) {
    let isForgotten = task.forgotten != nil && (task.forgetReason == .userForceQuit || task.forgetReason == .cancelled)
    guard task.result == .cancelled || task.completed == nil && isForgotten else { return nil }
    if let reason = task.cancelReason ?? (task.forgetReason == .userForceQuit ? .userForceQuit : nil) {
      self = reason == .none ? .known : .reason(reason)
      return
    }
    if task.cancelRequested != nil, task.cancelledBy ?? .unknown != .unknown {
      self = .known
      return
    }
    let session = world.session(of: task)
    if session?.invalidationRequested != nil || session?.invalidated != nil {
      self = .known
    } else if let (process, exit) = Self.life(endedByUserBefore: task, in: world) {
      self = .userQuit(process, exit: exit)
    } else if task.leftResumeData {
      // A cancelled task leaves resume data only when the app asked for it.
      self = .known
    } else if let refresh = world.conditions.policy(.backgroundRefresh), !refresh.isOn, world.sessionKind(of: task) == .background
    {
      self = .refreshOff(refresh.changed)
    } else if let released = session?.released {
      self = .sessionReleased(released)
    } else {
      self = .unexplained
    }
  }

  /// Returns the event that shows that a task was cancelled; `nil` while the log shows no cancellation.
  ///
  /// The app may never be told about a cancellation by the user or the system, because it is not launched for it.
  static func end(of task: TaskLifecycle) -> Fact? {
    if let end = task.completed ?? task.forgotten { return end }
    return task.isCancelledUntold ? task.attempt?.ended ?? task.cancelRequested : nil
  }

  /// Returns the process that owned the task and that the user quit, and the event of its exit.
  ///
  /// A quit by the user looks like a clean exit with code 0. A process that calls exit() logs its own exit.
  static func life(endedByUserBefore task: TaskLifecycle, in world: World) -> (ProcessLifecycle, exit: Fact)? {
    for place in [task.earlierOwner, task.owner] {
      guard let process = place.map({ world.processes[$0] }), let exit = process.exitObserved else { continue }
      if process.exitReason == .userQuit { return (process, exit) }
      let looksClean = [.unknown, .returned, nil].contains(process.exitReason)
      guard looksClean, process.exited == nil, process.exitCode == 0, let next = process.nextLife.map({ world.processes[$0] })
      else { continue }
      if next.startReason == .user { return (process, exit) }
    }
    return nil
  }
}
