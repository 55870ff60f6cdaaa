import XferEvents
import XferLifecycle

/// Finds the intent of an event. Each app chooses the keys of its intents, so equal keys of different programs denote different
/// intents.
struct IntentLedger: Sendable {
  private struct Key: Hashable {
    let program: String?
    let key: String
  }

  private var places: [Key: Int] = [:]
  /// The intent of each task.
  private var ofTask: [TaskUID: Key] = [:]
  /// The concluded intents, oldest first. They are kept for a while because the app may still write about them.
  private var concluded = Ring<Ended>()

  private struct Ended {
    let key: Key
    let place: TaskTable.Place
  }

  /// The maximum number of concluded intents that are kept.
  private static let limit = 256

  /// Applies an event to its intent.
  ///
  /// - Parameter task: the index of the task that the event names; `nil` if it names none.
  /// - Returns: the index of the intent; `nil` if the event belongs to no intent.
  mutating func note(_ event: EventView, _ fact: Fact, task: Int?, process: Int, in world: inout World) -> Int? {
    guard let text = event.intent?.key ?? task.flatMap({ world.tasks[$0].intent }) else { return nil }
    let key = Key(program: world.processes[process].executable, key: text)
    let place: Int
    if let known = places[key] {
      place = known
    } else {
      place = world.intents.insert(IntentLifecycle(key: text, process: process))
      places[key] = place
    }
    let wasOpen = world.intents[place].isOpen
    world.intents[place].apply(event, fact, process: process)
    // The task may have been resumed before it was bound to the intent, so the resume is noted now.
    if let resumed = task.flatMap({ world.tasks[$0].resumed }), fact.kind != .appIntentUnbound {
      world.intents[place].resume(resumed)
    }
    if let uid = task.map({ world.tasks[$0].identity.uid }) ?? event.task?.uid, fact.kind != .appIntentUnbound {
      ofTask[uid] = key
    }
    if wasOpen, !world.intents[place].isOpen { conclude(key, place, in: &world) }
    world.touched.append(.intent(place))
    return place
  }

  /// Notes that a task was resumed or completed.
  mutating func note(task: Int, _ fact: Fact, in world: inout World) {
    guard !ofTask.isEmpty, let key = ofTask[world.tasks[task].identity.uid], let place = places[key] else { return }
    switch fact.kind {
    case .taskResumed: world.intents[place].resume(fact)
    case .taskCompleted:
      let lifePlace = world.tasks[task].process
      let life = world.processes[lifePlace]
      let isWake = life.startReason == .transfer || life.startReason == .challenge || life.startedInBackground == true
      world.intents[place].complete(
        fact, succeeded: world.tasks[task].result == .succeeded, unseen: isWake && life.cameToFront == nil, process: lifePlace)
    default: return
    }
    world.touched.append(.intent(place))
  }

  /// Forgets a task that was closed.
  mutating func forget(_ task: TaskUID) { if !ofTask.isEmpty { ofTask[task] = nil } }

  /// Notes that a program was started again.
  func noteLife(_ process: Int, in world: inout World) {
    guard !places.isEmpty, world.processes[process].earlierLife != nil else { return }
    for place in world.intents.indexes
    where world.processes[world.intents[place].process].executable == world.processes[process].executable {
      world.intents[place].noteLife(process)
      world.touched.append(.intent(place))
    }
  }

  /// Notes an app's list of a session's tasks. If the app bound a task in an earlier life and the list lacks it, the task is not
  /// running.
  func noteAnswer(_ event: EventView, _ fact: Fact, session: SessionLifecycle, process: Int, in world: inout World) {
    guard !places.isEmpty, event.connected ?? (session.kind != .background || session.connected != nil) else { return }
    let listed = event.tasks.map { Set($0.map(\.uid)) } ?? (event.count == 0 ? [] : nil)
    for place in world.intents.indexes where world.intents[place].isOpen && world.intents[place].completed == nil {
      guard let binding = world.intents[place].bindings.last, binding.unbound == nil, binding.process != process,
        binding.task.session == session.identifier,
        world.processes[binding.process].executable == world.processes[process].executable,
        !(listed?.contains(binding.task.uid) ?? false)
      else { continue }
      let unlisted = IntentLifecycle.Unlisted(
        answer: fact, task: binding.task, bound: binding.bound, isNamed: listed != nil)
      world.intents[place].note(unlisted, process: process)
      world.touched.append(.intent(place))
    }
  }

  private mutating func conclude(_ key: Key, _ place: Int, in world: inout World) {
    concluded.append(Ended(key: key, place: world.intents.place(place)))
    guard concluded.count > Self.limit, let oldest = concluded.popFirst(), world.intents.isCurrent(oldest.place) else { return }
    places[oldest.key] = nil
    world.intents.remove(Int(oldest.place.index))
  }
}
