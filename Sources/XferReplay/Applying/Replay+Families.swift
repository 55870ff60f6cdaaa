import XferEvents
import XferLifecycle

/// Events that are not about a task, family by family.
extension Replay {
  mutating func applyLog(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    switch fact.kind {
    case .logHeartbeatWritten:
      world.changing(process: process).facts.work.note(event, fact)
      if world.processes[process].role == .daemon { return Change(fact: fact, subject: .process(process), process: process) }
    case .clockSampled: return applyClock(event, fact, process: process)
    case .logOpened, .logLevelsChanged:
      world.changing(process: process).facts.levels.note(event.levels, fact)
      world.changing(process: process).facts.log.apply(event, fact)
    case .logStalled:
      world.changing(process: process).facts.log.apply(event, fact)
      return Change(fact: fact, subject: .process(process), process: process)
    case .logClosed:
      _ = world.changing(process: process).facts.apply(event, fact)
      end(process, fact)
    case .logDropped:
      let (family, count, source) = (event.family ?? "?", max(0, event.count ?? 0), event.sourceIndex)
      world.drops[family] = world.drops[family, default: 0].addingClamped(count)
      counts.sources[source].dropped = counts.sources[source].dropped.addingClamped(count)
      world.changing(process: process).facts.log.apply(event, fact)
      world.touched.append(.process(process))
    default: break
    }
    return Change(fact: fact, subject: .log, process: process)
  }

  mutating func applyClock(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    let boot = world.processes[process].boot
    let place = world.boots.firstIndex { $0.boot == boot } ?? world.boots.count
    if place == world.boots.count { world.boots.append(BootLifecycle(boot: boot, process: process)) }
    world.boots[place].apply(event, fact, process: process)
    return Change(fact: fact, subject: .boot(place), process: process)
  }

  mutating func applyProcess(_ event: EventView, _ fact: Fact, process writer: Int) -> Change? {
    var place = writer
    if let launch = event.launch, launch != world.processes[writer].launch {
      place = processOfLaunch[launch] ?? append(ProcessFacts(launch: launch))
    } else if event.launch == nil, fact.kind == .processExitObserved, let pid = event.pid, pid != world.processes[writer].pid {
      // Whoever started a process knows its number alone, which another may have been given before.
      guard let known = world.processes.lastIndex(where: { $0.pid == pid && $0.boot == world.processes[writer].boot }) else {
        return leaveOut(event, fact, process: writer)
      }
      place = known
    }
    _ = world.changing(process: place).facts.apply(event, fact)
    switch fact.kind {
    case .processStarted:
      lives.begin(place, in: &world)
      if let wake = world.wakes.last(where: { $0.launchedProcess == place }), let cause = wake.launched,
        let writer = wake.wantedBy
      {
        noteSkew(cause: cause, by: writer, effect: fact, process: place)
      }
      intents.noteLife(place, in: &world)
      uploads.noteLife(place, in: &world)
    case .processStateChanged:
      if world.processes[place].state == .foreground { chains.forget(place, in: world) }
      keepalives.noteState(of: place, fact, in: &world)
      progress.noteState(of: place, fact, in: world)
    case .processExited, .processExitObserved: end(place, fact)
    default: break
    }
    background.noteProcessEvent(fact, of: place, in: world)
    return Change(fact: fact, subject: .process(place), process: writer)
  }

  /// Tasks that the process had open are over with it, unless a later life adopts them.
  mutating func end(_ process: Int, _ fact: Fact) {
    keepalives.noteState(of: process, fact, in: &world)
    for task in world.tasks.indexes(ofProcess: process) {
      guard world.tasks[task].completed == nil, world.tasks[task].processEnd == nil else { continue }
      world.tasks[changing: task].facts.processEnd = fact
      unfinished.leave(world.tasks[task])
    }
  }

  mutating func applySession(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let identifier = event.session else { return leaveOut(event, fact, process: process) }
    let key = SessionKey(process: process, identifier: identifier, instance: event.instance)
    let place: Int
    if let known = sessionOfInstance[key] {
      place = known
    } else {
      place = world.sessions.append(SessionFacts(identifier: identifier, instance: event.instance, process: process))
      sessionOfInstance[key] = place
    }
    apply(event, fact, session: place)
    background.apply(session: place, event, fact, in: &world)
    endings.apply(session: place, event, fact, in: &world)
    if fact.kind == .sessionTasksAnswered {
      intents.noteAnswer(event, fact, session: world.sessions[place], process: process, in: &world)
    }
    return Change(fact: fact, subject: .session(place), process: process)
  }

  mutating func apply(_ event: EventView, _ fact: Fact, session place: Int) {
    let (wasMade, wasLetGo) = (world.sessions[place].created != nil, world.sessions[place].isLetGo)
    _ = world.sessions[changing: place].facts.apply(event, fact)
    let session = world.sessions[place]
    // A background session has to live as long as its app, and the shared one cannot be let go.
    guard session.created != nil, session.kind != .background, session.kind != .shared else { return }
    if !wasMade { world.changing(process: session.process).facts.sessions.noteMade(fact, counted: event.liveSessions) }
    if session.isLetGo, !wasLetGo { world.changing(process: session.process).facts.sessions.noteLetGo() }
  }

  mutating func applyWake(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let handler = event.handler else { return leaveOut(event, fact, process: process) }
    let place: Int
    if let known = wakeOfHandler[handler] {
      place = known
    } else {
      place = world.wakes.count
      world.wakes.append(WakeLifecycle(handler: handler))
      wakeOfHandler[handler] = place
    }
    _ = world.wakes[place].apply(event, fact, process: process)
    if fact.kind == .wakeLaunched { world.wakes[place].protectionAtLaunch = world.conditions.lock }
    background.apply(wake: place, event, fact, process: process, in: &world)
    noteWake(place, fact)
    lives.explain(event, fact, process: process, in: &world)
    return Change(fact: fact, subject: .wake(place), process: process)
  }

  mutating func noteWake(_ place: Int, _ fact: Fact) {
    guard let session = world.wakes[place].session else { return }
    if fact.kind == .wakeDelivered, world.wakes[place].delivered == fact { chains.deliver(session, fact) }
    guard fact.kind == .wakeHandlerCalled, world.wakes[place].calls == 1 else { return }
    chains.call(session)
    guard world.wakes[place].cause == .challenge else { return }
    for task in world.openTasks(ofSession: session) where world.tasks[task].attempt?.challengeOpen != nil {
      world.tasks[changing: task].facts.join(challengeWake: .init(wanted: world.wakes[place].wanted, called: fact))
      world.touched.append(.task(task))
    }
  }

  mutating func applySecret(_ event: EventView, _ fact: Fact, process: Int) -> Change {
    world.changing(process: process).facts.noteSecret(event, fact)
    if world.processes[process].secrets != nil { world.lacksSecrets = true }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  mutating func applyDaemon(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    var daemon = world.processes[process].daemon ?? DaemonLife()
    daemon.apply(event, fact)
    world.changing(process: process).facts.daemon = daemon
    for identity in event.tasks ?? [] { list(identity, fact, process: process) }
    compareInventories(event, fact, process: process)
    if fact.kind == .daemonStarted { lives.beginGeneration(process, in: &world) }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  /// What was in one list of a generation's tasks has to be in the next, unless an event says why not.
  mutating func compareInventories(_ event: EventView, _ fact: Fact, process: Int) {
    guard let tasks = event.tasks, Int64(tasks.count) == event.count ?? Int64(tasks.count) else { return }
    if let before = world.processes[process].daemon?.inventoried {
      let now = Set(tasks.map(\.uid))
      let missing = (world.processes[process].daemon?.inventory ?? []).filter { !now.contains($0.uid) && isCarried($0) }
      if !missing.isEmpty {
        world.changing(process: process).facts.daemon?.vanished = .init(tasks: missing, before: before, after: fact)
      }
    }
    world.changing(process: process).facts.daemon?.inventory = tasks
    world.changing(process: process).facts.daemon?.inventoried = fact
  }

  func isCarried(_ identity: TaskIdentity) -> Bool {
    guard let place = taskOfUID[identity.uid], world.tasks.isCurrent(place) else { return false }
    let task = world.tasks[Int(place.index)]
    return task.completed == nil && task.acknowledged == nil && task.forgotten == nil && task.handedOff == nil
      && task.cancelRequested == nil
  }

  /// A task that the daemon says it has is one, though the log's beginning, where it was made, may be gone.
  mutating func list(_ identity: TaskIdentity, _ fact: Fact, process: Int) {
    guard taskOfUID[identity.uid] == nil else { return }
    let place = world.tasks.insert(identity, process: process)
    world.tasks[changing: Int(place.index)].facts.carrier = process
    world.tasks[changing: Int(place.index)].facts.listed = fact
    taskOfUID[identity.uid] = place
  }

  /// Whichever end tells of it, the link is the app's.
  mutating func applyLink(_ event: EventView, _ fact: Fact, process writer: Int) -> Change? {
    var place = writer
    if world.processes[writer].role == .daemon {
      guard let peer = event.peer else { return leaveOut(event, fact, process: writer) }
      place = processOfLaunch[peer] ?? append(ProcessFacts(launch: peer))
    }
    world.changing(process: place).facts.link.apply(event, fact)
    if fact.kind == .linkDisconnected { endings.noteLinkLost(place, fact, in: &world) }
    return Change(fact: fact, subject: .process(place), process: writer)
  }

  /// What a process holds, or is about.
  mutating func applySpan(_ event: EventView, _ fact: Fact, process: Int) -> Change {
    if fact.kind == .appLockTimedOut {
      // Whoever was stopped with it keeps it.
      for place in world.processes.indices where place != process && world.processes[place].isSuspended {
        guard let held = world.processes[place].spans.lockAtSuspension, held.lock.name == event.name else { continue }
        if world.processes[place].spans.lockMissed == nil { world.changing(process: place).facts.spans.lockMissed = fact }
        world.touched.append(.process(place))
      }
    } else {
      world.changing(process: process).facts.spans.apply(event, fact)
    }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  mutating func applyTrigger(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let id = event.trigger else { return leaveOut(event, fact, process: process) }
    // It stays armed when the life that armed it is over.
    let program = world.processes[process].executable
    let known = world.triggers.firstIndex { $0.id == id && world.processes[$0.process].executable == program }
    let place = known ?? world.triggers.count
    if place == world.triggers.count { world.triggers.append(TriggerLifecycle(id: id, process: process)) }
    world.triggers[place].apply(event, fact, process: process)
    lives.explain(event, fact, process: process, in: &world)
    return Change(fact: fact, subject: .process(process), process: process)
  }

  /// Tasks that were made under the other setting keep it.
  mutating func changeCellularData(_ allows: Bool, _ fact: Fact) {
    for task in world.tasks.indexes where world.tasks[task].created != nil && world.tasks[task].isLive {
      guard let allowed = world.tasks[task].allowsCellular ?? world.session(of: world.tasks[task])?.allowsCellular else {
        continue
      }
      guard allowed != allows else { continue }
      world.tasks[changing: task].facts.join(policy: .init(changed: fact, allows: allows))
      world.touched.append(.task(task))
    }
  }

  mutating func applySetting(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    let isCondition = world.conditions.apply(event, fact)
    switch fact.kind {
    case .appCapabilitiesRecorded: world.changing(process: process).facts.capabilities = event.capabilities
    case .diskSpaceSampled:
      let sample = DiskSample(event, fact)
      if world.processes[process].openFiles == nil {
        world.changing(process: process).facts.openFiles = OpenFiles(sample)
      } else {
        world.changing(process: process).facts.openFiles?.note(sample)
      }
    case .policyChanged:
      guard isCondition else { return leaveOut(event, fact, process: process) }
      if event.policy == .cellularData, let enabled = event.enabled { changeCellularData(enabled, fact) }
    default: break
    }
    return Change(fact: fact, subject: .log, process: process)
  }
}
