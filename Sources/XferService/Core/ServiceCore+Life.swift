import Foundation
import XferEngine
import XferEvents

// The life cycle of app processes: foreground, background, suspension and termination.
extension ServiceCore {
  /// Handles an app's report about its state, assertions, triggers or dead-man switches.
  mutating func take(_ report: AppReport, _ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let app = links[link]?.app else { return }
    switch report {
    case .entered(let standing): note(standing, link, &effects, now)
    case .assertionBegun(let id, let name):
      links[link]!.standing.assertions[id] = name
      review(link, &effects, now)
    case .assertionEnded(let id):
      links[link]!.standing.assertions[id] = nil
      review(link, &effects, now)
    case .triggerArmed(let number, let trigger): arm(ArmedTrigger(number: number, trigger: trigger), app, &effects, now)
    case .triggerDisarmed(let trigger): disarm(trigger, app, &effects)
    case .deadManArmed(let number, let name, let firesAt):
      lease(Lease(number: number, name: name, firesAt: firesAt), app, &effects, now)
    case .deadManDisarmed(let number): endLease(number, app, &effects)
    }
  }

  private mutating func note(_ standing: AppStanding, _ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let app = links[link]?.app else { return }
    links[link]!.standing.expired = nil
    switch standing {
    case .background:
      links[link]!.standing.state = .background
      links[link]!.standing.backgroundSince = now
    case .foreground:
      links[link]!.standing.state = .foreground
      limiters[app]?.reset()
      disarmFiredSwitches(app, &effects)
      for key in wakes.keys.sorted() where key.app == app { advance(key, &effects, now) }
      for uid in holds.keys.inOrder() where tasks[uid]?.app == app { settle(uid, &effects, now) }
    }
    review(link, &effects, now)
  }

  /// Applies due background transitions to a process and schedules the next one.
  mutating func review(_ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let process = links[link] else { return }
    if process.standing.assertions.isEmpty { links[link]!.standing.expired = nil }
    let isWoken = wakes.values.contains { if case .delivered(link, _) = $0.step { true } else { false } }
    switch links[link]!.standing.next(isWoken: isWoken) {
    case .nothing: break
    case .expireAssertions(let moment):
      guard now >= moment else { return effects.append(.wakeAt(moment)) }
      links[link]!.standing.expired = now
      effects.append(.send(link, .notice(.assertionsExpired(process.standing.assertions.keys.sorted()))))
      review(link, &effects, now)
    case .kill(let moment):
      guard now >= moment else { return effects.append(.wakeAt(moment)) }
      end(process.pid, endings[process.pid] ?? .assertionExpired, &effects)
    case .suspend(let moment):
      guard now >= moment else { return effects.append(.wakeAt(moment)) }
      suspend(link, &effects)
    }
  }

  mutating func suspend(_ link: LinkID, _ effects: inout [Effect]) {
    guard let process = links[link], !process.standing.isSuspended else { return }
    links[link]!.standing.state = .suspended
    // The process is recorded as suspended before the signal is sent, so that a restarted daemon knows which processes are
    // suspended.
    apps[process.app]?.suspended.append(process.pid)
    effects += [
      .storeApp(process.app), .signal(process.pid, SIGSTOP),
      .emit(ProcessStateChanged(launch: process.launch, state: .suspended)),
    ]
  }

  /// Resumes a suspended process in the background.
  mutating func resume(_ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let process = links[link] else { return }
    (links[link]!.standing.state, links[link]!.standing.backgroundSince) = (.background, now)
    noteRunning(process.pid, process.app, &effects)
    // The event precedes the signal, so that it precedes the events of the resumed process.
    effects += [
      .emit(ProcessStateChanged(launch: process.launch, state: .resumed)), .signal(process.pid, SIGCONT),
    ]
  }

  /// Removes a process from the list of suspended processes, because it was resumed or has ended.
  mutating func noteRunning(_ pid: Int32, _ app: String, _ effects: inout [Effect]) {
    guard apps[app]?.suspended.contains(pid) ?? false else { return }
    apps[app]!.suspended.removeAll { $0 == pid }
    effects.append(.storeApp(app))
  }

  /// Resumes the processes that an earlier daemon suspended, because a suspended process cannot connect to this daemon.
  mutating func releaseSuspended(_ effects: inout [Effect]) {
    for app in apps.keys.sorted() where !apps[app]!.suspended.isEmpty {
      effects += apps[app]!.suspended.map { .release($0, app: app) }
      apps[app]!.suspended = []
      effects.append(.storeApp(app))
    }
  }

  /// Resumes a process if it is suspended, and sends it the callbacks and challenges that it missed.
  mutating func bringBack(_ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let process = links[link], process.standing.isSuspended else { return }
    resume(link, &effects, now)
    catchUp(link, &effects)
    review(link, &effects, now)
  }

  /// Sends the callbacks and challenges that arrived while the app was suspended.
  mutating func catchUp(_ link: LinkID, _ effects: inout [Effect]) {
    guard let process = links[link] else { return }
    for identifier in process.sessions.sorted() {
      catchUp(SessionKey(app: process.app, identifier: identifier), link, &effects)
    }
  }

  mutating func catchUp(_ key: SessionKey, _ link: LinkID, _ effects: inout [Effect]) {
    for task in tasks.tasks(of: key) { deliver(task, to: link, onlyUnsent: true, &effects) }
    for challenge in challenges(of: key) { effects.append(.send(link, .challenge(challenge))) }
  }

  /// Returns whether a process of the app is in the foreground, or does not report its app state.
  func isInFront(_ app: String) -> Bool { links.values.contains { $0.app == app && $0.standing.isInFront } }

  /// Returns whether the app may transfer now: it is in the foreground, or background refresh is allowed.
  func mayWork(_ app: String) -> Bool { conditions.allowsBackgroundRefresh || isInFront(app) }

  // MARK: Termination

  /// Kills a process and records the reason for its exit event.
  mutating func end(_ pid: Int32, _ reason: ExitReason, _ effects: inout [Effect]) {
    endings[pid] = reason
    effects.append(.signal(pid, SIGKILL))
  }

  /// Force-quits an app as its user would: terminates its processes, cancels its running tasks, and prevents launches until the
  /// user opens the app again.
  mutating func forceQuit(_ app: String, _ effects: inout [Effect], _ now: Int64) {
    if apps[app] != nil {
      apps[app]!.isQuit = true
      effects.append(.storeApp(app))
    }
    for (link, process) in links.sorted(by: { $0.key < $1.key }) where process.app == app {
      endings[process.pid] = .userQuit
      // A suspended or unregistered process cannot receive the notice, so it is killed immediately.
      if process.standing.isSuspended || !process.isRegistered {
        effects.append(.signal(process.pid, SIGKILL))
      } else {
        links[link]!.standing.dismissed = now
        effects.append(.send(link, .notice(.willTerminate)))
        review(link, &effects, now)
      }
    }
    for pid in children.keys.sorted() where children[pid]!.app == app && !links.values.contains(where: { $0.pid == pid }) {
      end(pid, .userQuit, &effects)
    }
    for task in tasks.all where task.app == app && task.standing == .running {
      if let uid = TaskUID(task.new.uid) { cancel(uid, because: .userForceQuit, by: .user, &effects, now) }
    }
  }
}
