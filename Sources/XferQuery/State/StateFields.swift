import XferEvents
import XferLifecycle
import XferReplay

/// Collects what is known of one thing.
struct StateFields {
  private(set) var fields: [StateDocument.Field] = []

  mutating func add(_ name: String, _ value: StateDocument.Value?) { fields.append(.init(name: name, value: value)) }
  mutating func add(_ name: String, _ text: String?) { add(name, text.map(StateDocument.Value.text)) }
  mutating func add(_ name: String, _ fact: Fact?) { add(name, fact.map(StateDocument.Value.fact)) }
  mutating func add(_ name: String, _ number: (some BinaryInteger)?) { add(name, number.map { .integer(Int64(clamping: $0)) }) }
  mutating func add(_ name: String, bytes: Int64?) { add(name, bytes.map(StateDocument.Value.bytes)) }
  mutating func add(_ name: String, _ duration: Duration?) { add(name, duration.map(StateDocument.Value.duration)) }
  mutating func add(_ name: String, _ flag: Bool?) { add(name, flag.map(StateDocument.Value.flag)) }
  mutating func add(_ name: String, _ list: [String]) { add(name, list.isEmpty ? nil : .list(list)) }

  func entity(
    id: String, name: String, state: String, isOver: Bool = false, session: String? = nil, tasks: [TaskIdentity] = []
  ) -> StateDocument.Entity {
    .init(id: id, name: name, state: state, isOver: isOver, session: session, tasks: tasks, fields: fields)
  }
}

extension TaskIdentity {
  /// As people know it: `session/number`.
  package var label: String { "\(session)/\(number)" }
}

extension ProcessLifecycle {
  /// As people know it: the program, and its number.
  package var label: String {
    let program = executable ?? role?.name ?? "process"
    if let pid { return "\(program):\(pid)" }
    return launch.map { "\(program) \("\($0)".prefix(8))" } ?? program
  }

  /// What it is at: ended, suspended, running, or only spoken of.
  package var standing: String {
    switch end {
    case .exit, .closed: return exited == nil ? "closed its log" : "exited"
    case .signal: return "killed"
    case .observedMissing: return "gone"
    case .unknown: break
    }
    if isSuspended { return state == .suspending ? "suspending" : "suspended" }
    return firstSeen == nil ? "only spoken of" : "running"
  }
}

extension World {
  /// How a process life is called; `nil` for no place.
  package func label(ofProcess place: Int?) -> String? {
    place.flatMap { processes.indices.contains($0) ? processes[$0].label : nil }
  }
}
