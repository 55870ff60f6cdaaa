import XferEvents
import XferLifecycle

/// Detects chains of wakes: in each wake, one task ends and the app creates exactly one new task.
struct WakeChains: Sendable {
  private struct Wake {
    let delivered: Fact
    var ended = 0
    var made: [Made] = []
    var wasCalled = false
  }

  private struct Made {
    let task: TaskUID
    let place: TaskTable.Place
    let created: Fact
  }

  /// The last wake of each session, by identifier.
  private var wakes: [String: Wake] = [:]
  private var links: [String: [TaskLifecycle.ChainLink]] = [:]

  /// The number of successive wakes with growing start delays that is reported as a chain.
  private static let length = 3

  var isEmpty: Bool { wakes.isEmpty }

  mutating func deliver(_ session: String, _ fact: Fact) {
    if let last = wakes[session], last.ended != 1 || last.made.count != 1 { links[session] = nil }
    wakes[session] = Wake(delivered: fact)
  }

  /// Notes that the app has called the wake's completion handler. Tasks created from now on do not belong to the wake.
  mutating func call(_ session: String) { wakes[session]?.wasCalled = true }

  /// Forgets the chains of a process's sessions, because the app came to the foreground.
  mutating func forget(_ process: Int, in world: World) {
    if isEmpty { return }
    for place in world.background.places(ofProcess: process) {
      (wakes[world.sessions[place].identifier], links[world.sessions[place].identifier]) = (nil, nil)
    }
  }

  mutating func noteMade(_ task: Int, in world: World) {
    let lifecycle = world.tasks[task]
    guard wakes[lifecycle.identity.session]?.wasCalled == false, let created = lifecycle.created else { return }
    let made = Made(task: lifecycle.identity.uid, place: world.tasks.place(task), created: created)
    wakes[lifecycle.identity.session]!.made.append(made)
  }

  mutating func noteEnded(_ task: TaskLifecycle) {
    if wakes[task.identity.session]?.wasCalled == false { wakes[task.identity.session]!.ended += 1 }
  }

  mutating func noteStarted(_ task: Int, _ fact: Fact, in world: inout World) {
    let lifecycle = world.tasks[task]
    let session = lifecycle.identity.session
    guard lifecycle.attemptCount == 1, let wake = wakes[session], wake.ended == 1, wake.made.count == 1,
      let made = wake.made.first, made.task == lifecycle.identity.uid,
      let delay = (lifecycle.resumed ?? made.created).duration(to: fact)
    else { return }
    let link = TaskLifecycle.ChainLink(delivered: wake.delivered, created: made.created, started: fact, delay: delay)
    let before = links[session] ?? []
    let grows = before.last.map { $0.delay < delay } ?? true
    let all = (grows ? before : []) + [link]
    links[session] = all.suffix(Self.length)
    // A chain is reported when it reaches the length, and not again when it grows.
    if all.count == Self.length { world.tasks[changing: task].facts.join(chain: all) }
  }
}
