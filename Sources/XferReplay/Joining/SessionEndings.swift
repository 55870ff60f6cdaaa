import XferEvents
import XferLifecycle

/// Follows the tasks of sessions that are invalidated or released, and the callbacks of sessions whose delegate is not the one
/// that the caller passed.
struct SessionEndings: Sendable {
  /// The sessions whose invalidation waits for a task's end, or which were released while the task was running, by task.
  private var sessionsOfTask: [TaskUID: [Int]] = [:]
  /// The sessions whose invalidation was requested and not confirmed, by identifier.
  private var ending: [String: [Int]] = [:]
  /// The sessions that were returned to a caller with another delegate, by identifier.
  private var stale: [String: Int] = [:]

  /// The last session whose task query returned no tasks, by identifier.
  private var empty: [String: Int] = [:]
  /// The last session that reported the end of all events while tasks were running, by identifier.
  private var unfinished: [String: Int] = [:]
  /// The background sessions that exist in running processes, by identifier. A new session is compared with those of the same
  /// identifier.
  private var holding: [String: [Int]] = [:]

  var awaitsCallbacks: Bool { !stale.isEmpty }

  // MARK: Sessions

  mutating func apply(session place: Int, _ event: EventView, _ fact: Fact, in world: inout World) {
    let identifier = world.sessions[place].identifier
    switch fact.kind {
    case .sessionCreated:
      noteCreated(place, fact, in: &world)
    case .sessionReused:
      if world.sessions[place].stale != nil { stale[identifier] = place }
      reissue(place, fact, in: &world)
    case .sessionInvalidationRequested where world.sessions[place].invalidationRequested == fact:
      ending[identifier, default: []].append(place)
      let tasks = open(place, in: world)
      world.sessions[changing: place].facts.ending.running = tasks.filter { Self.isRunning(world.tasks[$0]) }.map {
        world.tasks[$0].identity
      }
      world.sessions[changing: place].facts.ending.awaited = tasks.count
      for task in tasks { sessionsOfTask[world.tasks[task].identity.uid, default: []].append(place) }
      if let open = world.sessions[place].unfinished, open.misread == nil, event.invalidation == .cancel, event.by != .user {
        world.sessions[changing: place].facts.unfinished?.misread = fact
      }
    case .sessionInvalidated:
      ending[identifier]?.removeAll { $0 == place }
      if ending[identifier]?.isEmpty ?? false { ending[identifier] = nil }
    case .sessionTasksAnswered where world.sessions[place].emptyAnswer?.answered == fact:
      noteEmpty(place, in: &world)
    case .sessionEventsFinished:
      let live = event.liveTasks ?? Int64(open(place, in: world).count { Self.isRunning(world.tasks[$0]) })
      world.sessions[changing: place].facts.unfinished = live > 0 ? .init(finished: fact, liveTasks: live) : nil
      unfinished[identifier] = live > 0 ? place : nil
    case .sessionReleased:
      let tasks = open(place, in: world).filter { Self.isRunning(world.tasks[$0]) }
      world.sessions[changing: place].facts.ending.abandoned = tasks.map { world.tasks[$0].identity }
      for task in tasks { sessionsOfTask[world.tasks[task].identity.uid, default: []].append(place) }
    default: break
    }
  }

  private mutating func noteCreated(_ place: Int, _ fact: Fact, in world: inout World) {
    let session = world.sessions[place]
    if session.created != fact { return reissue(place, fact, in: &world) }
    for other in ending[session.identifier] ?? [] where world.sessions[other].process == session.process {
      guard session.kind == .background, other != place, let requested = world.sessions[other].invalidationRequested else {
        continue
      }
      world.sessions[changing: place].facts.ending.reissued = .init(requested: requested, again: fact, isSame: false)
    }
    // From now on, tasks with this identifier belong to the new session object, so the ending one waits for no later task.
    ending[session.identifier]?.removeAll { world.sessions[$0].process == session.process }
    guard session.kind == .background else { return }
    holding[session.identifier, default: []].removeAll { Self.isOver(world.sessions[$0], in: world) }
    if let other = holding[session.identifier]?.last(where: { world.sessions[$0].process != session.process }) {
      let known = world.sessions[other]
      world.sessions[changing: place].facts.ending.holder = known.created.map { .init(process: known.process, created: $0) }
    }
    holding[session.identifier]?.append(place)
  }

  private static func isOver(_ session: SessionLifecycle, in world: World) -> Bool {
    session.released != nil || session.invalidated != nil || world.processes[session.process].endFact != nil
  }

  private func reissue(_ place: Int, _ fact: Fact, in world: inout World) {
    let session = world.sessions[place]
    guard let requested = session.invalidationRequested, session.invalidated == nil else { return }
    world.sessions[changing: place].facts.ending.reissued =
      session.ending.reissued ?? .init(requested: requested, again: fact, isSame: true)
  }

  /// Returns the indexes of a session's tasks that are neither completed, forgotten nor handed off.
  private func open(_ place: Int, in world: World) -> [Int] {
    let session = world.sessions[place]
    return world.openTasks(ofSession: session.identifier).filter {
      let task = world.tasks[$0]
      return (task.owner ?? task.process) == session.process && task.completed == nil && task.forgotten == nil
        && task.handedOff == nil
    }
  }

  private static func isRunning(_ task: TaskLifecycle) -> Bool { task.isLive && task.cancelRequested == nil }

  private mutating func noteEmpty(_ place: Int, in world: inout World) {
    guard world.sessions[place].kind == .background else { return }
    empty[world.sessions[place].identifier] = place
    let places = world.openTasks(ofSession: world.sessions[place].identifier)
    let known: TaskLifecycle? = places.first { Self.isOpen(world.tasks[$0]) && world.tasks[$0].resumed != nil }
      .map { world.tasks[$0] }
    guard let known, let fact = known.created ?? known.listed ?? known.resumed else { return }
    world.sessions[changing: place].facts.emptyAnswer?.known = .init(task: known.identity, fact: fact)
  }

  private static func isOpen(_ task: TaskLifecycle) -> Bool {
    task.completed == nil && task.forgotten == nil && task.handedOff == nil && task.cancelRequested == nil
  }

  /// Notes that a process lost its link to the daemon, which may mean that the daemon is overloaded.
  func noteLinkLost(_ process: Int, _ fact: Fact, in world: inout World) {
    for place in world.background.places(ofProcess: process) {
      world.sessions[changing: place].facts.strain(fact)
      world.touched.append(.session(place))
    }
  }

  // MARK: Tasks

  mutating func noteAdopted(_ task: Int, _ fact: Fact, process: Int, in world: inout World) {
    guard !empty.isEmpty, let place = empty[world.tasks[task].identity.session], world.sessions[place].process == process,
      let answered = world.sessions[place].emptyAnswer?.answered, world.sessions[place].emptyAnswer?.late == nil
    else { return }
    if let created = world.tasks[task].created, answered.duration(to: created) ?? .zero >= .zero { return }
    world.sessions[changing: place].facts.emptyAnswer?.late = .init(task: world.tasks[task].identity, fact: fact)
    world.touched.append(.session(place))
  }

  /// Notes an event that shows that the app no longer needs a running task: it discarded, cancelled or unbound the task, deleted
  /// the task's file, or recorded an outcome.
  func noteGivenUp(_ task: Int, _ event: EventView, _ fact: Fact, in world: inout World) {
    guard Self.isRunning(world.tasks[task]) else { return }
    if event.outcome == .discarded || event.outcome == .cancelled || fact.kind == .appIntentUnbound,
      world.tasks[task].oddities.unwanted == nil
    {
      world.tasks[changing: task].facts.remark(.orphaned) { $0.unwanted = fact }
    }
    guard !unfinished.isEmpty, let place = unfinished[world.tasks[task].identity.session],
      world.sessions[place].unfinished?.misread == nil
    else { return }
    world.sessions[changing: place].facts.unfinished?.misread = fact
    world.touched.append(.session(place))
  }

  /// Notes that the app has bound an intent to the task again.
  func noteWanted(_ task: Int, in world: inout World) {
    if world.tasks[task].oddities.unwanted != nil { world.tasks[changing: task].facts.remark([]) { $0.unwanted = nil } }
  }

  /// Notes a task that the daemon starts although no process has had the task's session for longer than `shortAbsence` and
  /// although the app was launched again in this time.
  func noteStarted(_ task: Int, _ fact: Fact, process: Int, in world: inout World) {
    guard !world.background.isEmpty, world.processes[process].role == .daemon, world.tasks[task].oddities.unowned == nil else {
      return
    }
    let places = world.background.places(of: world.tasks[task].identity.session)
    guard let last = places.last, let ended = world.processes[world.sessions[last].process].endFact,
      let time = ended.duration(to: fact), time > Self.shortAbsence,
      let next = world.lifeAfter(world.sessions[last].process), let lived = world.processes[next].firstSeen
    else { return }
    world.tasks[changing: task].facts.remark(.orphaned) { $0.unowned = .init(ended: ended, lived: lived, attempt: fact) }
  }

  /// The shortest absence of a session that any rule considers.
  private static let shortAbsence: Duration = .seconds(60)

  mutating func noteCreated(_ task: Int, _ fact: Fact, process: Int, in world: inout World) {
    guard !ending.isEmpty, let places = ending[world.tasks[task].identity.session] else { return }
    for place in places where world.sessions[place].process == process && world.sessions[place].ending.laterTask == nil {
      world.sessions[changing: place].facts.ending.laterTask = .init(task: world.tasks[task].identity, fact: fact)
      world.touched.append(.session(place))
    }
  }

  mutating func noteCompleted(_ task: Int, _ fact: Fact, in world: inout World) {
    noteStrain(task, fact, in: &world)
    guard !sessionsOfTask.isEmpty, let places = sessionsOfTask.removeValue(forKey: world.tasks[task].identity.uid) else { return }
    let end = SessionLifecycle.TaskEnd(task: world.tasks[task].identity, fact: fact)
    let isCancelled = world.tasks[task].result == .cancelled
    for place in places {
      let ending = world.sessions[place].ending
      if world.sessions[place].invalidationRequested != nil {
        world.sessions[changing: place].facts.ending.awaited -= 1
        if isCancelled, ending.interrupted == nil, ending.running.contains(where: { $0.uid == end.task.uid }) {
          world.sessions[changing: place].facts.ending.interrupted = end
          world.touched.append(.session(place))
        }
        if ending.awaited == 1 {
          world.sessions[changing: place].facts.ending.lastTaskEnded = fact
          world.touched.append(.session(place))
        }
      }
      let isLost = world.tasks[task].error.map { $0.domain == .url && $0.number == Self.wasDisconnected } ?? false
      if ending.failed == nil, isCancelled || isLost, ending.abandoned.contains(where: { $0.uid == end.task.uid }) {
        world.sessions[changing: place].facts.ending.failed = end
        world.touched.append(.session(place))
      }
    }
  }

  /// Notes a task that failed because its session lost the connection to the daemon or the system lacked resources.
  private func noteStrain(_ task: Int, _ fact: Fact, in world: inout World) {
    guard !world.background.isEmpty, let error = world.tasks[task].error,
      error.domain == .url && error.number == Self.wasDisconnected || world.tasks[task].cancelReason == .insufficientResources,
      let place = world.background.places(of: world.tasks[task].identity.session).last
    else { return }
    world.sessions[changing: place].facts.strain(fact)
    // The session's rules are evaluated only at the 1st, 2nd, 4th, 8th … failure. Each evaluation takes time in proportion to the
    // number of tasks, and the tasks of a session usually fail together.
    if world.sessions[place].strains.nonzeroBitCount == 1 { world.touched.append(.session(place)) }
  }

  /// NSURLErrorBackgroundSessionWasDisconnected.
  private static let wasDisconnected = -997

  mutating func forget(_ task: TaskUID) { if !sessionsOfTask.isEmpty { sessionsOfTask[task] = nil } }

  // MARK: Callbacks

  func noteCallback(_ event: EventView, _ fact: Fact, session identifier: String?, in world: inout World) {
    guard let identifier, let place = stale[identifier], world.sessions[place].stale?.called == nil else { return }
    world.sessions[changing: place].facts.call(event.delegate, fact)
    world.touched.append(.session(place))
  }

  /// Notes a callback whose event names the object that received it. Nearly all logs leave the object out.
  func noteReceiver(_ event: EventView, _ fact: Fact, session identifier: String?, process: Int, in world: inout World) {
    guard let identifier, stale[identifier] == nil, let place = world.sessions.place(of: identifier, ofProcess: process),
      world.sessions[place].otherCalled == nil
    else { return }
    world.sessions[changing: place].facts.call(event.delegate, fact)
    world.touched.append(.session(place))
  }

  func noteDropped(_ event: EventView, _ fact: Fact, session identifier: String?, process: Int, in world: inout World) {
    guard event.why == .delegateGone, let identifier,
      let place = world.sessions.place(of: identifier, ofProcess: process)
    else { return }
    world.sessions[changing: place].facts.ending.delegateGone = world.sessions[place].ending.delegateGone ?? fact
    world.sessions[changing: place].facts.ending.undelivered += 1
    world.touched.append(.session(place))
  }
}
