import XferEngine
import XferEvents

// Device commands, which simulate conditions and user actions.
extension ServiceCore {
  mutating func perform(_ command: DeviceCommand, _ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    switch command {
    case .conditions: answer(link, .conditions(conditions), &effects)
    case .setConditions(let new):
      set(new, &effects, now)
      answer(link, .conditions(conditions), &effects)
    case .apps: answer(link, .apps(status(now)), &effects)
    case .launch(let program, let isBackground):
      effects.append(.launch(LaunchOrder(purpose: .command(link, isBackground: isBackground), program: program, file: nil)))
    case .order(let order, let pid): answer(link, perform(order, pid, &effects, now), &effects)
    case .end(let pid, let number):
      guard let reason = ExitReason(rawValue: number), isOurs(pid) else {
        return answer(link, .refused("process \(pid) does not belong to an app of this daemon"), &effects)
      }
      end(pid, reason, &effects)
      answer(link, .done, &effects)
    case .forceQuit(let app):
      forceQuit(app, &effects, now)
      answer(link, .done, &effects)
    case .fire(let app, let kind, let name):
      let armed = apps[app]?.triggers.filter { $0.trigger.kind == kind && (name == nil || $0.trigger.name == name) } ?? []
      for trigger in armed { fire(trigger, app, &effects, now) }
      let what = "\(kind.rawValue)\(name.map { " \($0)" } ?? "")"
      answer(link, armed.isEmpty ? .refused("\(app) has armed no \(what)") : .done, &effects)
    }
  }

  private func answer(_ link: LinkID, _ answer: DeviceAnswer, _ effects: inout [Effect]) {
    effects.append(.send(link, .answered(answer)))
  }

  private func isOurs(_ pid: Int32) -> Bool { children[pid] != nil || links.values.contains { $0.pid == pid } }

  private mutating func perform(_ order: AppOrder, _ pid: Int32, _ effects: inout [Effect], _ now: Int64) -> DeviceAnswer {
    guard let link = links.filter({ $0.value.pid == pid && $0.value.isRegistered }).keys.max(), let process = links[link] else {
      return .refused("process \(pid) does not belong to a registered app")
    }
    // An app that the daemon neither launched nor may suspend could be doing unrelated work, so it is not suspended.
    if children[pid] == nil, !process.standing.isSuspendable, order == .suspend {
      return .refused("process \(pid) was not launched by the daemon and did not allow suspension when it registered")
    }
    switch order {
    case .suspend: suspend(link, &effects)
    case .resume: bringBack(link, &effects, now)
    case .foreground:
      bringBack(link, &effects, now)
      effects.append(.send(link, .notice(.entered(.foreground))))
    case .background:
      bringBack(link, &effects, now)
      effects.append(.send(link, .notice(.entered(.background))))
    }
    return .done
  }

  // MARK: Conditions

  private mutating func set(_ new: DeviceConditions, _ effects: inout [Effect], _ now: Int64) {
    let old = conditions
    conditions = new
    conditions.clockAhead = min(max(0, new.clockAhead), DeviceConditions.greatestClockAhead)
    effects.append(.applyConditions)
    if conditions.clockAhead > old.clockAhead {
      for (link, process) in links.sorted(by: { $0.key < $1.key }) where process.isRegistered || !process.sessions.isEmpty {
        effects.append(.send(link, .clockMoved))
      }
    }
    emitChanges(from: old, &effects)
    if old.isLocked != new.isLocked {
      for (link, process) in links.sorted(by: { $0.key < $1.key }) where process.isRegistered && !process.standing.isSuspended {
        effects.append(.send(link, .notice(.protectedData(isAvailable: !new.isLocked))))
      }
    }
    if old.allowsBackgroundRefresh, !new.allowsBackgroundRefresh {
      for task in tasks.all where task.standing == .running && !isInFront(task.app) {
        if let uid = TaskUID(task.new.uid) { cancel(uid, because: .backgroundUpdatesDisabled, by: .policy, &effects, now) }
      }
    }
    for task in tasks.all where task.standing == .running { if let uid = TaskUID(task.new.uid) { settle(uid, &effects, now) } }
    for key in wakes.keys.sorted() { advance(key, &effects, now) }
  }

  private func emitChanges(from old: DeviceConditions, _ effects: inout [Effect]) {
    if old.network != conditions.network, let path = conditions.network {
      effects.append(
        .emit(
          NetworkPathChanged(
            up: path.isSatisfied, expensive: path.isExpensive, constrained: path.isConstrained, cellular: path.isCellular)))
    }
    if (old.isCharging, old.battery) != (conditions.isCharging, conditions.battery) {
      effects.append(.emit(PowerChanged(charging: conditions.isCharging, battery: conditions.battery)))
    }
    if old.isLowPowerMode != conditions.isLowPowerMode {
      effects.append(.emit(PolicyChanged(policy: .lowPowerMode, enabled: conditions.isLowPowerMode, by: .user)))
    }
    if old.allowsBackgroundRefresh != conditions.allowsBackgroundRefresh {
      effects.append(
        .emit(PolicyChanged(policy: .backgroundRefresh, enabled: conditions.allowsBackgroundRefresh, by: .user)))
    }
    if old.isLocked != conditions.isLocked {
      effects.append(.emit(conditions.isLocked ? ProtectionEnabled() : ProtectionDisabled()))
    }
    if old.freeDisk != conditions.freeDisk, let free = conditions.freeDisk {
      effects.append(.emit(DiskSpaceSampled(free: free)))
    }
  }

  // MARK: Status

  private func status(_ now: Int64) -> [AppStatus] {
    let names = Set(apps.keys).union(links.values.map(\.app)).union(children.values.map(\.app))
    return names.sorted().compactMap { name in
      let processes = processes(of: name)
      // The program that asks for the status is connected, too, but it has neither registered nor opened a session, so it is left
      // out.
      if apps[name] == nil, processes.isEmpty { return nil }
      return AppStatus(
        app: name, isRegistered: apps[name] != nil, isQuit: apps[name]?.isQuit ?? false,
        launchDelay: limiters[name]?.delay(now: now) ?? 0, processes: processes,
        sessions: sessions.keys.sorted().filter { $0.app == name }.map(status),
        triggers: (apps[name]?.triggers ?? []).map { "\($0.trigger.kind.rawValue) \($0.trigger.name)" })
    }
  }

  private func processes(of app: String) -> [ProcessStatus] {
    let linked = links.values.filter { $0.app == app && ($0.isRegistered || !$0.sessions.isEmpty) }
    let unlinked = children.filter { child in child.value.app == app && !linked.contains { $0.pid == child.key } }.keys
    let statuses =
      linked.map { process in
        ProcessStatus(
          pid: process.pid, state: process.standing.state?.name ?? "running", isSuspendable: process.standing.isSuspendable,
          sessions: process.sessions.sorted(), assertions: process.standing.assertions.values.sorted())
      }
      + unlinked.map { ProcessStatus(pid: $0, state: "launching", isSuspendable: true, sessions: [], assertions: []) }
    return statuses.sorted { $0.pid < $1.pid }
  }

  private func status(of key: SessionKey) -> SessionStatus {
    let tasks = tasks.tasks(of: key)
    let reasons = tasks.compactMap { TaskUID($0.new.uid).flatMap { holds[$0] }?.name }
    return SessionStatus(
      identifier: key.identifier, tasks: tasks.count, running: self.tasks.running(of: key),
      pending: self.tasks.pending(of: key), holds: Dictionary(reasons.map { ($0, 1) }, uniquingKeysWith: +))
  }
}
