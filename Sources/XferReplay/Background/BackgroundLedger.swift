import XferEvents
import XferLifecycle

/// Relates wakes, background sessions and their tasks to each other. Progress events, which are the most frequent, are not passed
/// to the ledger.
struct BackgroundLedger: Sendable {
  /// The last delivered wake of each session, by identifier.
  private var wakeOfSession: [String: Int] = [:]
  /// The wakes whose launched process has not written yet, by the identifier of the process life.
  private var wakeOfLaunch: [LaunchID: Int] = [:]
  /// The wakes whose launched process has not written yet, by process number. Used if the launch event does not identify the
  /// process life.
  private var wakeOfNumber: [ProcessNumber: Int] = [:]
  /// The wakes whose handler was called, until a later event shows that the call was too early or such an event becomes
  /// impossible.
  private var called: [Int] = []
  private var listed: Set<Int> = []
  private var limits = WakeLimits()
  /// The background sessions that appear for the first time and have no task yet, by process.
  private var idle: [Int: [Int]] = [:]

  /// The maximum age of a process when its daemon records its launch. An older process with the same number has ended unnoticed.
  private static let launchTime: Duration = .seconds(30)

  private struct ProcessNumber: Hashable {
    let boot: BootID?
    let pid: Int
  }

  /// Whether a task's callback may show that a wake's handler was called too early.
  var awaitsCallbacks: Bool { !called.isEmpty }

  // MARK: Processes

  mutating func noteProcess(_ process: Int, _ launch: LaunchID?, in world: inout World) {
    if wakeOfLaunch.isEmpty, wakeOfNumber.isEmpty { return }
    let known = world.processes[process]
    let number = known.pid.map { ProcessNumber(boot: known.boot, pid: $0) }
    let wake = launch.flatMap { wakeOfLaunch.removeValue(forKey: $0) } ?? number.flatMap { wakeOfNumber.removeValue(forKey: $0) }
    if let wake { world.wakes[wake].launchedProcess = process }
  }

  mutating func noteProcessEvent(_ kind: EventModel.Process, of process: Int, in world: World) {
    switch kind {
    case .processStateChanged where world.processes[process].state == .foreground:
      limits.forget(process, in: world)
    case .processExited, .processExitObserved: idle[process] = nil
    case .processStarted, .processStateChanged, .processTerminationAnnounced, .processAssertionTimedOut, .processLaunchFailed,
      .processWatchdogWithheld:
      return
    }
    // From now on, callbacks of the process do not show that its earlier handlers were called too early.
    called.removeAll { world.wakes[$0].process == process }
  }

  func noteAssertion(_ kind: EventModel.Assertion, _ event: EventView, of process: Int, in world: inout World) {
    guard let assertion = event.assertion else { return }
    switch kind {
    case .assertionBegun: world.changing(process: process).facts.assertions.insert(assertion)
    case .assertionOverdue: break
    case .assertionExpired, .assertionEnded: world.changing(process: process).facts.assertions.remove(assertion)
    }
  }

  // MARK: Sessions

  mutating func apply(session place: Int, _ event: EventView, _ fact: Fact, in world: inout World) {
    switch fact.kind {
    case .sessionCreated:
      guard world.sessions[place].kind == .background else { return }
      if world.sessions[place].created == fact {
        make(place, in: &world)
      } else if !world.sessions[place].isLetGo {
        // A session object cannot be created twice, so its writer does not distinguish session objects, and the event counts as a
        // reuse.
        world.sessions[changing: place].facts.reused = world.sessions[place].reused ?? fact
      }
      list(place, in: &world)
    case .sessionConnectStarted, .sessionConnected: list(place, in: &world)
    case .sessionEventsFinished:
      list(place, in: &world)
      finish(event, fact, in: &world)
    case .taskRejected:
      let session = world.sessions[place]
      noteRequest(fact, of: session.identifier, process: session.process, in: &world)
    default: break
    }
  }

  /// Notes that the app asked a session for a task. A second session object with the identifier stands for the first.
  private mutating func noteRequest(_ fact: Fact, of session: String, process: Int, in world: inout World) {
    for place in idle[process] ?? [] where world.sessions[place].identifier == session {
      world.sessions[changing: place].facts.surroundings.firstTask = fact
      idle[process]?.removeAll { $0 == place }
    }
  }

  private mutating func list(_ place: Int, in world: inout World) {
    if listed.insert(place).inserted { world.background.add(world.sessions[place], at: place) }
  }

  private mutating func make(_ place: Int, in world: inout World) {
    let session = world.sessions[place]
    var around = SessionLifecycle.Surroundings()
    around.earlier = world.background.places(of: session.identifier).last { world.sessions[$0].process != session.process }
    for other in world.background.places(ofProcess: session.process) where other != place {
      let known = world.sessions[other]
      guard known.identifier == session.identifier, let created = known.created else { continue }
      if known.invalidated == nil, known.released == nil { around.rival = .init(created: created) }
    }
    if let earlier = around.earlier {
      inherit(from: world.sessions[earlier], to: session, &around, in: world)
    } else if around.rival == nil, wakeOfSession[session.identifier] == nil {
      idle[session.process, default: []].append(place)
    }
    world.sessions[changing: place].facts.surroundings = around
  }

  private func inherit(
    from earlier: SessionLifecycle, to session: SessionLifecycle, _ around: inout SessionLifecycle.Surroundings, in world: World
  ) {
    let changed =
      if let old = earlier.settings, let new = session.settings {
        old.digest != new.digest || !old.differences(from: new).isEmpty
      } else { false }
    guard changed || earlier.sendsLaunchEvents == false else { return }
    for place in world.openTasks(ofSession: session.identifier) {
      let task = world.tasks[place]
      if task.isLive {
        if changed { around.inherited.append(task.identity) }
      } else if let end = task.wireEnd, task.completed == nil, task.completionDelivery?.entered == nil, task.forgotten == nil {
        around.endedCount += 1
        if around.ended.flatMap({ $0.duration(to: end) }) ?? .zero >= .zero { around.ended = end }
      }
    }
  }

  private mutating func finish(_ event: EventView, _ fact: Fact, in world: inout World) {
    guard let identifier = event.session else { return }
    if let handler = event.handler, let named = world.wakes.lastIndex(where: { $0.handler == handler }),
      let session = world.wakes[named].session
    {
      if session != identifier, world.wakes[named].called == nil {
        world.wakes[named].otherFinished = .init(identifier: identifier, finished: fact, isNamed: true)
      } else if session == identifier, world.wakes[named].delivered == nil {
        world.wakes[named].eventsFinished = fact
      }
    }
    guard let wake = wakeOfSession[identifier], world.wakes[wake].eventsFinished == nil else { return }
    world.wakes[wake].eventsFinished = fact
    if world.wakes[wake].called != nil { noteAfterCall(fact, of: wake, in: &world) }
  }

  /// Notes a step of a callback about a session.
  ///
  /// - Returns: the session's index; `nil` for a callback about a task, and for an unknown session.
  mutating func noteSessionCallback(
    _ kind: EventModel.Delivery, _ event: EventView, _ fact: Fact, process: Int, in world: inout World
  ) -> Int? {
    guard event.callback == .didBecomeInvalid else {
      return noteEndCallback(kind, event, fact, process: process, in: &world)
    }
    guard let identifier = event.session, let place = world.sessions.place(of: identifier, ofProcess: process),
      world.sessions[place].invalidated != nil
    else { return nil }
    world.sessions[changing: place].facts.apply(confirmation: kind, fact)
    return place
  }

  /// Notes a step of the callback `urlSessionDidFinishEvents`. A handler that the app called before this callback was sent was
  /// not called in response to it.
  ///
  /// - Returns: the session's index; `nil` for any other callback, and for an unknown session.
  private mutating func noteEndCallback(
    _ kind: EventModel.Delivery, _ event: EventView, _ fact: Fact, process: Int, in world: inout World
  ) -> Int? {
    guard event.callback == .didFinishEvents, let identifier = event.session,
      let place = world.placeOfBackgroundSession(identifier, ofProcess: process)
    else { return nil }
    world.sessions[changing: place].facts.apply(endCallback: kind, fact)
    guard kind == .deliverySent else { return place }
    for wake in called where world.wakes[wake].otherFinished.map({ $0.identifier == identifier && !$0.isNamed }) ?? false {
      world.wakes[wake].otherFinished = nil
    }
    return place
  }

  private mutating func noteAfterCall(_ fact: Fact, of wake: Int, in world: inout World) {
    world.wakes[wake].afterCall = world.wakes[wake].afterCall ?? fact
    called.removeAll { $0 == wake }
  }

  // MARK: Wakes

  mutating func apply(wake place: Int, _ event: EventView, _ fact: Fact, process: Int, in world: inout World) {
    switch fact.kind {
    case .wakeLaunched: launch(place, event, fact, by: process, in: &world)
    case .wakeDelivered where world.wakes[place].delivered == fact: deliver(place, fact, process: process, in: &world)
    case .wakeHandlerCalled where world.wakes[place].calls == 1: call(place, in: &world)
    default: break
    }
  }

  private mutating func launch(_ place: Int, _ event: EventView, _ fact: Fact, by writer: Int, in world: inout World) {
    if let launch = event.launch {
      if let known = world.processes.lastIndex(where: { $0.launch == launch && $0.firstSeen != nil }) {
        world.wakes[place].launchedProcess = known
      } else {
        wakeOfLaunch[launch] = place
      }
    } else if let pid = event.pid, event.osError == nil {
      launch(place, ProcessNumber(boot: world.processes[writer].boot, pid: pid), fact, in: &world)
    }
    limits.launch(event, fact, wake: place, in: &world)
  }

  private mutating func launch(_ place: Int, _ number: ProcessNumber, _ fact: Fact, in world: inout World) {
    // The launched process may have written events before the daemon recorded the launch. A process with the same number that
    // ended before the launch is another one.
    let known = world.processes.lastIndex { process in
      guard process.pid == number.pid, process.boot == number.boot, let seen = process.firstSeen else { return false }
      let age = seen.duration(to: fact) ?? .zero
      return age < .zero || process.endFact == nil && age < Self.launchTime
    }
    if let known { world.wakes[place].launchedProcess = known } else { wakeOfNumber[number] = place }
  }

  private mutating func deliver(_ place: Int, _ fact: Fact, process: Int, in world: inout World) {
    for other in world.background.wakes(ofProcess: process)
    where world.wakes[other].called == nil && world.wakes[other].next == nil {
      world.wakes[other].next = .init(wake: place, delivered: fact)
    }
    world.background.add(wake: place, toProcess: process)
    guard let session = world.wakes[place].session else { return }
    called.removeAll { world.wakes[$0].session == session }
    wakeOfSession[session] = place
    limits.wake(session)
    finishEarly(place, session, process: process, in: &world)
  }

  /// Notes that a session's callbacks were all delivered before the app received the wake, which happens if the main thread is
  /// busy.
  private func finishEarly(_ place: Int, _ session: String, process: Int, in world: inout World) {
    guard world.wakes[place].eventsFinished == nil,
      let finished = world.backgroundSession(session, ofProcess: process)?.eventsFinished
    else { return }
    let wanted = world.wakes[place].wanted.flatMap { $0.duration(to: finished) }
    if world.wakes[place].launchedProcess == process || wanted ?? .seconds(-1) >= .zero {
      world.wakes[place].eventsFinished = finished
    }
  }

  private mutating func call(_ place: Int, in world: inout World) {
    let wake = world.wakes[place]
    guard let process = wake.process, let identifier = wake.session, let delivered = wake.delivered else { return }
    var call = WakeLifecycle.Call()
    call.wasFinished = wake.eventsFinished != nil
    call.hadSession = world.backgroundSession(identifier, ofProcess: process) != nil
    call.hasMoreTime = !world.processes[process].assertions.isEmpty
    for index in world.openTasks(ofSession: identifier) {
      let task = world.tasks[index]
      guard Self.isOlder(task, than: delivered) else { continue }
      for case let callback? in [task.fileDelivery, task.completionDelivery] where callback.isRunning {
        call.running = call.running ?? callback.entered
      }
      call.work = call.work ?? task.appWork
    }
    world.wakes[place].atCall = call
    if wake.otherFinished == nil { world.wakes[place].otherFinished = otherFinished(wake, process: process, in: world) }
    called.append(place)
  }

  /// Returns the other session that was the last to report the end of its events since a wake was delivered and whose own handler
  /// has not been called.
  private func otherFinished(_ wake: WakeLifecycle, process: Int, in world: World) -> WakeLifecycle.OtherSession? {
    var found: WakeLifecycle.OtherSession?
    for place in world.background.places(ofProcess: process) {
      let session = world.sessions[place]
      guard session.identifier != wake.session, let finished = session.eventsFinished, session.finishQueued == nil,
        let delivered = wake.delivered, delivered.duration(to: finished) ?? .zero >= .zero
      else { continue }
      if let own = wakeOfSession[session.identifier], world.wakes[own].called != nil { continue }
      if found.flatMap({ $0.finished.duration(to: finished) }) ?? .zero >= .zero {
        found = .init(identifier: session.identifier, finished: finished, isNamed: false)
      }
    }
    return found
  }

  /// Whether a task is older than the wake. Tasks that the app creates later are not the reason for the wake.
  private static func isOlder(_ task: TaskLifecycle, than delivered: Fact) -> Bool {
    guard let created = task.created, let time = created.duration(to: delivered) else { return true }
    return time >= .zero
  }

  // MARK: Tasks

  /// Notes a completion or a file claim after the app has called the wake's handler.
  mutating func noteCallback(_ event: EventView, _ fact: Fact, of task: Int, process: Int, in world: inout World) {
    if fact.kind == .deliveryEntered, event.callback != .didComplete, event.callback != .didFinishDownloading { return }
    let session = world.tasks[task].identity.session
    guard let wake = called.first(where: { world.wakes[$0].session == session && world.wakes[$0].process == process }),
      let delivered = world.wakes[wake].delivered, Self.isOlder(world.tasks[task], than: delivered)
    else { return }
    noteAfterCall(fact, of: wake, in: &world)
  }

  mutating func noteMade(_ task: Int, _ fact: Fact, process: Int, in world: inout World) {
    guard let places = idle[process] else { return }
    let identity = world.tasks[task].identity
    for place in places {
      if world.sessions[place].identifier == identity.session {
        world.sessions[changing: place].facts.surroundings.firstTask = fact
        idle[process]!.removeAll { $0 == place }
      } else if fact.kind == .taskCreated, world.sessions[place].surroundings.aside == nil {
        guard let kind = world.sessionKind(of: world.tasks[task]), kind != .background else { continue }
        world.sessions[changing: place].facts.surroundings.aside = .init(
          task: identity, created: fact, type: world.tasks[task].type, kind: kind)
      }
    }
  }

  mutating func noteHeld(_ task: Int, _ event: EventView, _ fact: Fact, in world: inout World) {
    limits.hold(task, event, fact, in: &world)
  }

  mutating func noteStarted(_ task: Int, _ fact: Fact, in world: inout World) {
    guard world.tasks[task].origin == .background else { return }
    limits.start(task, fact, wake: wakeOfSession[world.tasks[task].identity.session], in: &world)
  }

  // MARK: The app's own code

  /// Notes a listener that was attached after a completion had been dropped because no listener was attached.
  ///
  /// - Returns: the index of the session; `nil` if no completion was dropped.
  func noteListener(_ event: EventView, _ fact: Fact, process: Int, in world: inout World) -> Int? {
    guard let identifier = event.session,
      let place = world.sessions.place(of: identifier, ofProcess: process)
    else { return nil }
    let dropped = world.openTasks(ofSession: identifier).compactMap { index -> Fact? in
      let task = world.tasks[index]
      return [task.fileDelivery, task.completionDelivery].lazy.compactMap { $0 }
        .first { $0.dropReason == .noConsumer && $0.entered == nil }?.dropped
    }
    guard let first = dropped.first, world.sessions[place].surroundings.lateListener == nil else { return nil }
    world.sessions[changing: place].facts.surroundings.lateListener = .init(attached: fact, dropped: first, count: dropped.count)
    return place
  }
}
