import Foundation
import XferEngine
import XferEvents

// What becomes of the apps' processes.
extension ServiceCore {
  /// Takes what an app says of its life.
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
      quieten(app, &effects)
      for key in wakes.keys.sorted() where key.app == app { advance(key, &effects, now) }
      for uid in holds.keys.inOrder() where tasks[uid]?.app == app { settle(uid, &effects, now) }
    }
    review(link, &effects, now)
  }

  /// Does what is due to a process in the background, and sees to what comes next.
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
    // Before it is stopped, so that it is known.
    apps[process.app]?.suspended.append(process.pid)
    effects += [
      .storeApp(process.app), .signal(process.pid, SIGSTOP),
      .emit(ProcessStateChanged(launch: process.launch, state: .suspended)),
    ]
  }

  /// Lets a process run again, in the background.
  mutating func resume(_ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let process = links[link] else { return }
    (links[link]!.standing.state, links[link]!.standing.backgroundSince) = (.background, now)
    noteRunning(process.pid, process.app, &effects)
    effects += [
      .signal(process.pid, SIGCONT), .emit(ProcessStateChanged(launch: process.launch, state: .resumed)),
    ]
  }

  /// It is no longer stopped, or no longer there.
  mutating func noteRunning(_ pid: Int32, _ app: String, _ effects: inout [Effect]) {
    guard apps[app]?.suspended.contains(pid) ?? false else { return }
    apps[app]!.suspended.removeAll { $0 == pid }
    effects.append(.storeApp(app))
  }

  /// Lets go on what an earlier daemon had stopped: it cannot connect to be asked.
  mutating func releaseSuspended(_ effects: inout [Effect]) {
    for app in apps.keys.sorted() where !apps[app]!.suspended.isEmpty {
      effects += apps[app]!.suspended.map { .release($0, app: app) }
      apps[app]!.suspended = []
      effects.append(.storeApp(app))
    }
  }

  /// The same for one that is stopped, and sends it what it missed.
  mutating func bringBack(_ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let process = links[link], process.standing.isSuspended else { return }
    resume(link, &effects, now)
    catchUp(link, &effects)
    review(link, &effects, now)
  }

  /// Sends what came while the app could take nothing.
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

  /// Whether somebody looks at the app, or it runs like any program.
  func isInFront(_ app: String) -> Bool { links.values.contains { $0.app == app && $0.standing.isInFront } }

  /// Whether the user lets the app transfer where nobody looks.
  func mayWork(_ app: String) -> Bool { conditions.allowsBackgroundRefresh || isInFront(app) }

  // MARK: Ends

  /// Kills a process, and remembers why.
  mutating func end(_ pid: Int32, _ reason: ExitReason, _ effects: inout [Effect]) {
    endings[pid] = reason
    effects.append(.signal(pid, SIGKILL))
  }

  /// The user sweeps the app away: its processes end, its tasks are cancelled, and nothing launches it for them until it is opened again.
  mutating func forceQuit(_ app: String, _ effects: inout [Effect], _ now: Int64) {
    if apps[app] != nil {
      apps[app]!.isQuit = true
      effects.append(.storeApp(app))
    }
    for (link, process) in links.sorted(by: { $0.key < $1.key }) where process.app == app {
      endings[process.pid] = .userQuit
      // Who cannot run cannot be told.
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
