import XferEngine
import XferEvents

// Telling apps that something waits for them.
extension ServiceCore {
  /// Looks whether the session's app has to be told: something waits, nothing of it is still going on, and the app does not have it open.
  mutating func considerWake(_ key: SessionKey, _ effects: inout [Effect], _ now: Int64) {
    let waiting = tasks.pending(of: key)
    guard let session = sessions[key], waiting > 0, link(of: key) == nil, wakes[key] == nil,
      tasks.running(of: key) == 0, session.settings.sendsLaunchEvents
    else { return }
    // A second process would be told what the first one, which nobody sees yet, waits for.
    if let graceEnd, now < graceEnd { return effects.append(.wakeAt(graceEnd)) }
    nextHandler += 1
    wakes[key] = Wake(handler: HandlerID(nextHandler))
    effects.append(
      .emit(
        WakeWanted(session: key.identifier, handler: wakes[key]!.handler, wakeCause: .completion, pending: Int64(waiting))))
    advance(key, &effects, now)
  }

  mutating func endGrace(_ effects: inout [Effect], _ now: Int64) {
    guard let graceEnd, now >= graceEnd else { return }
    self.graceEnd = nil
    for key in sessions.keys.sorted() { considerWake(key, &effects, now) }
  }

  /// Does the next step of a wake, or says what holds it.
  mutating func advance(_ key: SessionKey, _ effects: inout [Effect], _ now: Int64) {
    guard let wake = wakes[key] else { return }
    switch wake.step {
    case .wanted:
      if let link = links.filter({ $0.value.app == key.app && $0.value.isRegistered }).keys.max() {
        return hand(over: key, to: link, &effects, now)
      }
      launch(key, &effects, now)
    case .launched(let pid):
      if let link = links.filter({ $0.value.app == key.app && $0.value.isRegistered && $0.value.pid == pid }).keys.max() {
        hand(over: key, to: link, &effects, now)
      }
    case .delivered(_, let deadline):
      guard now >= deadline else { return effects.append(.wakeAt(deadline)) }
      effects.append(.emit(WakeDeadlinePassed(session: key.identifier, handler: wake.handler, budget: .nanoseconds(wakeBudget))))
      wakes[key] = nil
    }
  }

  private mutating func launch(_ key: SessionKey, _ effects: inout [Effect], _ now: Int64) {
    guard let app = apps[key.app] else { return hold(key, .launchFailed, nil, &effects) }
    // It is about to connect, or was launched for another session.
    if children.values.contains(where: { $0.app == key.app }) { return hold(key, .running, nil, &effects) }
    let limiter = limiters[key.app, default: WakeLimiter()]
    if limiter.isStorming { return hold(key, .storm, nil, &effects) }
    let delay = limiter.delay(now: now)
    if delay > 0 {
      hold(key, .rateLimit, delay, &effects)
      return effects.append(.wakeAt(now + delay))
    }
    limiters[key.app, default: WakeLimiter()].noteLaunch(now: now)
    effects.append(.launch(key, app))
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
      .send(link, .wake(session: key.identifier, handler: wake.handler.rawValue)),
      .wakeAt(deadline),
    ]
    // It may have the session open already.
    finishDraining(key, &effects)
  }

  mutating func noteLaunched(_ key: SessionKey, _ pid: Int32, _ effects: inout [Effect], _ now: Int64) {
    children[pid] = Child(app: key.app)
    wakes[key]?.step = .launched(pid)
    guard let wake = wakes[key] else { return }
    effects.append(
      .emit(
        WakeLaunched(
          session: key.identifier, handler: wake.handler, pid: Int(pid), executable: apps[key.app]?.program.executable,
          wakeCause: .completion)))
  }

  mutating func noteNotLaunched(_ key: SessionKey, _ osError: Int32, _ effects: inout [Effect], _ now: Int64) {
    guard let wake = wakes[key] else { return }
    effects.append(
      .emit(
        WakeLaunched(
          session: key.identifier, handler: wake.handler, executable: apps[key.app]?.program.executable, wakeCause: .completion,
          osError: Int(osError))))
    hold(key, .launchFailed, nil, &effects)
  }

  mutating func noteHandlerCalled(_ handler: HandlerID, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    guard let key = wakes.first(where: { $0.key.app == app && $0.value.handler == handler })?.key else { return }
    wakes[key] = nil
    considerWake(key, &effects, now)
  }

  mutating func noteChildEnded(_ pid: Int32, _ code: Int?, _ signal: Int?, _ effects: inout [Effect], _ now: Int64) {
    guard let child = children.removeValue(forKey: pid) else { return }
    let app = child.app
    effects.append(
      .emit(
        ProcessExitObserved(
          launch: child.launch, pid: Int(pid), code: code, signal: signal, exitReason: signal == nil ? .exitCall : .signal,
          by: .daemon,
          executable: app)))
    for key in wakes.keys.sorted() where key.app == app {
      // The wake ended with the process; what waits is worth another.
      wakes[key] = nil
    }
    for key in sessions.keys.sorted() where key.app == app { considerWake(key, &effects, now) }
  }
}
