extension DocumentObject {
  /// Returns the numbers of an object, each with its column in CSV.
  func columns(of value: Value) -> [(column: String, value: Int64?)] {
    fields.compactMap { field in
      if case .number(let column, let number)? = field.figure { (column, number(value)) } else { nil }
    }
  }

  /// Returns the name of an object's row in CSV; an empty text if no field names the row.
  func row(of value: Value) -> String {
    for field in fields { if case .row(let name)? = field.figure { return name(value) } }
    return ""
  }

  /// Writes one figure per row: the table, the row, the column and the value, which is empty where nothing was measured.
  ///
  /// The totals come first, then the tables in the order of the fields. Fields that are not figures are omitted.
  func writeCSV(_ value: Value, to text: inout TextBuffer) {
    let csv = CSVText()
    csv.append(["table", "row", "column", "value"], to: &text)
    func write(_ table: String, _ row: String, _ columns: [(column: String, value: Int64?)]) {
      for (column, value) in columns { csv.append([table, row, column, value.map { "\($0)" } ?? ""], to: &text) }
    }
    for field in fields {
      switch field.figure {
      case .number(let row, let number)?: write("totals", row, [("count", number(value))])
      case .total(let row, let columns)?: write("totals", row, columns(value))
      case .row?, .table?, nil: break
      }
    }
    for field in fields {
      guard case .table(let rows)? = field.figure, let name = field.description?.name else { continue }
      for (row, columns) in rows(value) { write(name, row, columns) }
    }
  }
}
