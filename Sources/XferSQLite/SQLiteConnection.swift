import CSQLite

/// An open database. Any thread may use the connection and its statements, but only one at a time.
package final class SQLiteConnection {
  package enum Mode: Sendable {
    /// Reading and writing. A missing file is created.
    case creating
    /// Reading and writing an existing file.
    case writing
    case readingOnly

    fileprivate var flags: Int32 {
      switch self {
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
      case .readingOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
      }
    }
  }

  /// SQLite's connection, for functions of SQLite that this type does not have.
  package let handle: OpaquePointer

  package init(path: String, _ mode: Mode) throws(SQLiteError) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, mode.flags, nil)
    guard code == SQLITE_OK, let opened else {
      // Even on failure, SQLite returns a connection, which holds the error message.
      let error = SQLiteError(opened, code: code)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements and ignores their rows.
  package func execute(_ script: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteError(handle, code: code, statement: script) }
  }

  /// Prepares the first statement of a text.
  ///
  /// - Returns: the statement, or `nil` if the text has only spaces and comments, and the rest of the text.
  package func prepare(_ sql: String) throws(SQLiteError) -> (statement: SQLiteStatement?, rest: String) {
    var statement: OpaquePointer?
    var rest = ""
    var sql = sql
    let code = sql.withUTF8 { bytes in
      // The length is passed, so that a zero byte does not hide the rest of the text.
      bytes.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(handle, text.baseAddress, Int32(clamping: text.count), 0, &statement, &tail)
        if let base = text.baseAddress, let tail {
          rest = String(decoding: bytes[(tail - base)...], as: UTF8.self)
        }
        return code
      }
    }
    if code != SQLITE_OK { throw SQLiteError(handle, code: code, statement: sql) }
    return (statement.map { SQLiteStatement($0, of: self) }, rest)
  }

  /// Prepares a statement that is written in this program.
  package func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    guard let statement = try prepare(sql).statement else { preconditionFailure("a built-in statement is not empty") }
    return statement
  }

  /// Returns the first column of the first row. `nil` when there is no row.
  package func value(_ sql: String) throws(SQLiteError) -> SQLiteValue? {
    let statement = try statement(sql)
    return try statement.step() ? statement.value(0) : nil
  }

  // MARK: Transactions

  /// Runs a body in a transaction that can write from its start, and commits. Transactions cannot be nested.
  ///
  /// If the body or the commit fails, the transaction is rolled back and the first error is thrown. If another connection is
  /// writing, an error with the code `SQLITE_BUSY` is thrown without waiting.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE TRANSACTION")
    do {
      let result = try body()
      // Some errors make SQLite roll back by itself. A body that ignores such an error has lost its earlier changes.
      guard isInTransaction else { throw SQLiteError(code: SQLITE_ABORT, message: "Transaction was aborted") }
      try execute("COMMIT TRANSACTION")
      return result
    } catch {
      if isInTransaction { try? execute("ROLLBACK TRANSACTION") }
      throw error
    }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Copies all pages of the write-ahead log into the database file, and empties the log.
  package func checkpoint() throws(SQLiteError) {
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if code != SQLITE_OK { throw SQLiteError(handle, code: code) }
  }
}
