import CSQLite
import Foundation
import LogTestSupport
import Testing
import XferSQLite

struct ConnectionTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path("test.sqlite") }

  /// Creates a database with an empty table `t`, whose column `a` has distinct numbers.
  private func database() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, .creating)
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    return connection
  }

  private func rows(_ connection: SQLiteConnection) throws -> Int64? {
    try connection.value("SELECT count(*) FROM t")?.integer
  }

  // MARK: Opening

  @Test func `Only the mode for creating creates a missing file`() throws {
    for mode in [SQLiteConnection.Mode.writing, .readingOnly] {
      let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path: path, mode) }
      #expect(error?.description == "SQLite error 14: unable to open database file")
    }
    _ = try database()
    #expect(try rows(SQLiteConnection(path: path, .writing)) == 0)
  }

  @Test func `A file that is not a database is an error that names the statement`() throws {
    let path = try directory.write([UInt8](repeating: 0x55, count: 9000), to: "test.sqlite")
    let connection = try SQLiteConnection(path: path, .creating)
    let error = #expect(throws: SQLiteError.self) { try connection.execute("PRAGMA journal_mode = WAL") }
    #expect(error?.primaryCode == SQLITE_NOTADB)
    #expect(error?.description == "SQLite error 26: file is not a database - while executing `PRAGMA journal_mode = WAL`")
  }

  @Test func `A connection for reading rejects a write`() throws {
    _ = try database()
    let connection = try SQLiteConnection(path: path, .readingOnly)
    let error = #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (1, 1)") }
    #expect(error?.primaryCode == SQLITE_READONLY)
  }

  // MARK: Transactions

  private struct Mistake: Error {}

  @Test func `A transaction whose body throws is rolled back, and the body's error is thrown`() throws {
    let connection = try database()
    #expect(throws: Mistake.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1, 1)")
        throw Mistake()
      }
    }
    #expect(try rows(connection) == 0)
    let result = try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (2, 2)")
      return "done"
    }
    #expect(result == "done")
    #expect(try rows(SQLiteConnection(path: path, .readingOnly)) == 1)
  }

  @Test func `A transaction whose commit fails is rolled back`() throws {
    let connection = try database()
    try connection.execute(
      "PRAGMA foreign_keys = ON; CREATE TABLE u (a REFERENCES t (a) DEFERRABLE INITIALLY DEFERRED)")
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction { try connection.execute("INSERT INTO u VALUES (7)") }
    }
    #expect(error?.code == SQLITE_CONSTRAINT | 3 << 8, "the extended code of a foreign key")
    #expect(
      error?.description == "SQLite error 19: FOREIGN KEY constraint failed - while executing `COMMIT TRANSACTION`")
    #expect(try connection.value("SELECT count(*) FROM u") == .integer(0))
    try connection.transaction { try connection.execute("INSERT INTO t VALUES (1, 1)") }
    #expect(try rows(connection) == 1)
  }

  @Test func `A transaction fails if its body ignores an error that rolled it back`() throws {
    let connection = try database()
    try connection.execute("INSERT INTO t VALUES (1, 1)")
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (2, 2)")
        try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1, 1)")
      }
    }
    #expect(error?.code == SQLITE_ABORT)
    #expect(try rows(connection) == 1)
    try connection.transaction { try connection.execute("INSERT INTO t VALUES (3, 3)") }
    #expect(try rows(connection) == 2)
  }

  @Test func `A transaction fails at once while another connection is writing`() throws {
    let (connection, other) = (try database(), try SQLiteConnection(path: path, .writing))
    try other.transaction {
      var hasBegun = false
      let error = #expect(throws: SQLiteError.self) { try connection.transaction { hasBegun = true } }
      #expect(error?.primaryCode == SQLITE_BUSY)
      #expect(error?.description == "SQLite error 5: database is locked - while executing `BEGIN IMMEDIATE TRANSACTION`")
      #expect(!hasBegun)
    }
    try connection.transaction { try connection.execute("INSERT INTO t VALUES (1, 1)") }
    #expect(try rows(other) == 1)
  }

  @Test func `A checkpoint empties the write-ahead log, and fails while another connection reads`() throws {
    let (connection, other) = (try database(), try SQLiteConnection(path: path, .readingOnly))
    try connection.execute("INSERT INTO t VALUES (1, 1)")
    try other.execute("BEGIN")
    #expect(try rows(other) == 1)
    try connection.execute("INSERT INTO t VALUES (2, 2)")
    let error = #expect(throws: SQLiteError.self) { try connection.checkpoint() }
    #expect(error?.description == "SQLite error 5: database is locked")
    try other.execute("COMMIT")
    try connection.checkpoint()
    #expect(FileManager.default.contents(atPath: "\(path)-wal") == Data())
    #expect(try rows(other) == 2)
  }

  // MARK: Statements

  @Test func `Values are read as they were written`() throws {
    let connection = try database()
    let insertion = try connection.statement("INSERT INTO t(b) VALUES (?)")
    for text in [nil, "", "a\u{0}b", "größer"] {
      insertion.bind(text, at: 1)
      try insertion.run()
    }
    for number in [Int64.min, nil] {
      insertion.bind(number, at: 1)
      try insertion.run()
    }
    for bytes in [[], [0, 255, 0]] as [[UInt8]] {
      bytes.withUnsafeBytes { insertion.bind(blob: $0, at: 1) }
      try insertion.run()
    }
    let query = try connection.statement("SELECT b, 0.5 FROM t ORDER BY a")
    var values: [SQLiteValue] = []
    while try query.step() {
      values.append(query.value(0))
      #expect(query.value(1) == .real(0.5))
      #expect(query.value(2) == .null, "a column that does not exist")
    }
    #expect(
      values == [
        .null, .text(""), .text("a\u{0}b"), .text("größer"), .integer(.min), .null, .blob([]), .blob([0, 255, 0]),
      ])
    #expect([values[2].text, values[4].text] == ["a\u{0}b", nil])
    #expect([values[4].integer, values[2].integer] == [.min, nil])
    #expect([values[7].blob, values[2].blob] == [[0, 255, 0], nil])
  }

  @Test func `A statement runs again after it failed`() throws {
    let connection = try database()
    let insertion = try connection.statement("INSERT INTO t VALUES (?, 1)")
    for (number, succeeds) in [(1, true), (1, false), (2, true)] as [(Int64, Bool)] {
      insertion.bind(number, at: 1)
      if succeeds {
        try insertion.run()
        continue
      }
      let error = #expect(throws: SQLiteError.self) { try insertion.run() }
      #expect(
        error?.description
          == "SQLite error 19: UNIQUE constraint failed: t.a - while executing `INSERT INTO t VALUES (?, 1)`")
    }
    #expect(try rows(connection) == 2)
  }

  @Test func `A value that is too large fails the statement instead of being stored as NULL`() throws {
    let connection = try database()
    sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 100)
    let insertion = try connection.statement("INSERT INTO t(b) VALUES (?)")
    insertion.bind(String(repeating: "a", count: 101), at: 1)
    let error = #expect(throws: SQLiteError.self) { try insertion.run() }
    #expect(error?.primaryCode == SQLITE_TOOBIG)
    #expect(
      error?.description == "SQLite error 18: string or blob too big - while executing `INSERT INTO t(b) VALUES (?)`")
    [UInt8](repeating: 0, count: 101).withUnsafeBytes { insertion.bind(blob: $0, at: 1) }
    #expect(throws: SQLiteError.self) { try insertion.run() }
    #expect(try rows(connection) == 0)
    insertion.bind("short", at: 1)
    try insertion.run()
    #expect(try connection.value("SELECT b FROM t") == .text("short"))
  }

  @Test func `An invalid statement is an error with its place`() throws {
    let connection = try database()
    let error = #expect(throws: SQLiteError.self) { try connection.statement("SELECT a, c FROM t") }
    #expect(error?.offset == 10)
    #expect(error?.description == "SQLite error 1: no such column: c - while executing `SELECT a, c FROM t`")
  }
}
