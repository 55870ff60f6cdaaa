import XferEvents
import XferLifecycle

/// Links the successive lives of a program, and the successive generations of the daemon.
struct LifeChain: Sendable {
  private struct Program: Hashable {
    let executable: String
    let role: WriterRole?
  }

  private var last: [Program: Int] = [:]
  private var lastGeneration: Int?
  /// The launch events of process lives whose start has not been read yet.
  private var launched: [LaunchID: Fact] = [:]

  mutating func begin(_ place: Int, in world: inout World) {
    let process = world.processes[place]
    if let launch = process.launch, let cause = launched.removeValue(forKey: launch) { note(cause, place, in: &world) }
    guard let executable = process.executable else { return }
    let program = Program(executable: executable, role: process.role)
    if let earlier = last[program], earlier != place {
      world.changing(process: place).facts.earlierLife = earlier
      world.changing(process: earlier).facts.nextLife = place
    }
    last[program] = place
  }

  mutating func beginGeneration(_ place: Int, in world: inout World) {
    if let earlier = lastGeneration, earlier != place, let before = world.processes[earlier].daemon?.generation,
      let generation = world.processes[place].daemon?.generation,
      generation == before.addingClamped(1) || hasLostState(generation, after: world.processes[earlier])
    {
      world.changing(process: place).facts.daemon?.earlier = earlier
      world.changing(process: earlier).facts.daemon?.next = place
    }
    lastGeneration = place
  }

  /// Whether a daemon counts its generations from the beginning again, because its state was deleted. The earlier daemon must have
  /// ended, because another daemon with a state of its own may write to the same log.
  private func hasLostState(_ generation: Int64, after earlier: ProcessLifecycle) -> Bool {
    generation <= earlier.daemon?.generation ?? .min && (earlier.endFact ?? earlier.daemon?.exited) != nil
  }

  /// Notes the reason of a launch: a wake that was delivered to the process or launched it, or a trigger.
  mutating func explain(_ event: EventView, _ fact: Fact, process: Int, in world: inout World) {
    switch fact.kind {
    case .wakeDelivered, .triggerFired: note(fact, process, in: &world)
    case .wakeLaunched:
      guard let launch = event.launch else { return }
      let place = world.processes.firstIndex { $0.launch == launch && $0.started != nil }
      if let place { note(fact, place, in: &world) } else { launched[launch] = fact }
    default: break
    }
  }

  private func note(_ fact: Fact, _ process: Int, in world: inout World) {
    if world.processes[process].launchCause == nil { world.changing(process: process).facts.launchCause = fact }
  }
}
