import XferEvents
import XferLifecycle

/// Whether an app that comes back to the front hears again of the bytes that its daemon moves.
///
/// Only background tasks whose progress the app was told of before are looked at: who never asks for it is told nothing.
struct ProgressWatch: Sendable {
  private struct Waiting {
    let process: Int
    let front: Fact
    var first: Int64?
  }

  /// Tasks whose progress the app has been told of.
  private var told: Set<TaskUID> = []
  /// Those whose app has come to the front and was not told since.
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
