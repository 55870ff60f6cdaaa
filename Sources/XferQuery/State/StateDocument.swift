package import XferEvents
import XferLifecycle
package import XferReplay

/// The state at one position in a log: all entities that exist there, with their fields. The state depends only on the events up
/// to that position.
package struct StateDocument: Hashable, Sendable {
  package private(set) var sections: [Section]
  /// The number of tasks that are not listed because they ended too long ago.
  package let left: Int
  /// The installations whose entities are listed, in this order within each section.
  private let installations: [InstallationScope?]

  /// All entities of one kind.
  package struct Section: Hashable, Sendable {
    package let kind: Kind
    package internal(set) var entities: [Entity]
  }

  /// The kinds of entities, in the order in which they are shown.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case boots, processes, daemons, conditions, sessions, tasks, deliveries, files, wakes, assertions, alarms, beats, handoffs
    case intents, uploads, triggers, gaps
  }

  /// One entity of the state, such as a task or a process.
  package struct Entity: Hashable, Sendable {
    /// The identifier, unique within the kind. An entity's identifier never changes.
    package let id: String
    /// The displayed name.
    package let name: String
    /// The state in a few words.
    package let state: String
    /// Whether the entity has ended.
    package let isOver: Bool
    package let session: String?
    package let tasks: [TaskIdentity]
    package let fields: [Field]

    fileprivate func identified(by id: String) -> Entity {
      id == self.id
        ? self : Entity(id: id, name: name, state: state, isOver: isOver, session: session, tasks: tasks, fields: fields)
    }
  }

  package struct Field: Hashable, Sendable {
    package let name: String
    /// The value of the field. `nil` when no event up to the state's position in the log contains the value.
    package let value: Value?
  }

  package enum Value: Hashable, Sendable {
    case text(String)
    case list([String])
    case integer(Int64)
    case bytes(Int64)
    case duration(Duration)
    case flag(Bool)
    /// An event, with its time and its reference.
    case fact(Fact)
    case time(WallTime)
  }

  /// - Parameter left: the number of tasks that have been removed from the world.
  package init(_ world: World, left: Int = 0) { self.init([world], left: left) }

  /// - Parameters:
  ///   - worlds: the world of each installation.
  ///   - left: the number of tasks that have been removed from the worlds.
  init(_ worlds: [World], left: Int) {
    installations = worlds.map(\.installation)
    sections = Kind.allCases.map { kind in
      let entities = worlds.enumerated().flatMap { place, world in
        world.entities(of: kind).map { $0.identified(by: Self.prefix(place) + $0.id) }
      }
      return Section(kind: kind, entities: entities)
    }
    self.left = left
  }

  /// Returns the beginning of the identifiers of an installation's entities, which is empty for the first installation.
  private static func prefix(_ place: Int) -> String { place == 0 ? "" : "\(place + 1)/" }

  func prefix(of world: World) -> String {
    Self.prefix(installations.firstIndex { $0 == world.installation } ?? 0)
  }

  package subscript(kind: Kind) -> [Entity] { sections.first { $0.kind == kind }?.entities ?? [] }

  /// Returns the state without the unwanted entities among those that belong to a task or session. Entities that belong to
  /// neither always remain.
  package func limited(to isWanted: (Entity) -> Bool) -> StateDocument {
    var limited = self
    for place in limited.sections.indices {
      limited.sections[place].entities.removeAll { ($0.session != nil || !$0.tasks.isEmpty) && !isWanted($0) }
    }
    return limited
  }
}

// MARK: Changes

extension StateDocument {
  /// A difference in one entity between two states.
  package struct Change: Hashable, Sendable {
    package let kind: Kind
    package let entity: Entity
    package let manner: Manner
    /// The changed fields. Empty for an entity that disappeared.
    package let fields: [FieldChange]
  }

  package enum Manner: String, Hashable, Sendable {
    case appeared, changed, disappeared
  }

  package struct FieldChange: Hashable, Sendable {
    package let name: String
    package let before: Value?
    package let after: Value?
  }

  /// Returns the differences from an earlier state, in the order of the kinds.
  package func changes(since before: StateDocument) -> [Change] {
    zip(before.sections, sections).flatMap { earlier, later in
      earlier.entities == later.entities ? [] : Self.changes(later.kind, earlier.entities, later.entities)
    }
  }

  /// Returns the differences between the entities of one kind at two positions.
  package static func changes(_ kind: Kind, _ before: [Entity], _ after: [Entity]) -> [Change] {
    let known = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    let present = Set(after.map(\.id))
    var changes = after.compactMap { entity -> Change? in
      guard let earlier = known[entity.id] else {
        return Change(
          kind: kind, entity: entity, manner: .appeared,
          fields: entity.fields.filter { $0.value != nil }.map { FieldChange(name: $0.name, before: nil, after: $0.value) })
      }
      if earlier == entity { return nil }
      return Change(kind: kind, entity: entity, manner: .changed, fields: differences(from: earlier, to: entity))
    }
    changes += before.filter { !present.contains($0.id) }
      .map { Change(kind: kind, entity: $0, manner: .disappeared, fields: []) }
    return changes
  }

  private static func differences(from earlier: Entity, to later: Entity) -> [FieldChange] {
    let old = Dictionary(earlier.fields.map { ($0.name, $0.value) }) { first, _ in first }
    var changes: [FieldChange] = []
    if earlier.state != later.state {
      changes.append(FieldChange(name: "state", before: .text(earlier.state), after: .text(later.state)))
    }
    if earlier.isOver != later.isOver {
      changes.append(FieldChange(name: "over", before: .flag(earlier.isOver), after: .flag(later.isOver)))
    }
    for field in later.fields {
      let before = old[field.name] ?? nil
      if before != field.value { changes.append(FieldChange(name: field.name, before: before, after: field.value)) }
    }
    let names = Set(later.fields.map(\.name))
    changes += earlier.fields.filter { !names.contains($0.name) && $0.value != nil }
      .map { FieldChange(name: $0.name, before: $0.value, after: nil) }
    return changes
  }
}
