import XferEvents
import XferLifecycle
import XferReplay

extension World {
  private typealias Kind = StateDocument.Kind

  /// Returns an entity with its declared fields.
  func entity<Subject>(
    _ fields: StateFields<Subject>, _ subject: Subject, id: String, name: String, state: String, isOver: Bool = false,
    session: String? = nil, tasks: [TaskIdentity] = []
  ) -> StateDocument.Entity {
    .init(
      id: id, name: name, state: state, isOver: isOver, session: session, tasks: tasks,
      fields: fields.values(of: subject, in: self))
  }

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
    let isOver = boots.indices.last != place
    return entity(
      Kind.bootFields, boot, id: "\(place)", name: boot.boot.map { String("\($0)".prefix(8)) } ?? "boot",
      state: isOver ? "ended" : "running",
      isOver: isOver)
  }

  private var conditionEntities: [StateDocument.Entity] {
    var found: [StateDocument.Entity] = []
    if network.described != nil {
      found.append(
        entity(
          Kind.networkFields, network, id: "network", name: "network", state: network.isUp.map { $0 ? "up" : "down" } ?? "unknown"
        ))
    }
    let charging = conditions.charging
    if charging != nil || conditions.battery != nil {
      found.append(
        entity(
          Kind.powerFields, conditions, id: "power", name: "power",
          state: charging.map { $0.isOn ? "charging" : "on battery" } ?? "unknown"))
    }
    if let lock = conditions.lock { found.append(entity("device", lock, "locked", "unlocked")) }
    for policy in conditions.policies { found.append(entity(policy.name.name, policy.state, "on", "off")) }
    if let disk = conditions.disk {
      found.append(entity(Kind.diskFields, disk, id: "disk", name: "disk", state: "sampled"))
    }
    return found
  }

  private func entity(_ name: String, _ state: Switch, _ on: String, _ off: String) -> StateDocument.Entity {
    entity(Kind.switchFields, state, id: name, name: name, state: state.isOn ? on : off)
  }

  private func entity(_ gap: LogGap, at place: Int) -> StateDocument.Entity {
    entity(Kind.gapFields, gap, id: "\(place)", name: gap.name, state: gap.cause.name)
  }

  /// The events that writers could not write, by family.
  private var dropped: [StateDocument.Entity] {
    drops.sorted { $0.key < $1.key }.map { family, count in
      entity(Kind.dropFields, count, id: "dropped \(family)", name: family, state: "not written")
    }
  }

  // MARK: Processes

  private func entity(_ process: ProcessLifecycle, at place: Int) -> StateDocument.Entity {
    entity(
      Kind.processFields, (process, place), id: "\(place)", name: process.label, state: process.standing,
      isOver: process.endFact != nil)
  }

  private func daemon(_ place: Int) -> StateDocument.Entity? {
    guard let daemon = processes[place].daemon else { return nil }
    let isOver = daemon.exited != nil || processes[place].endFact != nil
    return entity(
      Kind.daemonFields, (daemon, place), id: "\(place)", name: "generation \(daemon.generation.map(String.init) ?? "?")",
      state: isOver ? "ended" : "running",
      isOver: isOver)
  }

  // MARK: Sessions and wakes

  private func entity(_ session: SessionLifecycle, at place: Int) -> StateDocument.Entity {
    let isOver = session.invalidated != nil || session.released != nil || processes[session.process].endFact != nil
    return entity(
      Kind.sessionFields, session, id: "\(place)", name: session.identifier, state: standing(of: session), isOver: isOver,
      session: session.identifier)
  }

  private func standing(of session: SessionLifecycle) -> String {
    if session.invalidated != nil { return "invalid" }
    if session.released != nil { return "released" }
    if processes[session.process].endFact != nil { return "ended with its process" }
    if session.invalidationRequested != nil { return "invalidation requested" }
    if session.connected != nil { return "connected" }
    if session.connectFailed != nil { return "not connected" }
    return session.firstConnectTry == nil ? "created" : "connecting"
  }

  private func entity(_ wake: WakeLifecycle) -> StateDocument.Entity {
    let process = wake.process ?? wake.launchedProcess
    let isOver = wake.called != nil || wake.released != nil || process.map { processes[$0].endFact != nil } ?? false
    return entity(
      Kind.wakeFields, wake, id: "\(wake.handler.rawValue)",
      name: "handler \(wake.handler.rawValue)\(wake.session.map { " of \($0)" } ?? "")",
      state: standing(of: wake), isOver: isOver, session: wake.session)
  }

  private func standing(of wake: WakeLifecycle) -> String {
    if wake.called != nil { return wake.calls > 1 ? "handler called \(wake.calls) times" : "handler called" }
    if wake.released != nil { return "handler released" }
    if wake.deadlinePassed != nil { return "deadline passed" }
    if wake.stored != nil { return "handler stored" }
    if wake.delivered != nil { return "delivered" }
    if wake.launched != nil { return wake.launchError == nil ? "launched" : "launch failed" }
    return wake.held != nil ? "held" : "wanted"
  }

  private func entity(_ trigger: TriggerLifecycle, at place: Int) -> StateDocument.Entity {
    entity(
      Kind.triggerFields, trigger, id: "\(place)", name: trigger.text.isEmpty ? "trigger \(trigger.id.rawValue)" : trigger.text,
      state: trigger.fired == nil ? "armed" : "fired", isOver: trigger.fired != nil)
  }
}
