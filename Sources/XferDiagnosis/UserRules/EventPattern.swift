package import XferEvents
package import XferPredicate

/// A pattern that matches events by kind, writer, field values, and values shared with earlier steps.
package struct EventPattern: Sendable, Hashable {
  /// The pattern matches events of these kinds only.
  package let kinds: [EventKind]
  /// The role of the event's writer; `nil` matches every writer.
  package let writer: WriterRole?
  package let conditions: [FieldCondition]
  /// The condition in the query language; `nil` without one.
  package let condition: EventTest?
  /// The fields that must equal a field of an earlier step.
  package let joins: [Join]
  package let scope: UserRule.Scope
  /// The maximum time since the previous step; `nil` means unlimited.
  package let within: Duration?
  /// Whether an excuse may also come before the trigger. Used for excuses only.
  package let mayComeBefore: Bool

  package struct Join: Sendable, Hashable {
    package let field: FieldID
    /// The index of the earlier step.
    package let step: Int
    package let other: FieldID

    package init(_ field: FieldID, step: Int, _ other: FieldID) {
      (self.field, self.step, self.other) = (field, step, other)
    }
  }

  package init(
    _ kinds: [EventKind], writer: WriterRole? = nil, conditions: [FieldCondition] = [], condition: EventTest? = nil,
    joins: [Join] = [], scope: UserRule.Scope, within: Duration? = nil, mayComeBefore: Bool = false
  ) {
    self.kinds = kinds
    self.writer = writer
    self.conditions = conditions
    self.condition = condition
    self.joins = joins
    self.scope = scope
    self.within = within
    self.mayComeBefore = mayComeBefore
  }

  /// Returns whether an event matches the pattern, leaving out joins, which need earlier steps.
  func matches(_ event: EventView, _ kind: EventKind, by role: WriterRole?) -> Match {
    guard kinds.contains(kind) else { return .no }
    if let writer {
      guard let role else { return .unknown("the role of the process that wrote \(kind.name)") }
      if role != writer { return .no }
    }
    var match = Match.yes
    for condition in conditions { match = match && condition.matches(event, kind) }
    if match != .no, let condition { match = match && Self.match(condition, event, kind) }
    return match
  }

  private static func match(_ condition: EventTest, _ event: EventView, _ kind: EventKind) -> Match {
    switch condition.truth(of: event) {
    case .yes: return .yes
    case .no: return .no
    case .unknown:
      let names = condition.predicate.fields.map(\.name).joined(separator: ", ")
      return .unknown("\(names) of \(kind.name)")
    }
  }

  /// Returns whether the joined fields of an event equal those of the earlier steps.
  func joins(_ event: EventView, _ kind: EventKind, to steps: [RuleStep]) -> Match {
    var match = Match.yes
    for join in joins {
      let (left, right) = (event.value(of: join.field), steps[join.step].values[join.other])
      match = match && .equal(left, right, needs: "\(join.field.definition.name) of \(kind.name)")
    }
    return match
  }

  /// Whether the pattern matches every event that another pattern matches.
  package func covers(_ other: EventPattern) -> Bool {
    Set(kinds).isSuperset(of: other.kinds) && (writer == nil || writer == other.writer) && scope == other.scope
      && (condition == nil || condition == other.condition)
      && conditions.allSatisfy { condition in other.conditions.contains { condition.follows(from: $0) } }
      && Set(joins).isSubset(of: other.joins)
  }
}

/// The result of a match, which is unknown if the log does not hold the values to compare.
package enum Match: Sendable, Equatable {
  case yes, no
  /// The match depends on the named value, which the log does not hold.
  case unknown(String)

  static func && (left: Match, right: Match) -> Match {
    switch (left, right) {
    case (.no, _), (_, .no): .no
    case (.unknown, _): left
    default: right
    }
  }

  init(_ holds: Bool) { self = holds ? .yes : .no }

  /// Compares two values. A missing value equals nothing; hashed values are compared by their hashes.
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
