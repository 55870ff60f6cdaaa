package import XferReport
package import XferSQLite

/// Query results as a table in aligned columns. The first thousand rows determine the widths.
package struct AnswerTable: AnswerDocument {
  private var columns: [String] = []
  private var waiting: [[SQLiteValue]] = []
  private var table: TextTable?
  private static let sample = 1000

  package init() {}

  package mutating func begin(_ columns: [String], to text: inout TextBuffer) { self.columns = columns }

  package mutating func append(_ values: [SQLiteValue], to text: inout TextBuffer) {
    waiting.append(values)
    if waiting.count == Self.sample { flush(to: &text) }
  }

  package mutating func end(to text: inout TextBuffer) { flush(to: &text) }

  private mutating func flush(to text: inout TextBuffer) {
    var table = self.table ?? TextTable(columns.enumerated().map { ($1, alignment(of: $0)) })
    for values in waiting { table.append(values.map { $0.cell(null: "-") }) }
    waiting.removeAll(keepingCapacity: true)
    table.flush(to: &text)
    self.table = table
  }

  /// Returns the alignment of a column: right for a column of numbers, otherwise left.
  private func alignment(of column: Int) -> TextTable.Alignment {
    let isNumeric = waiting.allSatisfy { row in
      switch row[column] {
      case .integer, .real, .null: true
      case .text, .blob: false
      }
    }
    return isNumeric ? .right : .left
  }
}
