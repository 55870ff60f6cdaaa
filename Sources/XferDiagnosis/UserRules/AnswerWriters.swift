import XferEvents
import XferLifecycle
import XferReplay

/// The processes whose logs show whether an expected answer came.
struct AnswerWriters {
  /// The indexes of successive process lives. The last life could still write the answer.
  let lives: [Int]
  /// Whether a process life after the last one could also write the answer.
  let mayGoOn: Bool

  /// Finds the processes that can write the answer to a wait; `nil` if the log has none.
  init?(of wait: RuleWait, _ pattern: EventPattern, in world: World) {
    guard let first = Self.first(of: wait, pattern, in: world) else { return nil }
    mayGoOn = Self.mayGoOn(wait, pattern.scope, in: world)
    var lives = [first]
    while mayGoOn, let next = Self.next(after: lives[lives.count - 1], in: world), !lives.contains(next) { lives.append(next) }
    self.lives = lives
  }

  private static func first(of wait: RuleWait, _ pattern: EventPattern, in world: World) -> Int? {
    func says(_ place: Int) -> Bool {
      guard let role = world.processes[place].role else { return true }
      if let writer = pattern.writer { return role == writer }
      return pattern.kinds.contains { $0.isWritten(by: role) }
    }
    let writer = wait.trigger.process
    if pattern.scope == .process {
      guard case .process(let place)? = wait.keys[.process] else { return nil }
      return says(place) ? place : nil
    }
    if says(writer) { return writer }
    if pattern.scope == .task, let place = wait.task, world.tasks.isCurrent(place) {
      let task = world.tasks[Int(place.index)]
      if let known = [task.owner, task.carrier, task.process].compactMap({ $0 }).first(where: says) { return known }
    }
    if let session = wait.about.session, pattern.scope != .log,
      let known = world.sessions.incarnations(of: session).last(where: { says($0.process) })
    {
      return known.process
    }
    return world.processes.indices.last { world.processes[$0].firstSeen != nil && says($0) }
  }

  private static func next(after place: Int, in world: World) -> Int? {
    let process = world.processes[place]
    guard process.endFact != nil else { return nil }
    return (process.nextLife ?? process.daemon?.next).flatMap { world.processes[$0].firstSeen == nil ? nil : $0 }
  }

  private static func mayGoOn(_ wait: RuleWait, _ scope: UserRule.Scope, in world: World) -> Bool {
    switch scope {
    case .process: return false
    case .log: return true
    case .task, .session:
      if scope == .task, let place = wait.task, world.tasks.isCurrent(place) {
        return world.mayOutliveProcess(world.tasks[Int(place.index)])
      }
      if case .session(_, process: .some)? = wait.keys.session { return false }
      return true
    }
  }

  /// Returns how long the processes have been able to run since a fact, as far as their logs reach, in nanoseconds. Time in which they
  /// were suspended does not count (guards G1 and G4).
  func covered(since fact: Fact, by writer: Int, in world: World) -> Int64 {
    lives.reduce(0) { sum, place in
      let process = world.processes[place]
      var start = process.firstSeen?.monotonic ?? .max
      // Clocks of two boots cannot be compared. A life in another boot counts in full.
      if let moment = fact.monotonic, process.boot == world.processes[writer].boot { start = max(start, moment) }
      if place == writer { start = fact.monotonic ?? start }
      return sum.addingClamped(process.runningTime(from: start, to: process.coveredUntil))
    }
  }
}
