import CXferPlatform
import GRDBSQLite
import XferEvents

/// One statement, asked of an index that is open for reading.
package final class IndexQuery {
  private let connection: SQLiteConnection
  private let referee = StatementReferee()
  private let isInterrupted: () -> Bool
  private let limits: Limits
  /// Monotonic nanoseconds at which the statement is stopped.
  private var deadline: Int64?
  private var isTimeOver = false

  /// What a statement may use. It may be anybody's, and may ask for more than there is.
  package struct Limits: Sendable {
    /// `nil` means unlimited.
    package var nanoseconds: Int64?
    /// Of SQLite's memory, in the whole process. `nil` means unlimited.
    package var bytes: Int64?

    package init(nanoseconds: Int64? = nil, bytes: Int64? = nil) {
      self.nanoseconds = nanoseconds
      self.bytes = bytes
    }
  }

  /// A statement was stopped at a limit.
  package enum Exhaustion: Error { case time, memory }

  /// What is wrong with a statement, for the person who wrote it.
  package struct Problem: Error, Equatable {
    package let text: String
  }

  /// SQLite's steps between two looks at whether the statement has to stop.
  private static let stepsBetweenLooks: Int32 = 10_000

  /// - Parameter isInterrupted: asked every now and then while a statement runs; `true` ends it.
  package init(path: String, limits: Limits, isInterrupted: @escaping () -> Bool) throws(SQLiteError) {
    connection = try SQLiteConnection(path: path, .readingOnly)
    self.isInterrupted = isInterrupted
    self.limits = limits
    if let bytes = limits.bytes {
      sqlite3_hard_heap_limit64(bytes)
      // A value is copied once or twice on its way out.
      sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1024, bytes / 8)))
    }
    // Views in the file are ours, but the file may be anybody's by now.
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

  /// Reasons why the logs behind the index do not tell the whole story.
  package func incompleteness() throws(SQLiteError) -> [String] {
    let statement = try connection.statement("SELECT reason FROM incompleteness ORDER BY rowid")
    var reasons: [String] = []
    while try statement.step() { reasons.append(statement.value(0).text ?? "") }
    return reasons
  }

  /// Runs one statement that reads.
  ///
  /// - Parameters:
  ///   - begin: gets the columns' names, once.
  ///   - row: gets the values of each row.
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
      // Comments may follow; so may a mistake, which SQLite is to name.
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
    // Characters, as people count them; the rest of the text says what stands there.
    let before = String(decoding: sql.utf8.prefix(offset), as: UTF8.self)
    let line = before.split(separator: "\n", omittingEmptySubsequences: false)
    return Problem(text: "\(error.message) (line \(line.count), character \((line.last?.count ?? 0) + 1))")
  }
}
