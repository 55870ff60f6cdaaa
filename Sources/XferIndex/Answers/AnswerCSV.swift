package import XferReport
package import XferSQLite

/// Query results as CSV with a header row. NULL becomes an empty cell.
package struct AnswerCSV: AnswerDocument {
  private let csv: CSVText

  package init(_ csv: CSVText) { self.csv = csv }

  package mutating func begin(_ columns: [String], to text: inout TextBuffer) { csv.append(columns, to: &text) }

  package mutating func append(_ values: [SQLiteValue], to text: inout TextBuffer) {
    csv.append(values.map { $0.cell(null: "") }, to: &text)
  }

  package mutating func end(to text: inout TextBuffer) {}
}
