package import XferEvents

/// A value of a column, as the index stores it.
package enum ColumnValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  /// Texts in one column, as a JSON array.
  case list([String])

  package init(_ text: String?) { self = text.map(ColumnValue.text) ?? .null }
  package init(_ number: (some BinaryInteger)?) { self = number.map { .integer(Int64(clamping: $0)) } ?? .null }
  package init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }
  /// Nanoseconds.
  package init(_ duration: Duration?) { self.init(duration?.nanoseconds) }
  /// As os_log would print it.
  package init(_ text: RecordedText?) { self.init(text?.description) }

  /// An identifier, as its digits.
  package static func digits(_ id: UInt64?) -> ColumnValue { ColumnValue(id.map { "\($0)" }) }
  /// RFC 3339, UTC, nanoseconds.
  package static func time(_ wall: WallTime?) -> ColumnValue { ColumnValue(wall?.description) }
  package static func time(_ fact: Fact?) -> ColumnValue { .time(fact?.wall) }
  /// Nanoseconds since 1970.
  package static func epoch(_ wall: WallTime?) -> ColumnValue { ColumnValue(wall?.nanoseconds) }
  package static func epoch(_ fact: Fact?) -> ColumnValue { .epoch(fact?.wall) }
}

/// One row of a table of the index.
package protocol TableRow {
  static var table: String { get }
  /// Always the same names in the same order.
  var columns: KeyValuePairs<String, ColumnValue> { get }
}
