import XferEvents
import XferQuery
import XferReport

/// The tasks and sessions to which a state is limited.
struct StateScope {
  let tasks: [TaskSelector]
  let sessions: [GlobPattern]

  var isEmpty: Bool { tasks.isEmpty && sessions.isEmpty }

  /// Returns the part of a state that is about the selected tasks and sessions, or about no task and session at all.
  func limit(_ state: StateDocument) -> StateDocument {
    if isEmpty { return state }
    let wanted = Set(state[.tasks].flatMap(\.tasks).filter(admits).map(\.session))
    return state.limited { entity in
      if !entity.tasks.isEmpty { return entity.tasks.contains(where: admits) }
      return entity.session.map { session in
        wanted.contains(session) || tasks.isEmpty && sessions.contains { $0.matches(session) }
      } ?? true
    }
  }

  func admits(_ task: TaskIdentity) -> Bool {
    (tasks.isEmpty || tasks.contains { $0.matches(task) }) && (sessions.isEmpty || sessions.contains { $0.matches(task.session) })
  }

  func admits(_ event: RecordedEvent) -> Bool {
    if isEmpty { return true }
    if let task = event.task { return admits(task) }
    return event.session.map { session in !sessions.isEmpty && sessions.contains { $0.matches(session) } } ?? false
  }
}

extension PlaceExpression {
  static func argument(_ text: String, _ surroundings: Surroundings) throws -> PlaceExpression {
    do throws(Problem) {
      return try PlaceExpression(text, time: TimeExpression(now: surroundings.now(), zone: surroundings.localZone))
    } catch {
      throw CommandExit(.wrongUsage, error.description)
    }
  }
}
