package import XferPredicate
package import XferQuery

/// An output format for the rows of a query's result.
package protocol QueryDocument {
  mutating func begin(in text: inout TextBuffer)
  mutating func append(_ row: [ResultValue], to text: inout TextBuffer)
  mutating func end(in text: inout TextBuffer)
}

/// The rows of a query as CSV.
package struct QueryCSV: QueryDocument {
  private let columns: [QueryField]
  private let types: [ValueType]
  private let csv: CSVText

  package init(_ columns: [QueryField], _ csv: CSVText = CSVText()) {
    (self.columns, self.csv) = (columns, csv)
    types = columns.map(\.type)
  }

  package mutating func begin(in text: inout TextBuffer) { csv.append(ResultKey.all(columns), to: &text) }

  package mutating func append(_ row: [ResultValue], to text: inout TextBuffer) {
    csv.append(zip(types, row).map { $1.cell($0) }, to: &text)
  }

  package mutating func end(in text: inout TextBuffer) {}
}

/// The rows of a query as a table in aligned columns. The first thousand rows determine the widths.
package struct QueryTable: QueryDocument {
  private let places: [Int]
  private let columns: [QueryField]
  private let zone: ZoneRule?
  private var table: TextTable
  private var waiting = 0
  private static let sample = 1000

  /// - Parameters:
  ///   - shown: the names of the columns to show; `nil` shows all.
  ///   - zone: the zone of times; `nil` for UTC.
  package init(_ columns: [QueryField], shown: Set<String>? = nil, zone: ZoneRule? = nil) {
    places = columns.indices.filter { shown?.contains(columns[$0].name) ?? true }
    self.columns = columns
    self.zone = zone
    table = TextTable(places.map { (columns[$0].name, columns[$0].type.isQuantity ? .right : .left) })
  }

  package mutating func begin(in text: inout TextBuffer) {}

  package mutating func append(_ row: [ResultValue], to text: inout TextBuffer) {
    table.append(places.map { $0 < row.count ? row[$0].shown(columns[$0].type, zone: zone) : "" })
    waiting += 1
    if waiting == Self.sample { flush(to: &text) }
  }

  package mutating func end(in text: inout TextBuffer) { flush(to: &text) }

  private mutating func flush(to text: inout TextBuffer) {
    table.flush(to: &text)
    waiting = 0
  }
}
