import XferEvents
import XferLifecycle

/// Detects apps that receive no progress callbacks after coming to the foreground, although the daemon still transfers bytes.
/// Only tasks that had progress callbacks before are watched, because an app without such a callback cannot receive any.
struct ProgressWatch: Sendable {
  private struct Waiting {
    let process: Int
    let front: Fact
    var first: Int64?
  }

  /// The tasks for which the app has received progress callbacks.
  private var told: Set<TaskUID> = []
  /// The tasks whose app came to the foreground and has received no progress callback since.
  private var waiting: [TaskUID: Waiting] = [:]

  var isWaiting: Bool { !waiting.isEmpty }

  mutating func noteEntered(_ task: Int, _ event: EventView, in world: World) {
    guard !world.background.isEmpty, let callback = event.callback,
      [.didWriteData, .didSendBodyData, .didReceiveData].contains(callback)
    else { return }
    let uid = world.tasks[task].identity.uid
    waiting[uid] = nil
    if !told.contains(uid), world.sessionKind(of: world.tasks[task]) == .background { told.insert(uid) }
  }

  mutating func noteState(of process: Int, _ fact: Fact, in world: World) {
    guard !told.isEmpty else { return }
    for (uid, known) in waiting where known.process == process { waiting[uid] = nil }
    guard world.processes[process].state == .foreground else { return }
    for task in world.onWire where world.tasks[task].owner == process {
      let uid = world.tasks[task].identity.uid
      if told.contains(uid) { waiting[uid] = Waiting(process: process, front: fact) }
    }
  }

  mutating func noteBytes(_ task: Int, _ event: EventView, _ fact: Fact, process: Int, in world: inout World) {
    let identity = world.tasks[task].identity
    guard world.processes[process].role == .daemon, let known = waiting[identity.uid],
      let bytes = event.received ?? event.sent
    else { return }
    guard let first = known.first else { return waiting[identity.uid]!.first = bytes }
    guard bytes > first else { return }
    world.changing(process: known.process).facts.silentProgress = .init(task: identity, front: known.front, moved: fact)
    world.touched.append(.process(known.process))
  }

  mutating func forget(_ task: TaskUID) {
    guard !told.isEmpty else { return }
    told.remove(task)
    waiting[task] = nil
  }
}
