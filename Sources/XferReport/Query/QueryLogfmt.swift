package import XferPredicate
package import XferQuery

/// The rows of a query as logfmt: one line of `key=value` pairs for each row. Missing values are left out.
package struct QueryLogfmt: QueryDocument {
  private let columns: [QueryField]
  private let keys: [String]
  private var pairs = LogfmtText()

  package init(_ columns: [QueryField]) {
    self.columns = columns
    keys = ResultKey.all(columns)
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ row: [ResultValue], to text: inout TextBuffer) {
    for (place, value) in row.enumerated() where place < keys.count && value != .null {
      pairs.append(keys[place], value.cell(columns[place].type), to: &text)
    }
    pairs.endLine(in: &text)
  }
}
