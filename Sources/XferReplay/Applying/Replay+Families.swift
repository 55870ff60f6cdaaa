import XferEvents
import XferLifecycle

/// Events that name no task, model by model.
extension Replay {
  mutating func apply(_ kind: EventModel.Log, _ event: EventView, _ fact: Fact, process: Int) -> Change? {
    switch kind {
    case .logHeartbeatWritten:
      world.changing(process: process).facts.work.note(event, fact)
      if world.processes[process].role == .daemon { return Change(fact: fact, subject: .process(process), process: process) }
    case .logOpened, .logLevelsChanged:
      world.changing(process: process).facts.levels.note(event.levels, fact)
      world.changing(process: process).facts.log.apply(event, fact)
    case .logStalled:
      world.changing(process: process).facts.log.apply(event, fact)
      return Change(fact: fact, subject: .process(process), process: process)
    case .logClosed:
      world.changing(process: process).facts.logClosed = fact
      end(process, fact)
    case .logDropped:
      let (family, count, source) = (event.family ?? "?", max(0, event.count ?? 0), event.sourceIndex)
      world.drops[family] = world.drops[family, default: 0].addingClamped(count)
      counts.sources[source].dropped = counts.sources[source].dropped.addingClamped(count)
      world.changing(process: process).facts.log.apply(event, fact)
      world.touched.append(.process(process))
    case .logLevelsIgnored: return Change(fact: fact, subject: .process(process), process: process)
    case .logSegmentsRemoved: if let until = event.until { world.mentions.noteRemoved(until: until) }
    // The replay derives nothing from these events.
    case .logRotated, .logSyncFailed: break
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

  mutating func apply(_ kind: EventModel.Process, _ event: EventView, _ fact: Fact, process writer: Int) -> Change? {
    var place = writer
    if let launch = event.launch, launch != world.processes[writer].launch {
      world.mentions.note(launch, isDaemon: false, event, fact)
      place = processOfLaunch[launch] ?? append(ProcessFacts(launch: launch))
    } else if event.launch == nil, kind == .processExitObserved, let pid = event.pid, pid != world.processes[writer].pid {
      // A parent may know only the process id of the process that ended. An earlier process may have had the same id, so the last
      // process with this id is meant.
      if let known = world.processes.lastIndex(where: { $0.pid == pid && $0.boot == world.processes[writer].boot }) {
        place = known
      } else if let launch = world.wakes.last(where: { $0.launchedPID == pid && $0.wantedBy == writer })?.launchedLaunch {
        // A daemon launched the process, which ended before it wrote a log.
        place = processOfLaunch[launch] ?? append(ProcessFacts(launch: launch))
      } else {
        return noteUnmodelled(event, fact, process: writer)
      }
    }
    world.changing(process: place).facts.apply(kind, event, fact)
    switch kind {
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
    case .processTerminationAnnounced, .processAssertionTimedOut, .processLaunchFailed, .processWatchdogWithheld: break
    }
    background.noteProcessEvent(kind, of: place, in: world)
    return Change(fact: fact, subject: .process(place), process: writer)
  }

  /// Notes the end of a process. Its open tasks end with it unless a later life adopts them.
  mutating func end(_ process: Int, _ fact: Fact) {
    keepalives.noteState(of: process, fact, in: &world)
    for task in world.tasks.indexes(ofProcess: process) {
      guard world.tasks[task].completed == nil, world.tasks[task].processEnd == nil else { continue }
      world.tasks[changing: task].facts.processEnd = fact
      unfinished.leave(world.tasks[task])
    }
  }

  mutating func apply(_ kind: EventModel.Session, _ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let identifier = event.session else { return noteUnmodelled(event, fact, process: process) }
    let key = SessionKey(process: process, identifier: identifier, instance: event.instance)
    let place: Int
    if let known = sessionOfInstance[key] {
      place = known
    } else {
      place = world.sessions.append(SessionFacts(identifier: identifier, instance: event.instance, process: process))
      sessionOfInstance[key] = place
    }
    apply(kind, event, fact, session: place)
    background.apply(session: place, event, fact, in: &world)
    endings.apply(session: place, event, fact, in: &world)
    if kind == .sessionTasksAnswered {
      intents.noteAnswer(event, fact, session: world.sessions[place], process: process, in: &world)
    }
    return Change(fact: fact, subject: .session(place), process: process)
  }

  private mutating func apply(_ kind: EventModel.Session, _ event: EventView, _ fact: Fact, session place: Int) {
    let (wasMade, wasLetGo) = (world.sessions[place].created != nil, world.sessions[place].isLetGo)
    world.sessions[changing: place].facts.apply(kind, event, fact)
    let session = world.sessions[place]
    // Background sessions live as long as their app, and the shared session cannot be released, so neither can leak.
    guard session.created != nil, session.kind != .background, session.kind != .shared else { return }
    if !wasMade { world.changing(process: session.process).facts.sessions.noteMade(fact, counted: event.liveSessions) }
    if session.isLetGo, !wasLetGo { world.changing(process: session.process).facts.sessions.noteLetGo() }
  }

  mutating func apply(_ kind: EventModel.Wake, _ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let handler = event.handler else { return noteUnmodelled(event, fact, process: process) }
    let place: Int
    if let known = wakeOfHandler[handler] {
      place = known
    } else {
      place = world.wakes.count
      world.wakes.append(WakeLifecycle(handler: handler))
      wakeOfHandler[handler] = place
    }
    world.wakes[place].apply(kind, event, fact, process: process)
    if kind == .wakeLaunched { world.wakes[place].protectionAtLaunch = world.conditions.lock }
    if kind == .wakeDeadlinePassed, let woken = world.wakes[place].process.map({ world.processes[$0] }) {
      world.wakes[place].hadMoreTime = woken.state == .foreground || !woken.assertions.isEmpty
    }
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

  mutating func apply(_ kind: EventModel.Secret, _ event: EventView, _ fact: Fact, process: Int) -> Change {
    world.changing(process: process).facts.apply(kind, event, fact)
    if world.processes[process].secrets != nil { world.lacksSecrets = true }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  mutating func apply(_ kind: EventModel.Daemon, _ event: EventView, _ fact: Fact, process: Int) -> Change? {
    var daemon = world.processes[process].daemon ?? DaemonLife()
    daemon.apply(kind, event, fact)
    world.changing(process: process).facts.daemon = daemon
    for identity in event.tasks ?? [] { list(identity, fact, process: process) }
    compareInventories(event, fact, process: process)
    if kind == .daemonStarted { lives.beginGeneration(process, in: &world) }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  /// Compares the daemon's list of tasks with its previous list, and notes the tasks that have disappeared although no event
  /// ended them.
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

  /// Adds a task that the daemon lists, in case its creation is missing from the log.
  mutating func list(_ identity: TaskIdentity, _ fact: Fact, process: Int) {
    guard taskOfUID[identity.uid] == nil else { return }
    let place = world.tasks.insert(identity, process: process)
    world.tasks[changing: Int(place.index)].facts.carrier = process
    world.tasks[changing: Int(place.index)].facts.listed = fact
    taskOfUID[identity.uid] = place
  }

  /// Applies an event about the connection between an app and the daemon to the app's process life, even if the daemon wrote the
  /// event.
  mutating func apply(_ kind: EventModel.Link, _ event: EventView, _ fact: Fact, process writer: Int) -> Change? {
    var place = writer
    let isDaemon = world.processes[writer].role == .daemon
    if let peer = event.peer { world.mentions.note(peer, isDaemon: !isDaemon, event, fact) }
    if isDaemon {
      guard let peer = event.peer else { return noteUnmodelled(event, fact, process: writer) }
      place = processOfLaunch[peer] ?? append(ProcessFacts(launch: peer))
    }
    world.changing(process: place).facts.link.apply(kind, event, fact)
    if kind == .linkDisconnected { endings.noteLinkLost(place, fact, in: &world) }
    return Change(fact: fact, subject: .process(place), process: writer)
  }

  /// Applies an event about the work and the locks of a process.
  mutating func apply(_ kind: EventModel.Work, _ event: EventView, _ fact: Fact, process: Int) -> Change {
    if kind == .appLockTimedOut {
      // A suspended process that holds the lock prevents the writer from acquiring it, so the timeout is noted with the suspended
      // process.
      for place in world.processes.indices where place != process && world.processes[place].isSuspended {
        guard let held = world.processes[place].spans.lockAtSuspension, held.lock.name == event.name else { continue }
        if world.processes[place].spans.lockMissed == nil { world.changing(process: place).facts.spans.lockMissed = fact }
        world.touched.append(.process(place))
      }
    } else {
      world.changing(process: process).facts.spans.apply(kind, event, fact)
    }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  mutating func apply(_ kind: EventModel.Trigger, _ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let id = event.trigger else { return noteUnmodelled(event, fact, process: process) }
    // A trigger stays armed after the process life that armed it has ended, so all lives of the program share its triggers.
    let program = world.processes[process].executable
    let known = world.triggers.firstIndex { $0.id == id && world.processes[$0.process].executable == program }
    let place = known ?? world.triggers.count
    if place == world.triggers.count { world.triggers.append(TriggerLifecycle(id: id, process: process)) }
    world.triggers[place].apply(kind, event, fact, process: process)
    lives.explain(event, fact, process: process, in: &world)
    return Change(fact: fact, subject: .process(process), process: process)
  }

  /// Notes a change of the cellular data policy for running tasks, which keep the policy that they were created with.
  mutating func changeCellularData(_ allows: Bool, _ fact: Fact) {
    for task in world.tasks.indexes where world.tasks[task].created != nil && world.tasks[task].isLive {
      guard let allowed = world.tasks[task].allowsCellular ?? world.session(of: world.tasks[task])?.allowsCellular else {
        continue
      }
      if allowed == allows {
        // The user has returned to the policy that the task was created with, so the change no longer concerns the task.
        guard world.tasks[task].incidents.policyChange != nil else { continue }
        world.tasks[changing: task].facts.join(policy: nil)
      } else {
        world.tasks[changing: task].facts.join(policy: .init(changed: fact, allows: allows))
      }
      world.touched.append(.task(task))
    }
  }

  mutating func apply(_ kind: EventModel.Storage, _ event: EventView, _ fact: Fact, process: Int) -> Change {
    switch kind {
    case .diskOpenFailed:
      noteLostPath(event, fact, task: nil, process: process)
      if world.processes[process].coverage != nil {
        world.changing(process: process).facts.noteUnreadable(event, fact)
        world.touched.append(.process(process))
      }
    case .diskLeftOverFound: noteLeftOver(event, fact, process: process)
    }
    return Change(fact: fact, subject: .log, process: process)
  }

  mutating func apply(_ kind: EventModel.Condition, _ event: EventView, _ fact: Fact, process: Int) -> Change? {
    let isCondition = world.conditions.apply(kind, event, fact)
    switch kind {
    case .appCapabilitiesRecorded: world.changing(process: process).facts.capabilities = event.capabilities
    case .diskSpaceSampled:
      let sample = DiskSample(event, fact)
      if world.processes[process].openFiles == nil {
        world.changing(process: process).facts.openFiles = OpenFiles(sample)
      } else {
        world.changing(process: process).facts.openFiles?.note(sample)
      }
    case .policyChanged:
      guard isCondition else { return noteUnmodelled(event, fact, process: process) }
      if event.policy == .cellularData, let enabled = event.enabled { changeCellularData(enabled, fact) }
    case .powerChanged, .protectionEnabled, .protectionDisabled: break
    }
    return Change(fact: fact, subject: .log, process: process)
  }
}
