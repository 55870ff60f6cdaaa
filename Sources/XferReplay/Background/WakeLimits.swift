import XferEvents
import XferLifecycle

/// Detects launch storms, and tasks that start late because of the wake limit.
struct WakeLimits: Sendable {
  /// The last launches of each app since it was last in the foreground.
  private var launches: [String: [Fact]] = [:]
  /// The wake whose launch was reported as a storm that still goes on, by app.
  private var storms: [String: Int] = [:]
  /// The sessions with a task that was held since their last wake because the app was woken too often.
  private var limited: Set<String> = []
  /// For each session, the start delay of the first task in each wake since the app was last in the foreground.
  private var starts: [String: [TaskLifecycle.RateLimit.Start]] = [:]

  /// The maximum number of launches within `stormSpan` that do not count as a storm.
  private static let stormLimit = 6
  private static let stormSpan: Duration = .seconds(3600)
  /// The maximum number of launches that are stored. A storm with more is not counted further.
  private static let launchesLimit = 64

  /// Forgets the launches and delays of a process's app, because the app came to the foreground.
  mutating func forget(_ process: Int, in world: World) {
    if let executable = world.processes[process].executable { (launches[executable], storms[executable]) = (nil, nil) }
    for place in world.background.places(ofProcess: process) { starts[world.sessions[place].identifier] = nil }
  }

  /// Notes a launch. A storm is stored in the wake whose launch exceeds the limit, and later launches increase its count.
  mutating func launch(_ event: EventView, _ fact: Fact, wake: Int, in world: inout World) {
    guard event.osError == nil, let app = event.executable ?? event.session else { return }
    var recent = (launches[app] ?? []).filter { Self.span(from: $0, to: fact) <= Self.stormSpan }
    recent.append(fact)
    launches[app] = recent.suffix(Self.launchesLimit)
    guard recent.count > Self.stormLimit else { return storms[app] = nil }
    // A storm is reported when it exceeds the limit, and not again at further launches.
    if let known = storms[app] {
      let count = world.wakes[known].storm?.count ?? 0
      world.wakes[known].storm?.count = max(count, recent.count)
    } else {
      world.wakes[wake].storm = .init(first: recent[0], count: recent.count)
      storms[app] = wake
    }
  }

  /// Returns the time between two facts. Uses the clock that continues while the machine sleeps, if the log has it.
  private static func span(from first: Fact, to last: Fact) -> Duration {
    if first.sharesClock(with: last), let start = first.boottime, let end = last.boottime {
      return .nanoseconds(end.subtractingClamped(start))
    }
    return first.duration(to: last) ?? .zero
  }

  mutating func wake(_ session: String) { limited.remove(session) }

  mutating func hold(_ task: Int, _ event: EventView, _ fact: Fact, in world: inout World) {
    guard event.hold == .wakeDelay, world.tasks[task].origin == .background else { return }
    guard limited.insert(world.tasks[task].identity.session).inserted else { return }
    world.tasks[changing: task].facts.limit(by: .init(held: fact, delay: event.delay))
  }

  /// Notes the start of a task. Start delays that double from wake to wake show the wake limit even if no event states it.
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
