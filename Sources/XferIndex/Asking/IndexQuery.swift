import CSQLite
import CXferPlatform
import XferEvents
package import XferSQLite

/// A query on an index that is open for reading.
package final class IndexQuery {
  private let connection: SQLiteConnection
  private let referee = StatementReferee()
  private let isInterrupted: () -> Bool
  private let limits: Limits
  /// The monotonic time at which the statement is stopped, in nanoseconds. `nil` means unlimited.
  private var deadline: Int64?
  private var hasTimedOut = false

  /// The limits of a statement, which may come from an untrusted source.
  package struct Limits: Sendable {
    /// The maximum run time, in nanoseconds. `nil` means unlimited.
    package var nanoseconds: Int64?
    /// The maximum memory of SQLite in the whole process, in bytes. `nil` means unlimited.
    package var bytes: Int64?

    package init(nanoseconds: Int64? = nil, bytes: Int64? = nil) {
      self.nanoseconds = nanoseconds
      self.bytes = bytes
    }
  }

  /// The limit at which a statement was stopped.
  package enum Exhaustion: Error { case time, memory }

  /// A problem with a statement, described for the statement's author.
  package struct Problem: Error, Equatable {
    package let text: String
  }

  /// The number of SQLite's virtual-machine steps between two checks of the limits.
  private static let stepsBetweenChecks: Int32 = 10_000

  /// - Parameter isInterrupted: called regularly while a statement runs. The result `true` stops the statement.
  package init(path: String, limits: Limits, isInterrupted: @escaping () -> Bool) throws(SQLiteError) {
    connection = try SQLiteConnection(path: path, .readingOnly)
    self.isInterrupted = isInterrupted
    self.limits = limits
    if let bytes = limits.bytes {
      sqlite3_hard_heap_limit64(bytes)
      // Limits one value to an eighth of the memory, because reading a value may make two more copies of it.
      sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1024, bytes / 8)))
    }
    // Treats the schema as untrusted: this program created the file, but another program may have replaced it since.
    try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON")
  }

  deinit {
    sqlite3_set_authorizer(connection.handle, nil, nil)
    sqlite3_progress_handler(connection.handle, 0, nil, nil)
    if limits.bytes != nil { sqlite3_hard_heap_limit64(0) }
  }

  private var mustStop: Bool {
    if let deadline, xp_clock_monotonic() >= deadline { hasTimedOut = true }
    return hasTimedOut || isInterrupted()
  }

  /// Returns the reasons why the indexed logs are incomplete.
  package func incompleteness() throws(SQLiteError) -> [String] {
    let statement = try connection.statement("SELECT reason FROM incompleteness ORDER BY rowid")
    var reasons: [String] = []
    while try statement.step() { reasons.append(statement.value(0).text ?? "") }
    return reasons
  }

  /// Runs a single statement that only reads.
  ///
  /// - Parameters:
  ///   - begin: called once with the names of the columns.
  ///   - row: called with the values of each row.
  package func run(_ sql: String, begin: ([String]) throws -> Void, row: ([SQLiteValue]) throws -> Void) throws {
    referee.watch(connection)
    deadline = limits.nanoseconds.map { xp_clock_monotonic().addingClamped($0) }
    sqlite3_progress_handler(
      connection.handle, Self.stepsBetweenChecks,
      { context in Unmanaged<IndexQuery>.fromOpaque(context!).takeUnretainedValue().mustStop ? 1 : 0 },
      Unmanaged.passUnretained(self).toOpaque())
    let statement = try prepare(sql)
    let names = statement.columnNames
    try begin(names)
    do {
      while try statement.step() { try row(names.indices.map { statement.value(Int32($0)) }) }
    } catch let error as SQLiteError {
      if hasTimedOut, error.isInterruption { throw Exhaustion.time }
      if error.isExhaustion { throw Exhaustion.memory }
      throw error.isInterruption ? error : problem(error, in: sql)
    }
  }

  private func prepare(_ sql: String) throws -> SQLiteStatement {
    do {
      let (statement, rest) = try connection.prepare(sql)
      guard let statement else { throw Problem(text: "the query is empty") }
      // Only spaces and comments may follow. SQLite reports any other text as an error.
      if try connection.prepare(rest).statement != nil { throw Problem(text: "the query has more than one statement") }
      guard statement.isReadOnly else {
        referee.refuseWriting()
        throw refusal()!
      }
      return statement
    } catch let error as SQLiteError {
      if error.isExhaustion { throw Exhaustion.memory }
      throw problem(error, in: sql)
    }
  }

  private func refusal() -> Problem? {
    referee.refusal.map {
      Problem(
        text: "the statement was rejected because it would \($0). `xferlog sql` only reads. To change an index, create one "
          + "with `xferlog index --to FILE` and open it with sqlite3.")
    }
  }

  private func problem(_ error: SQLiteError, in sql: String) -> Problem {
    if let refusal = refusal() { return refusal }
    guard let offset = error.offset, offset <= sql.utf8.count else { return Problem(text: error.message) }
    // SQLite counts bytes. The message gives the line and the character within the line.
    let before = String(decoding: sql.utf8.prefix(offset), as: UTF8.self)
    let line = before.split(separator: "\n", omittingEmptySubsequences: false)
    return Problem(text: "\(error.message) (line \(line.count), character \((line.last?.count ?? 0) + 1))")
  }
}

extension SQLiteError {
  fileprivate var isInterruption: Bool { primaryCode == SQLITE_INTERRUPT }

  /// Whether memory was exhausted, or a value was too large.
  package var isExhaustion: Bool { primaryCode == SQLITE_NOMEM || primaryCode == SQLITE_TOOBIG }
}

extension SQLiteStatement {
  fileprivate var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  fileprivate var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map { sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? "" }
  }
}
