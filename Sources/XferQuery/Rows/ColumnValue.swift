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
  /// Creates a number of nanoseconds from a duration, or NULL from `nil`.
  package init(_ duration: Duration?) { self.init(duration?.nanoseconds) }
  /// Creates a text in the form that os_log prints from a recorded text, or NULL from `nil`.
  package init(_ text: RecordedText?) { self.init(text?.description) }

  /// Creates a text with the decimal digits of an identifier, or NULL from `nil`.
  package static func digits(_ id: UInt64?) -> ColumnValue { ColumnValue(id.map { "\($0)" }) }
  /// Creates a text from a wall-clock time, in the form of RFC 3339 in UTC with nanoseconds, or NULL from `nil`.
  package static func time(_ wall: WallTime?) -> ColumnValue { ColumnValue(wall?.description) }
  package static func time(_ fact: Fact?) -> ColumnValue { .time(fact?.wall) }
  /// Creates a number of nanoseconds since 1970 from a wall-clock time, or NULL from `nil`.
  package static func epoch(_ wall: WallTime?) -> ColumnValue { ColumnValue(wall?.nanoseconds) }
  package static func epoch(_ fact: Fact?) -> ColumnValue { .epoch(fact?.wall) }
}

/// One row of a table of the index.
package protocol TableRow {
  static var table: String { get }
  /// The columns, always with the same names in the same order.
  var columns: KeyValuePairs<String, ColumnValue> { get }
}
