import Foundation
import LogTestSupport
import Testing
import XferSQLite

@testable import XferService

/// Tests of the daemon's database without a daemon.
struct TaskDatabaseTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path("tasks.sqlite") }

  private func open(witnessed: UInt64?) throws -> TaskDatabase {
    try TaskDatabase(path: path, seal: RowSeal(file: directory.path("rows.key")), witnessed: witnessed)
  }

  private static func change(_ name: String, _ content: (any Encodable)?) -> TaskDatabase.Change {
    .init(kind: .app, name: name, content: content)
  }

  private static func names(_ database: TaskDatabase) -> [String: String] {
    Dictionary(uniqueKeysWithValues: database.contents(.app, as: String.self).values.map { ($0.name, $0.value) })
  }

  private struct Mistake: Error {}

  private struct Unencodable: Encodable {
    func encode(to encoder: any Encoder) throws { throw Mistake() }
  }

  @Test func `Stored rows are read by the next daemon`() throws {
    do {
      let database = try open(witnessed: nil)
      #expect(try database.nextGeneration(after: 0) == 1)
      try database.store([Self.change("a", "1"), Self.change("b", "2"), Self.change("c\u{0}d", "3")])
      try database.store([Self.change("a", nil), Self.change("b", "4")])
      #expect(database.commit == 2)
    }
    let database = try open(witnessed: 2)
    #expect(database.flaws == [])
    #expect(Self.names(database) == ["b": "4", "c\u{0}d": "3"])
    #expect(try database.nextGeneration(after: 0) == 2)
  }

  @Test func `A change that fails leaves the rows and the number of the commit as they were`() throws {
    do {
      let database = try open(witnessed: nil)
      try database.store([Self.change("a", "1")])
      #expect(throws: Mistake.self) {
        try database.store([Self.change("a", nil), Self.change("b", "2"), Self.change("c", Unencodable())])
      }
      #expect(database.commit == 1)
      try database.store([Self.change("d", "3")])
      #expect(database.commit == 2)
    }
    let database = try open(witnessed: 2)
    #expect(database.flaws == [])
    #expect(Self.names(database) == ["a": "1", "d": "3"])
  }

  @Test func `A database that is in use is an error, but not damage`() throws {
    let database = try open(witnessed: nil)
    let other = try SQLiteConnection(path: path, .writing)
    try other.transaction {
      let error = try #require(throws: SQLiteError.self) { try database.store([Self.change("a", "1")]) }
      #expect("\(error)" == "SQLite error 5: database is locked - while executing `BEGIN IMMEDIATE TRANSACTION`")
      #expect(!TaskDatabase.isDamage(error))
      #expect(throws: SQLiteError.self) { try open(witnessed: 0) }
    }
    #expect(database.commit == 0)
    try database.store([Self.change("a", "2")])
    #expect(Self.names(try open(witnessed: 1)) == ["a": "2"])
  }

  @Test func `A file that is not a database is damage, and the error says what is wrong`() throws {
    _ = try directory.write([UInt8](repeating: 0x55, count: 9000), to: "tasks.sqlite")
    let error = try #require(throws: SQLiteError.self) { try open(witnessed: 0) }
    #expect(TaskDatabase.isDamage(error))
    #expect("\(error)" == "SQLite error 26: file is not a database - while executing `PRAGMA journal_mode = WAL`")
  }

  @Test func `A failed opening closes the database, so that its files can be moved aside`() throws {
    try open(witnessed: nil).store([Self.change("a", "1")])
    try SQLiteConnection(path: path, .writing).execute("CREATE TABLE more (a)")
    let error = try #require(throws: (any Error).self) { try open(witnessed: 1) }
    #expect(TaskDatabase.isDamage(error))
    #expect("\(error)" == "the schema contains an unexpected table more")
    // The last connection that closes removes the write-ahead log.
    #expect(!FileManager.default.fileExists(atPath: "\(path)-wal"))
  }
}
