package import XferEvents

/// Which events are meant: by what they say, by who wrote them, and by what they share with those before.
package struct EventPattern: Sendable, Hashable {
  /// Any of these.
  package let kinds: [EventKind]
  /// `nil` for whoever it is.
  package let writer: WriterRole?
  package let conditions: [FieldCondition]
  /// Fields that are to be equal.
  package let joins: [Join]
  package let scope: UserRule.Scope
  /// Time since the step before; `nil` for any.
  package let within: Duration?
  /// Of an excuse: whether it may have come before the trigger, too.
  package let mayComeBefore: Bool

  package struct Join: Sendable, Hashable {
    package let field: FieldID
    /// The place of an earlier step, and its field.
    package let step: Int
    package let other: FieldID

    package init(_ field: FieldID, step: Int, _ other: FieldID) {
      (self.field, self.step, self.other) = (field, step, other)
    }
  }

  package init(
    _ kinds: [EventKind], writer: WriterRole? = nil, conditions: [FieldCondition] = [], joins: [Join] = [],
    scope: UserRule.Scope, within: Duration? = nil, mayComeBefore: Bool = false
  ) {
    self.kinds = kinds
    self.writer = writer
    self.conditions = conditions
    self.joins = joins
    self.scope = scope
    self.within = within
    self.mayComeBefore = mayComeBefore
  }

  /// Whether an event is meant, as far as the event by itself tells.
  func matches(_ event: EventView, _ kind: EventKind, by role: WriterRole?) -> Match {
    guard kinds.contains(kind) else { return .no }
    if let writer {
      guard let role else { return .unknown("the role of who wrote \(kind.name)") }
      if role != writer { return .no }
    }
    var match = Match.yes
    for condition in conditions { match = match && condition.matches(event, kind) }
    return match
  }

  /// Whether the fields are equal that have to be.
  func joins(_ event: EventView, _ kind: EventKind, to steps: [RuleStep]) -> Match {
    var match = Match.yes
    for join in joins {
      let (left, right) = (event.value(of: join.field), steps[join.step].values[join.other])
      match = match && .equal(left, right, needs: "\(join.field.definition.name) of \(kind.name)")
    }
    return match
  }

  /// Whether every event that the other means is meant by this one, too.
  package func covers(_ other: EventPattern) -> Bool {
    Set(kinds).isSuperset(of: other.kinds) && (writer == nil || writer == other.writer) && scope == other.scope
      && conditions.allSatisfy { condition in other.conditions.contains { condition.follows(from: $0) } }
      && Set(joins).isSubset(of: other.joins)
  }
}

/// Whether something is as it should be; the log may hide it.
package enum Match: Sendable, Equatable {
  case yes, no
  /// What would have to be known.
  case unknown(String)

  static func && (left: Match, right: Match) -> Match {
    switch (left, right) {
    case (.no, _), (_, .no): .no
    case (.unknown, _): left
    default: right
    }
  }

  init(_ holds: Bool) { self = holds ? .yes : .no }

  /// What lacks a value is equal to nothing. Masked values are compared by their masks, where these still join.
  static func equal(_ left: RecordedValue?, _ right: RecordedValue?, needs: @autoclosure () -> String) -> Match {
    guard let left, let right else { return .no }
    switch (left, right) {
    case (.unreadable, _), (_, .unreadable): return .unknown(needs())
    case (.text(.redacted), _), (_, .text(.redacted)): return .unknown(needs())
    case (.text(.cut), .text), (.text, .text(.cut)): return left == right ? .unknown(needs()) : .no
    case (.text(.hashed), .text(.hashed)): return Match(left == right)
    case (.text(.hashed), .text), (.text, .text(.hashed)): return .unknown(needs())
    default: return Match(left == right)
    }
  }
}

extension EventView {
  /// The value of a field that this reader knows; `nil` when the event lacks it.
  func value(of field: FieldID) -> RecordedValue? {
    layout.fields.firstIndex { $0.id == field && $0.type == field.type }.flatMap(value(at:))
  }
}
