package import XferEvents
import XferLifecycle
package import XferReplay

extension StateDocument {
  /// Returns the entity that an event is about. `nil` for an event about the whole log.
  package func entity(of subject: Subject, in world: World) -> Entity? {
    switch subject {
    case .task(let place): return entity(of: world.tasks[place].identity)
    case .session(let place): return entity(.sessions, "\(place)")
    case .wake(let place): return entity(.wakes, "\(world.wakes[place].handler.rawValue)")
    case .process(let place): return entity(.processes, "\(place)")
    case .keepalive(let place):
      switch world.keepalives[place] {
      case .assertion: return entity(.assertions, "\(place)")
      case .alarm: return entity(.alarms, "\(place)")
      case .beat: return entity(.beats, "\(place)")
      case .handoff: return entity(.handoffs, "\(place)")
      }
    case .intent(let place): return entity(.intents, world.id(world.intents.place(place)))
    case .upload(let place): return entity(.uploads, world.id(world.uploads.place(place)))
    case .boot(let place): return entity(.boots, "\(place)")
    case .gap(let place): return entity(.gaps, "\(place)")
    case .log: return nil
    }
  }

  package func entity(of task: TaskIdentity) -> Entity? { entity(.tasks, "\(task.uid)") }

  private func entity(_ kind: Kind, _ id: String) -> Entity? { self[kind].first { $0.id == id } }
}

extension World {
  func id(_ place: TaskTable.Place) -> String { "\(place.index).\(place.generation)" }
}
