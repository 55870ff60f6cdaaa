package import XferEvents

/// The value of a column in the index.
package enum ColumnValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  /// Texts that are stored as a JSON array.
  case list([String])

  package init(_ text: String?) { self = text.map(ColumnValue.text) ?? .null }
  package init(_ number: (some BinaryInteger)?) { self = number.map { .integer(Int64(clamping: $0)) } ?? .null }
  package init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }
  /// Creates a value from a duration, in nanoseconds.
  package init(_ duration: Duration?) { self.init(duration?.nanoseconds) }
  /// Creates a value from a recorded text, in the form that os_log prints.
  package init(_ text: RecordedText?) { self.init(text?.description) }

  /// Creates a value from an identifier, as decimal digits.
  package static func digits(_ id: UInt64?) -> ColumnValue { ColumnValue(id.map { "\($0)" }) }
  /// Creates a value from the wall-clock time of a fact, in RFC 3339 in UTC with nanoseconds.
  package static func time(_ wall: WallTime?) -> ColumnValue { ColumnValue(wall?.description) }
  package static func time(_ fact: Fact?) -> ColumnValue { .time(fact?.wall) }
  /// Creates a value from a time, in nanoseconds since 1970.
  package static func epoch(_ wall: WallTime?) -> ColumnValue { ColumnValue(wall?.nanoseconds) }
  package static func epoch(_ fact: Fact?) -> ColumnValue { .epoch(fact?.wall) }
}

/// One row of a table of the index.
package protocol TableRow {
  static var table: String { get }
  /// The columns, always with the same names in the same order.
  var columns: KeyValuePairs<String, ColumnValue> { get }
}
