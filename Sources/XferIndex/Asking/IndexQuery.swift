import CXferPlatform
import GRDBSQLite
import XferEvents

/// A query of an index that is open for reading.
package final class IndexQuery {
  private let connection: SQLiteConnection
  private let referee = StatementReferee()
  private let isInterrupted: () -> Bool
  private let limits: Limits
  /// The monotonic time, in nanoseconds, at which the statement is stopped.
  private var deadline: Int64?
  private var isTimeOver = false

  /// The limits of a statement, which may come from anywhere.
  package struct Limits: Sendable {
    /// `nil` means unlimited.
    package var nanoseconds: Int64?
    /// The maximum memory of SQLite in the process, in bytes. `nil` means unlimited.
    package var bytes: Int64?

    package init(nanoseconds: Int64? = nil, bytes: Int64? = nil) {
      self.nanoseconds = nanoseconds
      self.bytes = bytes
    }
  }

  /// The limit at which a statement was stopped.
  package enum Exhaustion: Error { case time, memory }

  /// A problem of a statement, explained to its author.
  package struct Problem: Error, Equatable {
    package let text: String
  }

  /// The number of SQLite's steps between two checks of the limits.
  private static let stepsBetweenLooks: Int32 = 10_000

  /// - Parameter isInterrupted: called regularly while a statement runs. `true` ends the statement.
  package init(path: String, limits: Limits, isInterrupted: @escaping () -> Bool) throws(SQLiteError) {
    connection = try SQLiteConnection(path: path, .readingOnly)
    self.isInterrupted = isInterrupted
    self.limits = limits
    if let bytes = limits.bytes {
      sqlite3_hard_heap_limit64(bytes)
      // A value is copied up to twice when it is read.
      sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1024, bytes / 8)))
    }
    // The file's views are made by this program, but the file may have been replaced.
    try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON")
  }

  deinit {
    sqlite3_set_authorizer(connection.handle, nil, nil)
    sqlite3_progress_handler(connection.handle, 0, nil, nil)
    if limits.bytes != nil { sqlite3_hard_heap_limit64(0) }
  }

  private var mustStop: Bool {
    if let deadline, xp_clock_monotonic() >= deadline { isTimeOver = true }
    return isTimeOver || isInterrupted()
  }

  /// Returns the reasons why the indexed logs are incomplete.
  package func incompleteness() throws(SQLiteError) -> [String] {
    let statement = try connection.statement("SELECT reason FROM incompleteness ORDER BY rowid")
    var reasons: [String] = []
    while try statement.step() { reasons.append(statement.value(0).text ?? "") }
    return reasons
  }

  /// Runs one reading statement.
  ///
  /// - Parameters:
  ///   - begin: called once with the names of the columns.
  ///   - row: called with the values of each row.
  package func run(_ sql: String, begin: ([String]) throws -> Void, row: ([SQLiteValue]) throws -> Void) throws {
    referee.watch(connection)
    deadline = limits.nanoseconds.map { xp_clock_monotonic().addingClamped($0) }
    sqlite3_progress_handler(
      connection.handle, Self.stepsBetweenLooks,
      { context in Unmanaged<IndexQuery>.fromOpaque(context!).takeUnretainedValue().mustStop ? 1 : 0 },
      Unmanaged.passUnretained(self).toOpaque())
    let statement = try prepare(sql)
    let names = statement.columnNames
    try begin(names)
    do {
      while try statement.step() { try row(names.indices.map { statement.value(Int32($0)) }) }
    } catch let error as SQLiteError {
      if isTimeOver, error.isInterruption { throw Exhaustion.time }
      if error.isExhaustion { throw Exhaustion.memory }
      throw error.isInterruption ? error : problem(error, in: sql)
    }
  }

  private func prepare(_ sql: String) throws -> SQLiteStatement {
    do {
      let (statement, rest) = try connection.prepare(sql)
      guard let statement else { throw Problem(text: "there is no statement") }
      // Comments may follow. For anything else, SQLite reports the error.
      if try connection.prepare(rest).statement != nil { throw Problem(text: "there is more than one statement") }
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
        text: "the statement is refused: it would \($0).\nAn index is only read here; make one with "
          + "`xferlog index --to FILE` and change that with sqlite3.")
    }
  }

  private func problem(_ error: SQLiteError, in sql: String) -> Problem {
    if let refusal = refusal() { return refusal }
    guard let offset = error.offset, offset <= sql.utf8.count else { return Problem(text: error.message) }
    // The position is counted in characters, and the text there is quoted.
    let before = String(decoding: sql.utf8.prefix(offset), as: UTF8.self)
    let line = before.split(separator: "\n", omittingEmptySubsequences: false)
    return Problem(text: "\(error.message) (line \(line.count), character \((line.last?.count ?? 0) + 1))")
  }
}
