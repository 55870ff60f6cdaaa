import XferEvents
import XferQuery

/// The observed state transitions of one kind of entity.
struct StateMachine {
  private struct Move: Hashable {
    let from: String?
    let to: String?
  }

  struct Transition {
    /// The state before. `nil` for an entity that appears.
    let from: String?
    /// The state after. `nil` for an entity that disappears.
    let to: String?
    /// The names of the events that cause the transition, in the order of the vocabulary.
    let events: [String]
  }

  private var events: [Move: Set<String>] = [:]
  private var over: Set<String> = []
  private var visits: [String: Visits] = [:]

  /// The number of times that entities entered a state, and how many states each had been in before, summed over these times.
  private struct Visits {
    var count = 0
    var earlier = 0
  }

  /// - Parameter earlier: the number of states that the entity had been in before.
  mutating func note(from before: StateDocument.Entity?, to after: StateDocument.Entity?, by event: String, earlier: Int) {
    let (from, to) = (before.map(Self.state), after.map(Self.state))
    guard from != to else { return }
    events[Move(from: from, to: to), default: []].insert(event)
    guard let to else { return }
    if after?.isOver == true { over.insert(to) }
    visits[to, default: Visits()].count += 1
    visits[to, default: Visits()].earlier += earlier
  }

  /// The transitions, sorted by how early their states are entered on average.
  var transitions: [Transition] {
    let states = visits.sorted {
      let (left, right) = ($0.value.earlier * $1.value.count, $1.value.earlier * $0.value.count)
      return (left, $0.key) < (right, $1.key)
    }
    let places = Dictionary(uniqueKeysWithValues: states.enumerated().map { ($1.key, $0) })
    func place(_ move: Move) -> (Int, Int) { (move.from.map { places[$0]! } ?? -1, move.to.map { places[$0]! } ?? states.count) }
    let order = Dictionary(uniqueKeysWithValues: Vocabulary.events.map { ($0.name, Int($0.number)) })
    return events.sorted { place($0.key) < place($1.key) }.map { move, names in
      Transition(from: move.from, to: move.to, events: names.sorted { (order[$0] ?? -1, $0) < (order[$1] ?? -1, $1) })
    }
  }

  func text(_ state: String) -> String { over.contains(state) ? "\(state) †" : state }

  /// Returns the name of an entity's state, without counts and without details after a colon.
  static func state(_ entity: StateDocument.Entity) -> String {
    entity.state.replacing(/[0-9]+/, with: "*n*").replacing(/: .*/, with: "")
  }
}

/// The state machines of all kinds of entities, derived from logs.
struct StateMachines {
  private var machines: [StateDocument.Kind: StateMachine] = [:]

  subscript(kind: StateDocument.Kind) -> StateMachine? { machines[kind] }

  mutating func drive(_ members: [LogMember]) {
    var replay = SteppingReplay()
    var before = replay.state
    var moves: [StateDocument.Kind: [String: Int]] = [:]
    for member in members {
      replay.apply(member)
      let after = replay.state
      let event = if case .event(let event) = member { event.layout.name } else { "gap" }
      for change in after.changes(since: before) {
        let kind = change.kind
        let earlier = moves[kind, default: [:]][change.entity.id, default: 0]
        let (from, to) = (before[kind].first { $0.id == change.entity.id }, change.manner == .disappeared ? nil : change.entity)
        machines[kind, default: StateMachine()].note(from: from, to: to, by: event, earlier: earlier)
        let moved = from.map(StateMachine.state) != to.map(StateMachine.state)
        if moved { moves[kind, default: [:]][change.entity.id] = earlier + 1 }
      }
      before = after
    }
  }
}
