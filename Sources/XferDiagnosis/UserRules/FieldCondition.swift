package import XferEvents

/// A condition on the value of an event's field.
package struct FieldCondition: Sendable, Hashable {
  package let field: FieldID
  package let test: Test

  package enum Test: Sendable, Hashable {
    case isPresent(Bool)
    case isOneOf([RecordedValue])
    /// The field is present and has none of these values.
    case isNoneOf([RecordedValue])
    /// The field's magnitude, in nanoseconds, bytes or as a number, lies in this range.
    case isWithin(ClosedRange<Int64>)
  }

  package init(_ field: FieldID, _ test: Test) {
    self.field = field
    self.test = test
  }

  func matches(_ event: EventView, _ kind: EventKind) -> Match {
    let value = event.value(of: field)
    switch test {
    case .isPresent(let wanted): return Match((value != nil) == wanted)
    case .isOneOf(let values):
      guard let value else { return .no }
      return any(of: values, value, kind)
    case .isNoneOf(let values):
      guard let value else { return .no }
      switch any(of: values, value, kind) {
      case .yes: return .no
      case .no: return .yes
      case .unknown(let needs): return .unknown(needs)
      }
    case .isWithin(let range):
      guard let value else { return .no }
      return value.magnitude.map { Match(range.contains($0)) } ?? .unknown(needs(kind))
    }
  }

  private func any(of values: [RecordedValue], _ value: RecordedValue, _ kind: EventKind) -> Match {
    var match = Match.no
    for wanted in values {
      switch equal(value, wanted, kind) {
      case .yes: return .yes
      case .unknown(let needs): match = .unknown(needs)
      case .no: break
      }
    }
    return match
  }

  private func equal(_ value: RecordedValue, _ wanted: RecordedValue, _ kind: EventKind) -> Match {
    switch (value, wanted) {
    // A rule names a task by its name or uid, and a message by its format.
    case (.task(let task), .text(.plain(let name))): return Match(name == task.label || name == "\(task.uid)")
    case (.message(let message), .text(.plain(let text))):
      return message.format.map { Match($0 == text) } ?? .unknown(needs(kind))
    default: return .equal(value, wanted, needs: needs(kind))
    }
  }

  private func needs(_ kind: EventKind) -> String { "\(field.definition.name) of \(kind.name)" }

  /// Whether the condition holds whenever another condition holds.
  package func follows(from other: FieldCondition) -> Bool {
    guard field == other.field else { return false }
    switch (test, other.test) {
    case (.isPresent(true), .isPresent(let other)): return other
    case (.isPresent(true), _): return true
    case (.isPresent(false), _): return other.test == .isPresent(false)
    case (.isOneOf(let values), .isOneOf(let others)): return Set(values).isSuperset(of: others)
    case (.isNoneOf(let values), .isNoneOf(let others)): return Set(values).isSubset(of: others)
    case (.isNoneOf(let values), .isOneOf(let others)): return Set(values).isDisjoint(with: others)
    case (.isWithin(let range), .isWithin(let other)):
      return range.lowerBound <= other.lowerBound && other.upperBound <= range.upperBound
    case (.isWithin(let range), .isOneOf(let others)):
      return others.allSatisfy { $0.magnitude.map(range.contains) ?? false }
    default: return false
    }
  }

  /// Whether a value can meet both conditions. Assumes that the two are about the same field.
  package func isCompatible(with other: FieldCondition) -> Bool {
    switch (test, other.test) {
    case (.isPresent(let one), .isPresent(let other)): return one == other
    case (.isPresent(let isPresent), _), (_, .isPresent(let isPresent)): return isPresent
    case (.isOneOf(let values), .isOneOf(let others)): return !Set(values).isDisjoint(with: others)
    case (.isOneOf(let values), .isNoneOf(let others)), (.isNoneOf(let others), .isOneOf(let values)):
      return !Set(values).isSubset(of: others)
    case (.isWithin(let one), .isWithin(let other)): return one.overlaps(other)
    case (.isOneOf(let values), .isWithin(let range)), (.isWithin(let range), .isOneOf(let values)):
      return values.contains { $0.magnitude.map(range.contains) ?? false }
    case (.isNoneOf, _), (_, .isNoneOf): return true
    }
  }
}

extension RecordedValue {
  /// The value as a number to compare: a count, bytes or nanoseconds; `nil` for a value without an order.
  var magnitude: Int64? {
    switch self {
    case .bytes(let count), .integer(let count): count
    case .duration(let duration): duration.nanoseconds
    case .time(let time): time.nanoseconds
    default: nil
    }
  }
}
