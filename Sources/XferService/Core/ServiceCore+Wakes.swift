import XferEngine
import XferEvents

// Waking apps for the events of their sessions.
extension ServiceCore {
  /// Starts a wake for a session if one is needed: the settings allow it, no process has the session open without being
  /// suspended, and either callbacks are pending and none of the session's tasks is running, or an authentication challenge is
  /// waiting.
  mutating func considerWake(_ key: SessionKey, _ effects: inout [Effect], _ now: Int64) {
    guard let session = sessions[key], session.settings.sendsLaunchEvents, awakeLink(of: key) == nil, wakes[key] == nil,
      let cause = wakeCause(of: key)
    else { return }
    // During the grace period, a running app may still reconnect after a daemon restart, and a launch would start a second
    // process.
    if let graceEnd, now < graceEnd { return effects.append(.wakeAt(graceEnd)) }
    nextHandler &+= 1
    wakes[key] = Wake(handler: HandlerID(nextHandler), cause: cause)
    effects.append(
      .emit(
        WakeWanted(
          session: key.identifier, handler: wakes[key]!.handler, wakeCause: cause, pending: Int64(tasks.pending(of: key)))))
    advance(key, &effects, now)
  }

  private func wakeCause(of key: SessionKey) -> WakeCause? {
    if !challenges(of: key).isEmpty { return .challenge }
    return tasks.pending(of: key) > 0 && tasks.running(of: key) == 0 ? .completion : nil
  }

  mutating func endGrace(_ effects: inout [Effect], _ now: Int64) {
    guard let graceEnd else { return }
    if now < graceEnd { return effects.append(.wakeAt(graceEnd)) }
    self.graceEnd = nil
    for key in sessions.keys.sorted() { considerWake(key, &effects, now) }
  }

  /// Advances a wake to its next step, or logs why it is held.
  mutating func advance(_ key: SessionKey, _ effects: inout [Effect], _ now: Int64) {
    guard let wake = wakes[key] else { return }
    switch wake.step {
    case .wanted:
      let running = links.filter { $0.value.app == key.app && $0.value.isRegistered && $0.value.standing.dismissed == nil }
      guard let link = running.keys.max() else {
        return launch(key, &effects, now)
      }
      // Resuming a suspended app counts as a launch for the rate limit, as on a real device.
      if links[link]!.standing.isSuspended {
        guard mayLaunch(key, &effects, now) else { return }
        limiters[key.app, default: WakeLimiter()].noteLaunch(now: now)
        resume(link, &effects, now)
      }
      hand(over: key, to: link, &effects, now)
      catchUp(link, &effects)
    case .launched(let pid):
      if let link = links.filter({ $0.value.app == key.app && $0.value.isRegistered && $0.value.pid == pid }).keys.max() {
        hand(over: key, to: link, &effects, now)
      }
    case .delivered(_, let deadline):
      guard now >= deadline else { return effects.append(.wakeAt(deadline)) }
      effects.append(.emit(WakeDeadlinePassed(session: key.identifier, handler: wake.handler, budget: .nanoseconds(wakeBudget))))
      wakes[key] = nil
      if case .delivered(let link, _) = wake.step { review(link, &effects, now) }
    }
  }

  private mutating func launch(_ key: SessionKey, _ effects: inout [Effect], _ now: Int64) {
    guard let app = apps[key.app], let cause = wakes[key]?.cause else { return hold(key, .launchFailed, nil, &effects) }
    // A process of this app was already launched and is about to connect or is handling another session, so no second one is
    // launched.
    if children.values.contains(where: { $0.app == key.app }) { return hold(key, .running, nil, &effects) }
    guard mayLaunch(key, &effects, now) else { return }
    limiters[key.app, default: WakeLimiter()].noteLaunch(now: now)
    effects.append(.launch(LaunchOrder(purpose: .wake(key, cause), program: app.program, file: app.file)))
  }

  /// Returns whether an app may be launched for a wake. When it may not, logs the reason.
  private mutating func mayLaunch(_ key: SessionKey, _ effects: inout [Effect], _ now: Int64) -> Bool {
    let limiter = limiters[key.app, default: WakeLimiter()]
    let delay = limiter.delay(now: now)
    if apps[key.app]?.isQuit ?? false {
      hold(key, .userQuit, nil, &effects)
    } else if !conditions.allowsBackgroundRefresh {
      hold(key, .policy, nil, &effects)
    } else if limiter.isStorming {
      hold(key, .storm, nil, &effects)
    } else if delay > 0 {
      hold(key, .rateLimit, delay, &effects)
      effects.append(.wakeAt(now + delay))
    } else {
      return true
    }
    return false
  }

  private mutating func hold(_ key: SessionKey, _ reason: HoldWakeReason, _ delay: Int64?, _ effects: inout [Effect]) {
    guard wakes[key]?.hold != reason else { return }
    wakes[key]!.hold = reason
    effects.append(
      .emit(
        WakeHeld(
          session: key.identifier, handler: wakes[key]!.handler, holdWake: reason, delay: delay.map { .nanoseconds($0) })))
  }

  private mutating func hand(over key: SessionKey, to link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let wake = wakes[key] else { return }
    let deadline = now + wakeBudget
    wakes[key]!.step = .delivered(link, deadline: deadline)
    draining[key] = wake.handler.rawValue
    effects += [
      .emit(WakeDeadlineSet(session: key.identifier, handler: wake.handler, budget: .nanoseconds(wakeBudget))),
      .send(link, .notice(.wake(session: key.identifier, handler: wake.handler.rawValue))),
      .wakeAt(deadline),
    ]
    // The app may already have opened the session and received all its events. The wake's `eventsFinished` is then sent now,
    // because no later event would cause it.
    finishDraining(key, &effects)
  }

  mutating func noteLaunched(_ order: LaunchOrder, _ pid: Int32, _ effects: inout [Effect]) {
    switch order.purpose {
    case .wake(let key, let cause):
      children[pid] = Child(app: key.app, isUnattended: true)
      wakes[key]?.step = .launched(pid)
      guard let wake = wakes[key] else { return }
      effects.append(
        .emit(
          WakeLaunched(
            session: key.identifier, handler: wake.handler, pid: Int(pid), executable: order.program.executable,
            wakeCause: cause)))
    case .trigger(let app, _): children[pid] = Child(app: app, isUnattended: true)
    case .command(let link, let isBackground):
      children[pid] = Child(app: order.program.executable, isUnattended: isBackground)
      effects.append(.send(link, .answered(.launched(process: pid))))
    }
  }

  /// The delay in nanoseconds before a launch that failed for lack of resources is retried.
  private static let launchRetry: Int64 = 5_000_000_000

  mutating func noteNotLaunched(_ order: LaunchOrder, _ osError: Int32, _ effects: inout [Effect], _ now: Int64) {
    let executable = order.program.executable
    switch order.purpose {
    case .wake(let key, let cause):
      guard let wake = wakes[key] else { return }
      effects.append(
        .emit(
          WakeLaunched(
            session: key.identifier, handler: wake.handler, executable: executable, wakeCause: cause, osError: Int(osError))))
      hold(key, .launchFailed, nil, &effects)
      // A retry is scheduled only when processes or memory are short, because any other launch error is likely to recur.
      if ChildEnd.SpawnError(osError: osError).isTemporary { effects.append(.wakeAt(now + Self.launchRetry)) }
    case .trigger(let app, let kind):
      emitMessage("cannot launch \(app) for its \(kind.rawValue) trigger: errno \(osError)", &effects)
    case .command(let link, _):
      effects.append(.send(link, .answered(.refused("cannot launch \(executable): errno \(osError)"))))
    }
  }

  mutating func noteHandlerCalled(_ handler: HandlerID, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    guard let key = wakes.first(where: { $0.key.app == app && $0.value.handler == handler })?.key else { return }
    // Events may still be pending if the app called the handler early. The next wake starts only when the app exits or a new
    // event arrives.
    let wake = wakes.removeValue(forKey: key)
    if case .delivered(let link, _) = wake?.step { review(link, &effects, now) }
  }

  mutating func noteChildEnded(_ pid: Int32, _ code: Int?, _ signal: Int?, _ effects: inout [Effect], _ now: Int64) {
    guard let child = children.removeValue(forKey: pid) else { return }
    let app = child.app
    let reason: ExitReason = signal != nil ? .signal : code != nil ? .exitCall : .unknown
    effects.append(
      .emit(
        ProcessExitObserved(
          launch: child.launch, pid: Int(pid), code: code, signal: signal,
          exitReason: endings.removeValue(forKey: pid) ?? reason, by: .daemon, executable: app)))
    for key in wakes.keys.sorted() where key.app == app {
      // The wake ends with the process. Events that are still pending start a new wake.
      wakes[key] = nil
    }
    // The connection may still contain unread messages of this process. Its disconnection is handled after them and starts the
    // wake.
    if links.values.contains(where: { $0.pid == pid }) { return }
    for key in sessions.keys.sorted() where key.app == app { considerWake(key, &effects, now) }
  }
}
