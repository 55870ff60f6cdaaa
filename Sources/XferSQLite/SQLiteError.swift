import CSQLite

/// An error of SQLite with its message.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// The extended result code.
  package let code: Int32
  package let message: String
  /// The statement that failed, or the script that contains it. Its parameters are not included. `nil` for other operations,
  /// such as opening the file.
  package let statement: String?
  /// The byte offset of the error within the statement; `nil` when SQLite does not report one.
  package let offset: Int?

  init(code: Int32, message: String, statement: String? = nil, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.statement = statement
    self.offset = offset
  }

  /// Creates an error from the last error of a connection.
  init(_ connection: OpaquePointer?, code: Int32, statement: String? = nil) {
    let offset = connection.map { sqlite3_error_offset($0) } ?? -1
    self.init(
      code: code,
      message: connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code)),
      statement: statement,
      offset: offset >= 0 ? Int(offset) : nil)
  }

  /// The code of the error's kind, without the details of the extended code.
  package var primaryCode: Int32 { code & 0xFF }

  package var description: String {
    "SQLite error \(primaryCode): \(message)" + (statement.map { " - while executing `\($0)`" } ?? "")
  }
}
