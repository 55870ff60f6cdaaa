import XferEvents
import XferLifecycle
import XferReplay

extension World {
  func entities(of kind: StateDocument.Kind) -> [StateDocument.Entity] {
    switch kind {
    case .boots: boots.enumerated().map { entity($1, at: $0) }
    case .processes: processes.enumerated().map { entity($1, at: $0) }
    case .daemons: processes.indices.compactMap(daemon)
    case .conditions: conditionEntities
    case .sessions: sessions.enumerated().map { entity($1, at: $0) }
    case .tasks: tasks.indexes.map { entity(tasks[$0]) }
    case .deliveries: tasks.indexes.flatMap { deliveries(of: tasks[$0]) }
    case .files: tasks.indexes.compactMap { file(of: tasks[$0]) }
    case .wakes: wakes.map(entity)
    case .assertions: keepalives.enumerated().compactMap { assertion($1, at: $0) }
    case .alarms: keepalives.enumerated().compactMap { alarm($1, at: $0) }
    case .beats: keepalives.enumerated().compactMap { beat($1, at: $0) }
    case .handoffs: keepalives.enumerated().compactMap { handoff($1, at: $0) }
    case .intents: intents.indexes.map { entity(intents[$0], id: id(intents.place($0))) }
    case .uploads: uploads.indexes.map { entity(uploads[$0], id: id(uploads.place($0))) }
    case .triggers: triggers.enumerated().map { entity($1, at: $0) }
    case .gaps: gaps.enumerated().map { entity($1, at: $0) } + dropped
    }
  }

  // MARK: The machine

  private func entity(_ boot: BootLifecycle, at place: Int) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("boot", boot.boot.map { "\($0)" })
    fields.add("firstClocks", boot.firstSample?.fact)
    fields.add("lastClocks", boot.lastSample?.fact)
    fields.add("wall", boot.lastSample.map { .time($0.wall) })
    fields.add("sinceBoot", boot.lastSample?.boottime)
    fields.add("clockSteps", boot.steps.count)
    fields.add("lastStep", boot.steps.last?.size)
    let isOver = boots.indices.last != place
    return fields.entity(
      id: "\(place)", name: boot.boot.map { String("\($0)".prefix(8)) } ?? "boot", state: isOver ? "over" : "running",
      isOver: isOver)
  }

  private var conditionEntities: [StateDocument.Entity] {
    var found: [StateDocument.Entity] = []
    if let described = network.described {
      var fields = StateFields()
      fields.add("up", network.isUp)
      fields.add("since", network.changed)
      fields.add("cellular", network.isCellular)
      fields.add("expensive", network.isExpensive)
      fields.add("constrained", network.isConstrained)
      fields.add("described", described)
      found.append(fields.entity(id: "network", name: "network", state: network.isUp.map { $0 ? "up" : "down" } ?? "unknown"))
    }
    let charging = conditions.charging
    if charging != nil || conditions.battery != nil {
      var fields = StateFields()
      fields.add("charging", charging?.isOn)
      fields.add("since", charging?.changed)
      fields.add("battery", conditions.battery)
      found.append(
        fields.entity(id: "power", name: "power", state: charging.map { $0.isOn ? "charging" : "on battery" } ?? "unknown"))
    }
    if let lock = conditions.lock { found.append(entity("device", lock, "locked", "unlocked")) }
    for policy in conditions.policies { found.append(entity(policy.name.name, policy.state, "on", "off")) }
    if let disk = conditions.disk {
      var fields = StateFields()
      fields.add("free", bytes: disk.free)
      fields.add("openFiles", disk.openFiles)
      fields.add("sampled", disk.fact)
      found.append(fields.entity(id: "disk", name: "disk", state: "sampled"))
    }
    return found
  }

  private func entity(_ name: String, _ state: Switch, _ on: String, _ off: String) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("on", state.isOn)
    fields.add("since", state.changed)
    return fields.entity(id: name, name: name, state: state.isOn ? on : off)
  }

  private func entity(_ gap: LogGap, at place: Int) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("segment", gap.name)
    fields.add("lane", gap.lane)
    fields.add("records", gap.sequences?.count)
    fields.add("after", gap.after?.wall.map { .time($0) })
    fields.add("before", gap.before?.wall.map { .time($0) })
    return fields.entity(id: "\(place)", name: gap.name, state: gap.cause.name)
  }

  /// What writers counted because they could not write it.
  private var dropped: [StateDocument.Entity] {
    drops.sorted { $0.key < $1.key }.map { family, count in
      var fields = StateFields()
      fields.add("events", count)
      return fields.entity(id: "dropped \(family)", name: family, state: "not written")
    }
  }

  // MARK: Processes

  private func entity(_ process: ProcessLifecycle, at place: Int) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("launch", process.launch.map { "\($0)" })
    fields.add("role", process.role?.name)
    fields.add("boot", process.boot.map { String("\($0)".prefix(8)) })
    fields.add("appState", process.state?.name)
    fields.add("since", process.stateChanged)
    fields.add("started", process.started ?? process.firstSeen)
    fields.add("startReason", process.startReason?.name)
    fields.add("startedInBackground", process.startedInBackground)
    fields.add("version", process.version)
    fields.add("debugger", process.hasDebugger ? true : nil as Bool?)
    fields.add("terminationAnnounced", process.terminationAnnounced)
    fields.add("exited", process.exited)
    fields.add("exitObserved", process.exitObserved)
    fields.add("exitReason", process.exitReason?.name)
    fields.add("code", process.exitCode)
    fields.add("signal", process.exitSignal)
    fields.add("logClosed", process.logClosed)
    fields.add("linked", process.link.reconnected ?? process.link.connected)
    fields.add("linkDown", process.link.reconnected == nil ? process.link.disconnected : nil)
    fields.add("linkReason", process.link.reconnected == nil ? process.link.reason : nil)
    fields.add("liveSessions", process.sessions.live)
    fields.add("openTasks", tasks.indexes(ofProcess: place).count)
    fields.add("backgroundTime", process.assertions.isEmpty ? nil : process.assertions.count)
    fields.add("capabilities", process.capabilities)
    fields.add("earlierLife", label(ofProcess: process.earlierLife))
    fields.add("nextLife", label(ofProcess: process.nextLife))
    return fields.entity(
      id: "\(place)", name: process.label, state: process.standing, isOver: process.endFact != nil)
  }

  private func daemon(_ place: Int) -> StateDocument.Entity? {
    guard let daemon = processes[place].daemon else { return nil }
    var fields = StateFields()
    fields.add("generation", daemon.generation)
    fields.add("version", daemon.version)
    fields.add("started", daemon.started)
    fields.add("recovered", daemon.recovered)
    fields.add("recoveredTasks", daemon.recoveredCount)
    fields.add("unreadable", daemon.recovered == nil ? nil : daemon.unreadable)
    fields.add("listed", daemon.listed)
    fields.add("exited", daemon.exited)
    fields.add("tasks", tasks.indexes.count { tasks[$0].carrier == place && tasks[$0].forgotten == nil })
    let isOver = daemon.exited != nil || processes[place].endFact != nil
    return fields.entity(
      id: "\(place)", name: "generation \(daemon.generation.map(String.init) ?? "?")", state: isOver ? "over" : "running",
      isOver: isOver)
  }

  // MARK: Sessions and wakes

  private func entity(_ session: SessionLifecycle, at place: Int) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("kind", session.kind?.name)
    fields.add("process", label(ofProcess: session.process))
    fields.add("instance", session.instance.map { "\($0.rawValue)" })
    fields.add("created", session.created)
    fields.add("connectStarted", session.firstConnectTry)
    fields.add("connected", session.connected)
    fields.add("connectFailed", session.connectFailed)
    fields.add("reused", session.reused)
    fields.add("eventsFinished", session.eventsFinished)
    fields.add("tasksQueried", session.openQuery)
    fields.add("invalidationRequested", session.invalidationRequested)
    fields.add("invalidated", session.invalidated)
    fields.add("released", session.released)
    fields.add("requestTimeout", session.requestTimeout)
    fields.add("resourceTimeout", session.resourceTimeout)
    fields.add("timeoutOrigin", session.timeoutOrigin?.name)
    fields.add("discretionary", session.discretionary)
    fields.add("sendsLaunchEvents", session.sendsLaunchEvents)
    let isOver = session.invalidated != nil || session.released != nil || processes[session.process].endFact != nil
    return fields.entity(
      id: "\(place)", name: session.identifier, state: standing(of: session), isOver: isOver, session: session.identifier)
  }

  private func standing(of session: SessionLifecycle) -> String {
    if session.invalidated != nil { return "invalid" }
    if session.released != nil { return "released" }
    if processes[session.process].endFact != nil { return "gone with its process" }
    if session.invalidationRequested != nil { return "to be invalidated" }
    if session.connected != nil { return "connected" }
    if session.connectFailed != nil { return "not connected" }
    return session.firstConnectTry == nil ? "created" : "connecting"
  }

  private func entity(_ wake: WakeLifecycle) -> StateDocument.Entity {
    let process = wake.process ?? wake.launchedProcess
    var fields = StateFields()
    fields.add("process", label(ofProcess: process))
    fields.add("cause", wake.cause?.name)
    fields.add("pending", wake.pending)
    fields.add("wanted", wake.wanted)
    fields.add("held", wake.held)
    fields.add("hold", wake.hold?.name)
    fields.add("holdDelay", wake.holdDelay)
    fields.add("launched", wake.launched)
    fields.add("delivered", wake.delivered)
    fields.add("stored", wake.stored)
    fields.add("slot", wake.slot)
    fields.add("budget", wake.budget)
    fields.add("eventsFinished", wake.eventsFinished)
    fields.add("called", wake.called)
    fields.add("calls", wake.calls)
    fields.add("onMainThread", wake.calledOnMainThread)
    fields.add("deadlinePassed", wake.deadlinePassed)
    fields.add("released", wake.released)
    let isOver = wake.called != nil || wake.released != nil || process.map { processes[$0].endFact != nil } ?? false
    return fields.entity(
      id: "\(wake.handler.rawValue)", name: "handler \(wake.handler.rawValue)\(wake.session.map { " of \($0)" } ?? "")",
      state: standing(of: wake), isOver: isOver, session: wake.session)
  }

  private func standing(of wake: WakeLifecycle) -> String {
    if wake.called != nil { return wake.calls > 1 ? "handler called \(wake.calls) times" : "handler called" }
    if wake.released != nil { return "handler gone" }
    if wake.deadlinePassed != nil { return "out of time" }
    if wake.stored != nil { return "handler stored" }
    if wake.delivered != nil { return "delivered" }
    if wake.launched != nil { return wake.launchError == nil ? "launched" : "launch failed" }
    return wake.held != nil ? "held" : "wanted"
  }

  private func entity(_ trigger: TriggerLifecycle, at place: Int) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("process", label(ofProcess: trigger.process))
    fields.add("armed", trigger.armed)
    fields.add("fired", trigger.fired)
    return fields.entity(
      id: "\(place)", name: trigger.text.isEmpty ? "trigger \(trigger.id.rawValue)" : trigger.text,
      state: trigger.fired == nil ? "armed" : "fired", isOver: trigger.fired != nil)
  }
}
