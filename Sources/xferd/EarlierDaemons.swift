import XferEvents
import XferLifecycle
import XferLogStore
import XferReplay
import XferService

/// Reads the tasks of earlier daemons from the log. Used only when the database has lost data or is new, because reading a log
/// can take a long time.
enum EarlierDaemons {
  static func inventory(of directory: String) -> LoggedInventory {
    var replay = Replay()
    let reader = LogReader([.directory(directory)])
    var ordered = OrderedMembers { reader.next() }
    var ended: Set<TaskUID> = []
    while let member = ordered() {
      guard let change = replay.apply(member), case .task(let task) = change.subject else { continue }
      guard change.fact.kind == .taskForgotten || change.fact.kind == .taskAcknowledged else { continue }
      ended.insert(replay.world.tasks[task].identity.uid)
      // Frees the memory of the ended task.
      replay.close(task)
    }
    let world = replay.world
    // A daemon with another state directory may write to the same log. Its tasks are not lost.
    let isAlone = !world.processes.contains { $0.daemon?.started != nil && $0.endFact == nil }
    return LoggedInventory(
      generation: world.processes.compactMap { $0.daemon?.generation }.max().map { UInt64(max(0, $0)) } ?? 0,
      tasks: world.tasks.indexes.map { world.tasks[$0] }.filter { isCarried($0, world) }.map(\.identity)
        .filter { isAlone && !ended.contains($0.uid) },
      ended: ended)
  }

  private static func isCarried(_ task: TaskLifecycle, _ world: World) -> Bool {
    task.carrier != nil || world.sessionKind(of: task) == .background
  }
}
