import XferEngine
import XferEvents

// Launch triggers and dead-man switches.
extension ServiceCore {
  mutating func arm(_ armed: ArmedTrigger, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    guard apps[app] != nil else { return }
    apps[app]!.triggers.removeAll { $0.trigger.kind == armed.trigger.kind && $0.trigger.name == armed.trigger.name }
    apps[app]!.triggers.append(armed)
    effects.append(.storeApp(app))
    ring(&effects, now)
  }

  mutating func disarm(_ trigger: LaunchTrigger, _ app: String, _ effects: inout [Effect]) {
    apps[app]?.triggers.removeAll { $0.trigger.kind == trigger.kind && $0.trigger.name == trigger.name }
    effects.append(.storeApp(app))
  }

  /// Fires a trigger: notifies the running app, or launches it if allowed.
  mutating func fire(_ armed: ArmedTrigger, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    let (kind, name) = (armed.trigger.kind, armed.trigger.name)
    effects.append(.emit(TriggerFired(trigger: CorrelationID(armed.number), triggerKind: kind.logged, name: name)))
    if let link = links.filter({ $0.value.app == app && $0.value.isRegistered }).keys.max() {
      bringBack(link, &effects, now)
      return effects.append(.send(link, .notice(.triggerFired(armed.number, armed.trigger))))
    }
    guard let carried = apps[app] else { return }
    if let reason = launchRefusal(to: kind, carried) {
      return emitMessage("\(app) is not launched for \(kind.rawValue) \(name): \(reason)", &effects)
    }
    firedTriggers[app, default: []].append(armed)
    if children.values.contains(where: { $0.app == app }) { return }
    effects.append(.launch(LaunchOrder(purpose: .trigger(app: app, kind), program: carried.program, file: carried.file)))
  }

  /// Returns why an app must not be launched for a trigger, or `nil` when it may. Location triggers launch even a force-quit
  /// app; push and timer triggers do not.
  private func launchRefusal(to kind: LaunchTrigger.Kind, _ app: CarriedApp) -> String? {
    switch kind {
    case .significantLocation, .region: nil
    case .push, .timer, .appRefresh, .processing:
      app.isQuit ? "its user has quit it" : conditions.allowsBackgroundRefresh ? nil : "background refresh is off"
    }
  }

  // MARK: Dead-man switches

  mutating func lease(_ lease: Lease, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    guard apps[app] != nil else { return }
    // A reconnecting app reports its dead-man switches again, which must not make the next deadline earlier.
    if apps[app]!.leases.contains(where: { $0.number == lease.number && $0.firesAt >= lease.firesAt }) { return }
    apps[app]!.leases.removeAll { $0.number == lease.number }
    apps[app]!.leases.append(lease)
    effects.append(.storeApp(app))
    ring(&effects, now)
  }

  mutating func endLease(_ number: UInt64, _ app: String, _ effects: inout [Effect]) {
    apps[app]?.leases.removeAll { $0.number == number }
    effects.append(.storeApp(app))
  }

  /// Disarms an app's dead-man switches that have fired, because the user has opened the app and noticed the warning.
  mutating func disarmFiredSwitches(_ app: String, _ effects: inout [Effect]) {
    for lease in apps[app]?.leases ?? [] where lease.count > 0 {
      effects.append(.emit(DeadmanDisarmed(deadman: CorrelationID(lease.number), by: .user)))
      endLease(lease.number, app, &effects)
    }
  }

  /// The time between repeated warnings of a dead-man switch, in nanoseconds.
  private static let ringInterval: Int64 = 60_000_000_000

  /// Fires the dead-man switches and timer triggers that are due, and schedules the others.
  mutating func ring(_ effects: inout [Effect], _ now: Int64) {
    let wall = now + wallLead
    for app in apps.keys.sorted() {
      for (place, lease) in apps[app]!.leases.enumerated() {
        guard lease.firesAt <= wall else {
          effects.append(.wakeAt(lease.firesAt.subtractingClamped(wallLead)))
          continue
        }
        apps[app]!.leases[place].count += 1
        apps[app]!.leases[place].firesAt = wall + Self.ringInterval
        effects += [
          .storeApp(app), .wakeAt(now + Self.ringInterval),
          .emit(DeadmanFired(deadman: CorrelationID(lease.number), count: Int64(lease.count + 1))),
        ]
        for (link, process) in links.sorted(by: { $0.key < $1.key })
        where process.app == app && process.isRegistered && !process.standing.isSuspended {
          effects.append(.send(link, .notice(.deadManFired(name: lease.name, count: lease.count + 1))))
        }
      }
      for armed in apps[app]!.triggers where armed.trigger.kind == .timer {
        guard let date = armed.trigger.firesAt, abs(date) < 9e9 else { continue }
        let moment = Int64(date * 1e9)
        guard moment <= wall else {
          effects.append(.wakeAt(moment.subtractingClamped(wallLead)))
          continue
        }
        disarm(armed.trigger, app, &effects)
        fire(armed, app, &effects, now)
      }
    }
  }

  func emitMessage(_ text: String, _ effects: inout [Effect]) {
    effects.append(
      .emit(MessageDefault(subsystem: "xferd", category: "device", eventMessage: "\(text, privacy: .public)")))
  }
}
