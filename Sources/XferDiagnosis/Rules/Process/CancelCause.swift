import XferEvents
import XferLifecycle
import XferReplay

/// Who, or what, cancelled a task: one answer for all rules about cancellations, so that one cancellation is told once.
enum CancelCause {
  /// Whoever asked for it is known, and it is nobody's problem.
  case known
  case reason(CancelReason)
  /// Nobody asked, and the app's life before had been ended by its user, as far as can be seen.
  case userQuit(ProcessLifecycle, exit: Fact)
  /// Nobody asked, and the user had switched background refresh off.
  case refreshOff(Fact)
  /// Nobody asked, and the session object was let go while the task ran.
  case sessionReleased(Fact)
  case unexplained

  /// - Returns: `nil` when the task was not cancelled, as far as the log says.
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
      // With a cancellation, only who asks for resume data is given some.
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

  /// The life of the app that had the task and that its user ended, before the task's end was told in a later one.
  ///
  /// A user's quit looks like a clean exit with code 0. Whose own code had called exit, that life says so itself.
  static func life(endedByUserBefore task: TaskLifecycle, in world: World) -> (ProcessLifecycle, exit: Fact)? {
    for place in [task.earlierOwner, task.owner] {
      guard let process = place.map({ world.processes[$0] }), let exit = process.exitObserved, process.exited == nil else {
        continue
      }
      if process.exitReason == .userQuit { return (process, exit) }
      let looksClean = [.unknown, .returned, nil].contains(process.exitReason)
      guard looksClean, process.exitCode == 0, let next = process.nextLife.map({ world.processes[$0] }) else { continue }
      if next.startReason == .user { return (process, exit) }
    }
    return nil
  }
}
