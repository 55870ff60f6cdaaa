import XferEvents
import XferLifecycle

/// Finds the keepalive of an event, and relates keepalives to each other and to tasks.
///
/// Most logs have no keepalives, so frequent events about tasks reach this table only after a cheap check.
struct KeepaliveTable: Sendable {
  private struct Key: Hashable {
    let process: Int
    let id: CorrelationID
  }

  private struct Name: Hashable {
    let process: Int
    let name: String
  }

  private var assertions: [Key: Int] = [:]
  /// The open assertions that were stored in one variable, oldest first.
  private var slots: [Name: [Int]] = [:]
  /// The last expiration of background time, by process.
  private var expired: [Int: Fact] = [:]
  private var alarms: [Key: Int] = [:]
  /// The last armed alarm with each identifier. Needed because another process may report that the alarm fired.
  private var lastAlarms: [CorrelationID: Int] = [:]
  private var beats: [Name: Int] = [:]
  /// The handoffs, by both of their tasks.
  private var handoffs: [TaskUID: Int] = [:]
  /// The handoffs whose second task is unknown, by process.
  private var waiting: [Int: [Int]] = [:]

  /// The maximum time between the expiration of background time and a cancellation that counts as its consequence.
  private static let handoffTime: Duration = .seconds(30)

  // MARK: Assertions, alarms and beats

  // Each function returns the index of the keepalive that the event is about; `nil` if the event does not identify it.

  mutating func apply(
    _ kind: EventModel.Assertion, _ event: EventView, _ fact: Fact, process: Int, in world: inout World
  ) -> Int? {
    guard let id = event.assertion else { return nil }
    let key = Key(process: process, id: id)
    var place = assertions[key]
    // An identifier that is reused after the assertion has ended denotes a new assertion.
    if let known = place, kind == .assertionBegun, case .assertion(let earlier) = world.keepalives[known],
      earlier.begun != nil, !earlier.isOpen
    {
      place = nil
    }
    if place == nil {
      place = world.keepalives.count
      world.keepalives.append(.assertion(AssertionLifecycle(id: id, process: process)))
      assertions[key] = place
    }
    let found = place!
    guard case .assertion(var assertion) = world.keepalives[found] else { return nil }
    assertion.apply(kind, event, fact)
    world.keepalives[found] = .assertion(assertion)
    if kind == .assertionExpired { expired[process] = fact }
    if let slot = assertion.slot { noteSlot(Name(process: process, name: slot), found, kind, fact, in: &world) }
    return found
  }

  private mutating func noteSlot(
    _ slot: Name, _ place: Int, _ kind: EventModel.Assertion, _ fact: Fact, in world: inout World
  ) {
    guard kind != .assertionExpired else { return }
    let isBeginning = kind == .assertionBegun
    for other in slots[slot] ?? [] where other < place {
      guard case .assertion(var assertion) = world.keepalives[other] else { continue }
      if isBeginning { assertion.overwrite(fact) } else { assertion.endLater(fact) }
      world.keepalives[other] = .assertion(assertion)
      world.touched.append(.keepalive(other))
    }
    if isBeginning { slots[slot, default: []].append(place) } else { slots[slot]?.removeAll { $0 == place } }
  }

  mutating func apply(_ kind: EventModel.Alarm, _ event: EventView, _ fact: Fact, process: Int, in world: inout World) -> Int? {
    guard let id = event.deadman else { return nil }
    let key = Key(process: process, id: id)
    let own = alarms[key]
    var place = own ?? (kind == .deadmanArmed ? nil : lastAlarms[id])
    if let known = place, case .alarm(var alarm) = world.keepalives[known], alarm.fired != nil, kind == .deadmanArmed {
      // After the alarm has fired, arming it again creates a new alarm.
      alarm.apply(kind, event, fact, isOwn: true)
      world.keepalives[known] = .alarm(alarm)
      world.touched.append(.keepalive(known))
      place = nil
    }
    if place == nil {
      place = world.keepalives.count
      world.keepalives.append(.alarm(AlarmLifecycle(id: id, process: process)))
      alarms[key] = place
    }
    let found = place!
    if kind == .deadmanArmed { lastAlarms[id] = found }
    guard case .alarm(var alarm) = world.keepalives[found] else { return nil }
    alarm.apply(kind, event, fact, isOwn: alarm.process == process)
    world.keepalives[found] = .alarm(alarm)
    return found
  }

  mutating func apply(_ kind: EventModel.Beat, _ event: EventView, _ fact: Fact, process: Int, in world: inout World) -> Int? {
    guard let name = event.name else { return nil }
    let key = Name(process: process, name: name)
    let place = beats[key] ?? world.keepalives.count
    if beats[key] == nil {
      world.keepalives.append(.beat(BeatLifecycle(name: name, process: process)))
      beats[key] = place
    }
    guard case .beat(var beat) = world.keepalives[place] else { return nil }
    beat.apply(kind, event, fact, in: world.processes[process])
    world.keepalives[place] = .beat(beat)
    return place
  }

  // MARK: Handoffs

  /// Notes a task that was created or bound to an intent, and that may continue another task.
  mutating func begin(_ task: Int, _ fact: Fact, in world: inout World) {
    let lifecycle = world.tasks[task]
    let (process, uid) = (lifecycle.process, lifecycle.identity.uid)
    guard handoffs[uid].map({ isWaiting($0, in: world) }) ?? true, let created = lifecycle.created else { return }
    let known =
      handoffs[uid]
      ?? waiting[process]?.first { place in
        if case .handoff(let handoff) = world.keepalives[place] { handoff.concerns(lifecycle) } else { false }
      }
    guard known != nil || hasAssertions(process, in: world) else { return }
    guard world.mayOutliveProcess(lifecycle) else { return }
    guard let place = known ?? running(for: lifecycle, in: &world) else { return }
    change(place, by: fact, in: &world) { $0.begin(lifecycle, created) }
    handoffs[uid] = place
    waiting[process]?.removeAll { $0 == place }
  }

  private func isWaiting(_ place: Int, in world: World) -> Bool {
    if case .handoff(let handoff) = world.keepalives[place] { handoff.successorCreated == nil } else { false }
  }

  private func hasAssertions(_ process: Int, in world: World) -> Bool {
    world.keepalives.contains { if case .assertion(let assertion) = $0 { assertion.process == process } else { false } }
  }

  /// Adds a handoff to `task` from a running task for the same intent or content whose session ends with the process.
  ///
  /// - Returns: the index of the handoff; `nil` if no task for the same intent or content is running.
  private mutating func running(for task: TaskLifecycle, in world: inout World) -> Int? {
    for place in world.tasksOnWire(ofProcess: task.process) {
      let first = world.tasks[place]
      guard first.isLive, first.cancelRequested == nil, handoffs[first.identity.uid] == nil, !world.mayOutliveProcess(first)
      else { continue }
      let handoff = HandoffLifecycle(of: first, process: first.process)
      if handoff.concerns(task) { return add(handoff, in: &world) }
    }
    return nil
  }

  private mutating func add(_ handoff: HandoffLifecycle, in world: inout World) -> Int {
    let place = world.keepalives.count
    world.keepalives.append(.handoff(handoff))
    handoffs[handoff.first.uid] = place
    waiting[handoff.process, default: []].append(place)
    return place
  }

  /// Notes that a task was completed or its cancellation requested.
  mutating func end(_ task: Int, _ fact: Fact, in world: inout World) {
    if fact.kind == .taskCancelRequested { cancel(world.tasks[task], fact, in: &world) }
    note(task, fact, in: &world)
  }

  private mutating func cancel(_ task: TaskLifecycle, _ fact: Fact, in world: inout World) {
    guard task.cancelRequested == fact, task.cancelledBy == .app, let expired = expired[task.process],
      let time = expired.duration(to: fact), time >= .zero, time <= Self.handoffTime, task.wireEnd == nil,
      !world.mayOutliveProcess(task)
    else { return }
    let place = handoffs[task.identity.uid] ?? add(HandoffLifecycle(of: task, process: task.process), in: &world)
    change(place, by: fact, in: &world) { $0.cancel(fact, after: expired) }
  }

  /// Notes that `successor` continues a task. If both tasks belong to the same session, this is not a handoff.
  mutating func handOff(_ task: Int, _ fact: Fact, to successor: TaskIdentity, in world: inout World) {
    let first = world.tasks[task]
    guard successor.session != first.identity.session else { return }
    let place = handoffs[first.identity.uid] ?? add(HandoffLifecycle(of: first, process: first.process), in: &world)
    handoffs[successor.uid] = handoffs[successor.uid] ?? place
    change(place, by: fact, in: &world) { $0.announce(fact, successor: successor) }
    // The successor may have been created before this event. The handoff then begins now.
    guard let other = world.tasks.indexes.first(where: { world.tasks[$0].identity.uid == successor.uid }) else { return }
    begin(other, fact, in: &world)
  }

  @inline(__always)
  mutating func note(_ task: Int, _ fact: Fact, in world: inout World) {
    if !handoffs.isEmpty { noteHandoff(of: task, fact, in: &world) }
  }

  @inline(never)
  private mutating func noteHandoff(of task: Int, _ fact: Fact, in world: inout World) {
    guard let place = handoffs[world.tasks[task].identity.uid] else { return }
    let lifecycle = world.tasks[task]
    change(place, by: fact, in: &world) { $0.note(lifecycle) }
  }

  /// Notes that a process was suspended or has ended.
  mutating func noteState(of process: Int, _ fact: Fact, in world: inout World) {
    guard let places = waiting[process], fact.kind != .processStateChanged || world.processes[process].isSuspended else { return }
    for place in places { change(place, by: fact, in: &world) { $0.stop(fact) } }
  }

  private mutating func change(
    _ place: Int, by fact: Fact, in world: inout World, _ change: (inout HandoffLifecycle) -> Void
  ) {
    guard case .handoff(var handoff) = world.keepalives[place] else { return }
    change(&handoff)
    world.keepalives[place] = .handoff(handoff)
    world.touched.append(.keepalive(place))
  }
}
