import XferEvents
import XferLifecycle

/// How often apps are woken, and what it costs their tasks.
struct WakeLimits: Sendable {
  /// The last launches of each app, since somebody was in front of it.
  private var launches: [String: [Fact]] = [:]
  /// Sessions of which a task has waited for the wake limit since their last wake.
  private var limited: Set<String> = []
  /// For each session, how long the first task of each wake took to begin, nobody in front of the app meanwhile.
  private var starts: [String: [TaskLifecycle.RateLimit.Start]] = [:]

  /// Launches within `stormSpan` that are fine.
  private static let stormLimit = 6
  private static let stormSpan: Duration = .seconds(3600)
  /// A storm that is denser counts as the same one.
  private static let launchesLimit = 64

  /// The app is in front of its user: all begins anew.
  mutating func forget(_ process: Int, in world: World) {
    if let executable = world.processes[process].executable { launches[executable] = nil }
    for place in world.background.places(ofProcess: process) { starts[world.sessions[place].identifier] = nil }
  }

  /// - Returns: the storm that a launch makes of those before it.
  mutating func launch(_ event: EventView, _ fact: Fact) -> WakeLifecycle.Storm? {
    guard event.osError == nil, let app = event.executable ?? event.session else { return nil }
    var recent = (launches[app] ?? []).filter { Self.span(from: $0, to: fact) <= Self.stormSpan }
    recent.append(fact)
    launches[app] = recent.suffix(Self.launchesLimit)
    // A storm that goes on is told of once.
    return recent.count == Self.stormLimit + 1 ? .init(first: recent[0], count: recent.count) : nil
  }

  /// By the clock that goes on in sleep, where the log has it.
  private static func span(from first: Fact, to last: Fact) -> Duration {
    if let start = first.boottime, let end = last.boottime { return .nanoseconds(end.subtractingClamped(start)) }
    return first.duration(to: last) ?? .zero
  }

  mutating func wake(_ session: String) { limited.remove(session) }

  mutating func hold(_ task: Int, _ event: EventView, _ fact: Fact, in world: inout World) {
    guard event.hold == .wakeDelay, world.tasks[task].origin == .background else { return }
    guard limited.insert(world.tasks[task].identity.session).inserted else { return }
    world.tasks[changing: task].facts.limit(by: .init(held: fact, delay: event.delay))
  }

  /// Where nobody says why a task waits, delays that double from wake to wake do.
  mutating func start(_ task: Int, _ fact: Fact, wake: Int?, in world: inout World) {
    guard world.tasks[task].attemptCount == 1,
      let resumed = world.tasks[task].resumed, let delay = resumed.duration(to: fact)
    else { return }
    let session = world.tasks[task].identity.session
    guard let wake, starts[session]?.last?.wake != wake else { return }
    let all = (starts[session] ?? []).suffix(2) + [.init(wake: wake, delay: delay, started: fact)]
    starts[session] = Array(all)
    guard all.count == 3, TaskLifecycle.RateLimit.isDoubling(all.map(\.delay)) else { return }
    world.tasks[changing: task].facts.limit(by: .init(starts: Array(all)))
  }
}
