package import CSQLite

/// A value in a row of a result.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  package var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

/// A prepared statement. Columns are counted from 0 and parameters from 1, as in SQLite.
package final class SQLiteStatement {
  package let handle: OpaquePointer
  /// The connection, which must outlive the statement.
  private let connection: SQLiteConnection

  init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: Parameters
  // A parameter that SQLite rejects, for example because it is too large, makes the next step fail. These functions are inlined
  // into other targets, because an index has 15 values for each event.

  /// The result code of the first rejected parameter since the last step. `SQLITE_OK` when there is none.
  @usableFromInline var rejection = SQLITE_OK

  @inlinable @inline(__always)
  func note(_ code: Int32) {
    if code != SQLITE_OK, rejection == SQLITE_OK { rejection = code }
  }

  /// `SQLITE_TRANSIENT`, a C macro that Swift does not import. With this destructor, SQLite copies a value before the call
  /// returns.
  @inlinable static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  @inlinable @inline(__always)
  package func bind(_ number: Int64?, at place: Int32) {
    if let number { note(sqlite3_bind_int64(handle, place, number)) } else { note(sqlite3_bind_null(handle, place)) }
  }

  @inlinable @inline(__always)
  package func bind(_ text: String?, at place: Int32) {
    guard var text else { return note(sqlite3_bind_null(handle, place)) }
    text.withUTF8 { bind(UnsafeRawBufferPointer($0), at: place) }
  }

  /// - Parameter utf8: a text in UTF-8.
  @inlinable @inline(__always)
  package func bind(_ utf8: UnsafeRawBufferPointer, at place: Int32) {
    // An empty buffer may have no address, which SQLite would treat as NULL.
    guard let base = utf8.baseAddress, !utf8.isEmpty else { return note(sqlite3_bind_text(handle, place, "", 0, nil)) }
    note(
      sqlite3_bind_text64(
        handle, place, base.assumingMemoryBound(to: CChar.self), UInt64(utf8.count), Self.transient, UInt8(SQLITE_UTF8)))
  }

  package func bind(blob: UnsafeRawBufferPointer, at place: Int32) {
    guard let base = blob.baseAddress else { return note(sqlite3_bind_zeroblob(handle, place, 0)) }
    note(sqlite3_bind_blob64(handle, place, base, UInt64(blob.count), Self.transient))
  }

  // MARK: Rows

  /// - Returns: whether there is another row.
  package func step() throws(SQLiteError) -> Bool {
    guard rejection == SQLITE_OK else {
      let code = rejection
      rejection = SQLITE_OK
      throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)), statement: text)
    }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteError(connection.handle, code: code, statement: text)
    }
  }

  private var text: String? { sqlite3_sql(handle).map { String(cString: $0) } }

  /// Runs a statement without rows and resets it.
  package func run() throws(SQLiteError) {
    defer { sqlite3_reset(handle) }
    _ = try step()
  }

  package func value(_ column: Int32) -> SQLiteValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let bytes = sqlite3_column_text(handle, column)
      let count = Int(sqlite3_column_bytes(handle, column))
      return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(handle, column)
      let count = Int(sqlite3_column_bytes(handle, column))
      return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)))
    default: return .null
    }
  }
}
