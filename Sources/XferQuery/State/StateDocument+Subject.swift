package import XferEvents
import XferLifecycle
package import XferReplay

extension StateDocument {
  /// Returns the entity that an event is about. `nil` for an event about the whole log.
  package func entity(of subject: Subject, in world: World) -> Entity? {
    kind(of: subject, in: world).flatMap { entity($0, prefix(of: world) + $1) }
  }

  /// Returns the kind of a subject's entity, and its identifier within the world.
  private func kind(of subject: Subject, in world: World) -> (Kind, String)? {
    switch subject {
    case .task(let place): return (.tasks, "\(world.tasks[place].identity.uid)")
    case .session(let place): return (.sessions, "\(place)")
    case .wake(let place): return (.wakes, "\(world.wakes[place].handler.rawValue)")
    case .process(let place): return (.processes, "\(place)")
    case .keepalive(let place):
      switch world.keepalives[place] {
      case .assertion: return (.assertions, "\(place)")
      case .alarm: return (.alarms, "\(place)")
      case .beat: return (.beats, "\(place)")
      case .handoff: return (.handoffs, "\(place)")
      }
    case .intent(let place): return (.intents, world.id(world.intents.place(place)))
    case .upload(let place): return (.uploads, world.id(world.uploads.place(place)))
    case .boot(let place): return (.boots, "\(place)")
    case .gap(let place): return (.gaps, "\(place)")
    case .log: return nil
    }
  }

  /// Returns a task in any installation.
  package func entity(of task: TaskIdentity) -> Entity? { self[.tasks].first { $0.tasks.contains(task) } }

  private func entity(_ kind: Kind, _ id: String) -> Entity? { self[kind].first { $0.id == id } }
}

extension World {
  /// Returns the entities of one task: the task itself, its callbacks in flight, and its offered file.
  package func entities(ofTask place: Int) -> [(kind: StateDocument.Kind, entities: [StateDocument.Entity])] {
    let task = tasks[place]
    return [(.tasks, [entity(task)]), (.deliveries, deliveries(of: task)), (.files, [file(of: task)].compactMap { $0 })]
  }

  func id(_ place: TaskTable.Place) -> String { "\(place.index).\(place.generation)" }
}
