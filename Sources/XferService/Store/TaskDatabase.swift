import Foundation
import GRDB

/// What the daemon must not forget, in SQLite. One connection reads, writes and checkpoints: two at once may corrupt a database of the
/// versions before 3.51.3.
final class TaskDatabase {
  private let queue: DatabaseQueue
  private let seal: RowSeal

  enum Kind: String, CaseIterable {
    case task, session, app, device
  }

  /// - Parameter path: made when there is nothing; its owner's alone.
  init(path: String, seal: RowSeal) throws {
    self.seal = seal
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      // A commit is on the disk: an app was told that its task is kept.
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS row (kind TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (kind, name))
            WITHOUT ROWID;
          CREATE TABLE IF NOT EXISTS counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
          """)
    }
    // The file's contents are looked at once: a page that was damaged is not found by the row that is read.
    let answer = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check") }
    guard answer == "ok" else { throw Damage(found: answer ?? "no answer") }
  }

  private struct Damage: Error {
    let found: String
  }

  /// Whether it is the file that is wrong, and not the disk: a full one gives the same file later.
  static func isDamage(_ error: any Error) -> Bool {
    if error is Damage { return true }
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode.primaryResultCode)
  }

  /// - Parameter last: known from elsewhere.
  /// - Returns: how often the database has been opened, this time included; above `last` in any case.
  func nextGeneration(after last: UInt64) throws -> UInt64 {
    try queue.write { database in
      try database.execute(
        sql: """
          INSERT INTO counter VALUES ('generation', ?1 + 1)
            ON CONFLICT (name) DO UPDATE SET value = max(value, ?1) + 1
          """, arguments: [Int64(clamping: last)])
      return UInt64(try Int64.fetchOne(database, sql: "SELECT value FROM counter WHERE name = 'generation'") ?? 1)
    }
  }

  struct Contents<Row: Decodable> {
    var rows: [Row] = []
    /// Names of rows that cannot be read.
    var damaged: [String] = []
  }

  func contents<Row: Decodable>(_ kind: Kind, as type: Row.Type) throws -> Contents<Row> {
    try queue.read { database in
      var contents = Contents<Row>()
      for row in try GRDB.Row.fetchAll(database, sql: "SELECT name, content FROM row WHERE kind = ?", arguments: [kind.rawValue])
      {
        let name: String = row["name"]
        if let json = seal.open(row["content"], name: "\(kind.rawValue)/\(name)"),
          let value = try? JSONDecoder().decode(type, from: json)
        {
          contents.rows.append(value)
        } else {
          contents.damaged.append(name)
        }
      }
      return contents
    }
  }

  /// Keeps rows that cannot be read, and does not read them again.
  func setAside(_ kind: Kind, _ names: [String]) throws {
    try queue.write { database in
      for name in names {
        try database.execute(
          sql: "UPDATE OR REPLACE row SET kind = 'damaged ' || kind WHERE kind = ? AND name = ?",
          arguments: [kind.rawValue, name])
      }
    }
  }

  /// One row as it is to be; `nil` content for none.
  struct Change {
    let kind: Kind
    let name: String
    let content: (any Encodable)?
  }

  /// Makes all changes or none.
  func store(_ changes: [Change]) throws {
    try queue.write { database in
      for change in changes {
        guard let content = change.content else {
          try database.execute(
            sql: "DELETE FROM row WHERE kind = ? AND name = ?", arguments: [change.kind.rawValue, change.name])
          continue
        }
        let bytes = try seal.close(JSONEncoder().encode(content), name: "\(change.kind.rawValue)/\(change.name)")
        try database.execute(
          sql: "INSERT INTO row VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET content = excluded.content",
          arguments: [change.kind.rawValue, change.name, bytes])
      }
    }
  }
}
