import XferQuery
import XferReport
import XferSQLite

/// A table of the index that receives rows of one type.
final class RowTable {
  private let statement: SQLiteStatement

  /// - Parameter row: any row of the table, for the names of its columns.
  init(for row: some TableRow, in connection: SQLiteConnection) throws(SQLiteError) {
    let names = row.columns.map(\.key)
    let places = names.map { _ in "?" }.joined(separator: ", ")
    statement = try connection.statement(
      "INSERT INTO \(type(of: row).table)(\(names.joined(separator: ", "))) VALUES (\(places))")
  }

  func insert(_ row: some TableRow) throws(SQLiteError) {
    var place: Int32 = 1
    for (_, value) in row.columns {
      switch value {
      case .null: statement.bind(nil as Int64?, at: place)
      case .integer(let number): statement.bind(number, at: place)
      case .text(let text): statement.bind(text, at: place)
      case .list(let texts):
        var json = TextBuffer(capacity: 256)
        json.appendJSON { json in
          json.beginArray()
          for text in texts { json.string(text) }
          json.endArray()
        }
        statement.bind(json.bytes, at: place)
      }
      place += 1
    }
    try statement.run()
  }
}
