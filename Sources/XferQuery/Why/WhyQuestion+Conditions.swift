import XferEvents
import XferLifecycle
import XferReplay

// The conditions that a task needs to proceed.
extension WhyQuestion {
  private typealias Condition = WhyAnswer.Condition

  var conditions: [WhyAnswer.Condition] {
    let all: [WhyAnswer.Condition?] = [
      resumed, isBackground ? nil : app, isBackground ? daemon : nil, isBackground ? link : nil,
      timed(.beginDate, .beginDate, "the earliest begin date has passed", "the earliest begin date has not been reached"),
      delayAnswer, discretionary,
      timed(
        .wakeDelay, .wakeDelay, "launches of the app are not delayed",
        "the app was woken too often: the task is delayed like the app's launches"),
      unlocked, diskSpace, network, networkPolicy, slot, backoff, challenge, redirect, carrier, server,
    ]
    return all.compactMap(\.self)
  }

  /// Returns the index of the unsatisfied condition that keeps the task from moving now; `nil` if no condition is unsatisfied.
  func deciding(_ conditions: [WhyAnswer.Condition]) -> Int? {
    // Earlier conditions are needed first, but the hold reason that the engine recorded takes precedence over derived conditions.
    func place(_ name: WhyAnswer.Condition.Name) -> Int? {
      conditions.firstIndex { $0.name == name && $0.standing == .unsatisfied }
    }
    for name in [WhyAnswer.Condition.Name.resumed, .app, .daemon] { if let found = place(name) { return found } }
    if let hold = task.hold, let found = place(Self.name(of: hold)) { return found }
    return conditions.firstIndex { $0.standing == .unsatisfied }
  }

  private static func name(of hold: HoldReason) -> WhyAnswer.Condition.Name {
    switch hold {
    case .hostSlots, .sessionSlots: .slot
    case .network: .network
    case .networkPolicy: .networkPolicy
    case .discretionary: .discretionary
    case .wakeDelay: .wakeDelay
    case .beginDate: .beginDate
    case .delayAnswer: .delayAnswer
    case .challenge: .challenge
    case .redirect: .redirect
    case .backoff: .backoff
    case .protectedData: .unlocked
    case .diskSpace: .diskSpace
    case .daemonStarting: .daemon
    }
  }

  /// Returns the task's last hold for any of the given reasons; `nil` if the task was never held for one of them.
  private func lastHold(_ reasons: HoldReason...) -> TaskStory.Hold? { story.holds.last { reasons.contains($0.reason) } }

  private func isHeld(_ reasons: HoldReason...) -> Bool { task.held != nil && task.hold.map(reasons.contains) ?? false }

  /// Returns the condition behind a hold. `nil` when the log has no hold for the reason, so the condition is not known to be needed.
  private func timed(
    _ name: WhyAnswer.Condition.Name, _ reason: HoldReason, _ satisfied: String, _ unsatisfied: String
  ) -> WhyAnswer.Condition? {
    if isHeld(reason) { return Condition(name, .unsatisfied, since: task.held, unsatisfied) }
    return lastHold(reason).map { Condition(name, .satisfied, since: $0.ended, satisfied) }
  }

  // MARK: The app's part

  private var resumed: WhyAnswer.Condition {
    if let suspended = task.suspended { return Condition(.resumed, .unsatisfied, since: suspended, "the app suspended the task") }
    if let resumed = task.resumed { return Condition(.resumed, .satisfied, since: resumed, "resumed") }
    guard let created = task.created else {
      let isUnderWay = task.attempt != nil || task.held != nil || task.listed != nil
      return Condition(
        .resumed, isUnderWay ? .satisfied : .unknown, since: nil,
        isUnderWay ? "resumed at an unknown time" : "the log does not say whether the task was resumed")
    }
    return Condition(.resumed, .unsatisfied, since: created, "never resumed: a new task is suspended until resume() is called")
  }

  private var app: WhyAnswer.Condition {
    if process.isSuspended {
      return Condition(
        .app, .unsatisfied, since: process.stateChanged,
        "\(process.label) is suspended, which stops the transfers of "
          + (session?.kind.map { "a session of kind \($0.name)" } ?? "its session"))
    }
    return Condition(.app, .satisfied, since: process.started ?? process.firstSeen, "\(process.label) is running")
  }

  // MARK: The daemon's part

  private var daemon: WhyAnswer.Condition {
    if isHeld(.daemonStarting) { return Condition(.daemon, .unsatisfied, since: task.held, "the daemon is not ready yet") }
    let lives = world.processes.filter { $0.role == .daemon || $0.daemon != nil }
    guard let last = lives.last else {
      return Condition(.daemon, .unknown, since: nil, "the log contains no events of the daemon")
    }
    if let end = last.endFact ?? last.daemon?.exited {
      return Condition(.daemon, .unsatisfied, since: end, "\(last.label) has ended, and the log shows no restart of the daemon")
    }
    let generation = last.daemon?.generation.map { ", generation \($0)" } ?? ""
    return Condition(.daemon, .satisfied, since: last.daemon?.started ?? last.firstSeen, "\(last.label) is running\(generation)")
  }

  /// The condition that the app and the daemon are connected. It is satisfied once the daemon carries the task, because the
  /// transfer then no longer needs the app.
  private var link: WhyAnswer.Condition? {
    if let carrier = task.carrier {
      let label = world.label(ofProcess: carrier) ?? "the daemon"
      return Condition(.link, .satisfied, since: task.listed ?? task.firstAttempt ?? task.held, "\(label) has the task")
    }
    let owner = task.owner.map { world.processes[$0] } ?? process
    if let down = owner.link.disconnected, owner.link.reconnected == nil {
      let reason = owner.link.reason.map { ": \($0)" } ?? ""
      return Condition(.link, .unsatisfied, since: down, "the connection between \(owner.label) and the daemon is down\(reason)")
    }
    if let session, let failed = session.connectFailed,
      session.connected.map({ $0.duration(to: failed) ?? .zero > .zero }) ?? true
    {
      return Condition(.link, .unsatisfied, since: failed, "session \(session.identifier) cannot connect to the daemon")
    }
    if let up = owner.link.reconnected ?? owner.link.connected ?? session?.connected {
      return Condition(.link, .satisfied, since: up, "\(owner.label) is connected to the daemon")
    }
    return Condition(.link, .unknown, since: nil, "the log does not say whether the daemon received the task")
  }

  private static var delayUnanswered: String { "the app was asked whether the task may begin, and has not answered" }

  private var delayAnswer: WhyAnswer.Condition? {
    if let asked = task.delayAsked {
      return Condition(.delayAnswer, .unsatisfied, since: asked, Self.delayUnanswered)
    }
    return timed(.delayAnswer, .delayAnswer, "the app allowed the task to begin", Self.delayUnanswered)
  }

  private var challenge: WhyAnswer.Condition? {
    if let open = task.attempt?.challengeOpen {
      return Condition(.challenge, .unsatisfied, since: open, "the app received the server's challenge: no answer yet")
    }
    if isHeld(.challenge) {
      return Condition(.challenge, .unsatisfied, since: task.held, "the server sent a challenge: no answer yet")
    }
    return task.attempt?.challengeAnswered.map {
      Condition(.challenge, .satisfied, since: $0, "the server's challenge was answered")
    }
  }

  private var redirect: WhyAnswer.Condition? {
    guard let attempt = task.attempt else { return nil }
    if isRedirectOpen(attempt) || isHeld(.redirect) {
      return Condition(
        .redirect, .unsatisfied, since: attempt.redirects.received ?? task.held,
        "the app was asked whether to follow a redirect, and has not answered")
    }
    return attempt.redirects.answered.map { Condition(.redirect, .satisfied, since: $0, "the last redirect was answered") }
  }

  // MARK: The device's part

  private var discretionary: WhyAnswer.Condition? {
    let applies = task.effectiveDiscretionary ?? task.discretionary ?? session?.discretionary ?? false
    guard isHeld(.discretionary) else {
      guard applies || lastHold(.discretionary) != nil else { return nil }
      return lastHold(.discretionary).map {
        Condition(.discretionary, .satisfied, since: $0.ended, "the system allowed the task to run")
      }
        ?? Condition(
          .discretionary, .satisfied, since: nil, "discretionary, but the log shows no delay for that reason")
    }
    var reasons: [String] = []
    if let charging = world.conditions.charging { if !charging.isOn { reasons.append("not charging") } }
    if world.conditions.policy(.lowPowerMode)?.isOn ?? false { reasons.append("low power mode is on") }
    if world.network.isCellular ?? false { reasons.append("the network is cellular") }
    if world.network.isExpensive ?? false { reasons.append("the network is expensive") }
    let why = reasons.isEmpty ? "the log does not say which condition is missing" : reasons.joined(separator: ", ")
    return Condition(.discretionary, .unsatisfied, since: task.held, "discretionary: the system waits for a better time (\(why))")
  }

  private var unlocked: WhyAnswer.Condition? {
    if isHeld(.protectedData) {
      return Condition(.unlocked, .unsatisfied, since: task.held, "the device is locked: the file to send cannot be read")
    }
    if let hold = lastHold(.protectedData) {
      return Condition(.unlocked, .satisfied, since: hold.ended, "the device is unlocked")
    }
    return world.conditions.lock.flatMap { lock in
      task.type == .upload && !lock.isOn ? Condition(.unlocked, .satisfied, since: lock.changed, "the device is unlocked") : nil
    }
  }

  private var diskSpace: WhyAnswer.Condition? {
    let free = world.conditions.disk?.free.map { "\($0) bytes free" }
    if isHeld(.diskSpace) {
      let needs = task.expectedToReceive.map { "\($0) bytes expected" }
      let text =
        (["not enough disk space"] + [[needs, free].compactMap(\.self).joined(separator: ", ")].filter { !$0.isEmpty })
        .joined(separator: ": ")
      return Condition(.diskSpace, .unsatisfied, since: task.held, text)
    }
    return lastHold(.diskSpace).map { Condition(.diskSpace, .satisfied, since: $0.ended, "enough disk space") }
  }

  // MARK: The network's part

  private var network: WhyAnswer.Condition {
    if isHeld(.network)
      || task.attempt?.networkAwaited != nil && task.attempt?.networkHold != .networkPolicy
        && task.attempt?.ended == nil
    {
      let down = world.network.isUp == false ? world.network.changed : nil
      return Condition(
        .network, .unsatisfied, since: down ?? task.held ?? task.attempt?.networkAwaited,
        down == nil
          ? "the task waits for the network; the log does not say since when" : "there is no path to the network")
    }
    switch world.network.isUp {
    case true: return Condition(.network, .satisfied, since: world.network.changed, "there is a path to the network")
    case false: return Condition(.network, .unsatisfied, since: world.network.changed, "there is no path to the network")
    case nil:
      if let connected = task.attempt?.connectionAcquired {
        return Condition(.network, .satisfied, since: connected, "the task has a connection")
      }
      return Condition(.network, .unknown, since: nil, "the log does not say whether there is a path to the network")
    }
  }

  private var networkPolicy: WhyAnswer.Condition? {
    let isAwaited = task.attempt.map { $0.networkAwaited != nil && $0.networkHold == .networkPolicy && $0.ended == nil } ?? false
    guard isHeld(.networkPolicy) || isAwaited else {
      return lastHold(.networkPolicy).map {
        Condition(.networkPolicy, .satisfied, since: $0.ended, "the task may use the network path")
      }
    }
    let path = [
      world.network.isCellular ?? false ? "cellular" : nil, world.network.isExpensive ?? false ? "expensive" : nil,
      world.network.isConstrained ?? false ? "constrained" : nil,
    ].compactMap(\.self)
    let text = path.isEmpty ? "" : ": \(path.joined(separator: " and "))"
    return Condition(
      .networkPolicy, .unsatisfied, since: task.held ?? task.attempt?.networkAwaited,
      "there is a network path that the task may not use\(text)")
  }

  private var slot: WhyAnswer.Condition? {
    guard isHeld(.hostSlots, .sessionSlots) else {
      if let attempt = task.attempt, attempt.ended == nil,
        let since = attempt.connectionAcquired ?? (isExcerpt ? nil : attempt.started)
      {
        return Condition(
          .slot, .satisfied, since: since,
          attempt.connectionAcquired == nil ? "a connection is available" : "the task has a connection")
      }
      return lastHold(.hostSlots, .sessionSlots).map {
        Condition(.slot, .satisfied, since: $0.ended, "a connection is available")
      }
    }
    let holders = slotHolders
    let isHost = task.hold == .hostSlots
    let whose = isHost ? task.holdHost.map { " of \($0)" } ?? " of its host" : " of its session"
    let count = task.holdTerms?.slotsUsed.map { used in " (\(used)/\(task.slots.map(String.init) ?? "?"))" } ?? ""
    return Condition(
      .slot, .unsatisfied, since: task.held,
      "all connections\(whose) are taken\(count)"
        + (holders.isEmpty ? "; the log does not say by which tasks" : ", by \(holders.map(\.label).joined(separator: ", "))"),
      holders: holders)
  }

  /// The tasks of the same session that hold the connections this task waits for.
  private var slotHolders: [TaskIdentity] {
    world.tasks.indexes.map { world.tasks[$0] }.filter { other in
      guard let attempt = other.attempt, attempt.started != nil, attempt.ended == nil, other.isLive, other.held == nil,
        other.identity.uid != task.identity.uid, other.identity.session == task.identity.session, other.process == task.process
      else { return false }
      return task.hold == .sessionSlots || (attempt.redirects.origin?.host ?? other.host) == task.holdHost
    }.map(\.identity)
  }

  private var backoff: WhyAnswer.Condition? {
    let attempt = task.attempt
    if isHeld(.backoff) || task.held == nil && attempt?.ended != nil && attempt?.retryIn != nil {
      let why = attempt?.error.map { ": \($0.text)" } ?? attempt?.end.map { ": \($0.name)" } ?? ""
      return Condition(
        .backoff, .unsatisfied, since: task.held ?? attempt?.ended,
        "attempt \(attempt?.number ?? 1) ended\(why); the retry is delayed")
    }
    return lastHold(.backoff).map { Condition(.backoff, .satisfied, since: $0.ended, "the retry delay has passed") }
  }

  private var carrier: WhyAnswer.Condition? {
    guard let coalesced = task.coalesced, task.attempt == nil else { return nil }
    return Condition(.carrier, .unsatisfied, since: coalesced, "the task shares the transfer of another task and ends with it")
  }

  /// The condition that the running attempt waits for, such as the response of the server; `nil` when no attempt is running.
  private var server: WhyAnswer.Condition? {
    guard let attempt = task.attempt, attempt.ended == nil, let since = attempt.lastMovement, task.held == nil else { return nil }
    let host = attempt.redirects.origin?.hostText ?? task.hostText ?? "the server"
    let text =
      if attempt.responseReceived != nil || attempt.received > 0 {
        "receiving the body from \(host): \(attempt.received) bytes"
          + ((attempt.declaredLength ?? attempt.expected).map { " of \($0)" } ?? "")
      } else if isExcerpt, attempt.connectionAcquired == nil, attempt.requestSent == nil {
        "the transfer has begun, and the log does not show how far it has come"
      } else if attempt.connectionAcquired == nil, attempt.requestSent == nil {
        "a connection to \(host) is being made"
      } else if attempt.requestSent == nil {
        "the request to \(host) is being sent"
      } else {
        attempt.lastByteSent == nil
          ? "waiting for the response of \(host)" : "\(attempt.sent) bytes sent, waiting for the response of \(host)"
      }
    return Condition(.server, .unsatisfied, since: since, text)
  }
}
