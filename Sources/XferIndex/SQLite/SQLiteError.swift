import GRDBSQLite

/// What SQLite had to object, in its own words.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// An extended result code.
  package let code: Int32
  package let message: String
  /// Bytes into the statement at which it went wrong; `nil` when SQLite does not say.
  package let offset: Int?

  init(code: Int32, message: String, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// The last error of a connection.
  init(_ connection: OpaquePointer?, code: Int32) {
    let offset = connection.map { sqlite3_error_offset($0) } ?? -1
    self.init(
      code: code,
      message: connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code)),
      offset: offset >= 0 ? Int(offset) : nil)
  }

  package var isInterruption: Bool { code & 0xFF == SQLITE_INTERRUPT }

  /// Whether memory, or the room for one value, did not suffice.
  var isExhaustion: Bool { code & 0xFF == SQLITE_NOMEM || code & 0xFF == SQLITE_TOOBIG }

  package var description: String { message }
}
