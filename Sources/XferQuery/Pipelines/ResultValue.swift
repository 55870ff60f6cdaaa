package import XferEvents
package import XferPredicate

/// A value in a row of a query's result. The type of its column gives the unit.
package enum ResultValue: Hashable, Sendable {
  case null
  case number(Int64)
  /// An average that is not a whole number.
  case decimal(Double)
  case text(String)
  /// The identity of a task. Its text is made only when it is read.
  case uid(TaskUID)

  package init(_ reading: FieldReading) {
    switch reading {
    case .missing, .unreadable: self = .null
    case .number(let number): self = .number(number)
    case .text(let text), .masked(let text): self = .text(text)
    case .cut(let beginning): self = .text(beginning + "…")
    case .numbers(let numbers): self = numbers.first.map(ResultValue.number) ?? .null
    case .texts(let texts): self = texts.first.map(ResultValue.text) ?? .null
    }
  }

  /// Returns the values of a field that may have several, such as the rules of all findings about an event; one `null` if it has none.
  static func all(_ reading: FieldReading, _ type: ValueType) -> [ResultValue] {
    switch reading {
    // A task has one name, although it can be selected by others.
    case .texts(let texts) where type != .task && !texts.isEmpty: texts.map(ResultValue.text)
    case .numbers(let numbers) where !numbers.isEmpty: numbers.map(ResultValue.number)
    default: [ResultValue(reading)]
    }
  }

  /// The value as a comparison reads it.
  var reading: FieldReading {
    switch self {
    case .null: .missing
    case .number(let number): .number(number)
    case .decimal(let number): .number(Int64(exactly: number.rounded()) ?? 0)
    case .text(let text): .text(text)
    case .uid(let uid): .text("\(uid)")
    }
  }

  /// Whether no other value is equal to this one but differs in its bytes.
  var isPlain: Bool {
    switch self {
    case .text(var text): text.withUTF8 { $0.reduce(0, |) < 0x80 }
    case .null, .number, .decimal, .uid: true
    }
  }

  /// Whether this value is listed before another one. Missing values come last, whatever the direction.
  static func order(_ left: ResultValue, _ right: ResultValue) -> Order {
    switch (left, right) {
    case (.null, .null): .same
    case (.null, _): .missingFirst
    case (_, .null): .missingSecond
    case (.text(let one), .text(let other)):
      one == other ? .same : one.precedesByBytes(other) ? .ascending : .descending
    case (.number(let one), .number(let other)): one == other ? .same : one < other ? .ascending : .descending
    // The text of a uid has its digits in order.
    case (.uid(let one), .uid(let other)):
      one == other ? .same : (one.high, one.low) < (other.high, other.low) ? .ascending : .descending
    default: compare(left.magnitude, right.magnitude)
    }
  }

  enum Order { case ascending, same, descending, missingFirst, missingSecond }

  private static func compare(_ one: Double, _ other: Double) -> Order {
    one == other ? .same : one < other ? .ascending : .descending
  }

  private var magnitude: Double {
    switch self {
    case .number(let number): Double(number)
    case .decimal(let number): number
    case .null, .text, .uid: 0
    }
  }
}

/// Orders rows by several keys. Rows that are equal keep their order.
struct RowOrder {
  /// The index of each key's value, and whether greater values come first.
  let keys: [(place: Int, isDescending: Bool)]

  func precedes(_ left: [ResultValue], _ right: [ResultValue]) -> Bool? {
    for key in keys {
      switch ResultValue.order(left[key.place], right[key.place]) {
      case .same: continue
      case .ascending: return !key.isDescending
      case .descending: return key.isDescending
      case .missingFirst: return false
      case .missingSecond: return true
      }
    }
    return nil
  }

  /// Returns the places of the rows in order.
  func sorted(_ rows: [[ResultValue]]) -> [Int] {
    rows.indices.sorted { left, right in precedes(rows[left], rows[right]) ?? (left < right) }
  }
}
