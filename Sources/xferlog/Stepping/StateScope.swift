import XferEvents
import XferQuery
import XferReading
import XferReport

/// The tasks and sessions to which a state is limited.
struct StateScope {
  let tasks: [TaskSelector]
  let sessions: [GlobPattern]

  var isEmpty: Bool { tasks.isEmpty && sessions.isEmpty }

  /// Returns the selected tasks and sessions of a state, together with everything that belongs to no task or session.
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
  /// - Parameter inputs: the inputs to which a time of day or a line refers; `nil` only checks the text.
  static func argument(_ text: String, of inputs: LogInputs? = nil, _ surroundings: Surroundings) throws -> PlaceExpression {
    var time = TimeExpression(now: surroundings.now(), zone: surroundings.localZone)
    if time.isTimeOfDay(text) { time.covered = try inputs?.span() }
    do throws(Problem) {
      let place = try PlaceExpression(text, time: time, files: inputs?.lineFiles ?? [])
      if inputs != nil, time.isTimeOfDay(text), case .time(let resolved) = place {
        StandardError.remark("\(text) is \(resolved)")
      }
      return place
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
  }
}
