import Foundation
import GRDB

/// What the daemon must not forget, in SQLite. One connection reads, writes and checkpoints: two at once may corrupt a database of the
/// versions before 3.51.3.
final class TaskDatabase {
  private let queue: DatabaseQueue
  private let seal: RowSeal
  /// The rows as they were read when the database was opened, until they are loaded.
  private var found: [StoredRow] = []
  /// What each row adds to the ledger's sum, by kind and name.
  private var weights: [String: UInt64] = [:]
  private var ledger = RowLedger()
  /// What the rows are not, in words: missing, stale, or more than there should be. Rows that cannot be opened are counted apart.
  private(set) var flaws: [String] = []

  enum Kind: String, CaseIterable {
    case task, session, app, device, machine
  }

  /// The row with the ledger.
  private static let ledgerName = (kind: "ledger", name: "ledger")
  /// The kind of a row that cannot be read begins with this.
  private static let damagedPrefix = "damaged "

  private struct StoredRow {
    let kind: String
    let name: String
    let content: Data
    var key: String { "\(kind)/\(name)" }
  }

  private static let tables = [
    "row":
      "CREATE TABLE row (kind TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID",
    "counter": "CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
  ]

  /// - Parameters:
  ///   - path: made when there is nothing; its owner's alone.
  ///   - witnessed: the number of a commit that succeeded, as far as anybody knows; `nil` when nobody does.
  init(path: String, seal: RowSeal, witnessed: UInt64?) throws {
    self.seal = seal
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      // A schema that somebody else wrote calls no functions.
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      // A commit is on the disk: an app was told that its task is kept.
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    let isNew = try queue.write { database in
      let isNew = try Self.checkSchema(database)
      // The file's contents are looked at once: a page that was damaged is not found by the row that is read.
      let answer = try Self.texts(database, "PRAGMA quick_check").first ?? "no answer"
      guard answer == "ok" else { throw Damage(found: answer) }
      _ = try Self.generation(database)
      return isNew
    }
    try examine(witnessed, isNew: isNew)
    // What stands in the file itself does not depend on each frame of the log before it.
    try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  private struct Damage: Error, CustomStringConvertible {
    let found: String
    var description: String { found }
  }

  /// Whether it is the file that is wrong, and not the disk: a full one gives the same file later.
  static func isDamage(_ error: any Error) -> Bool {
    if error is Damage { return true }
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_FORMAT].contains(
      error.resultCode.primaryResultCode)
  }

  // MARK: Opening

  /// Makes the tables of a new database; refuses one whose tables are not those, or that has views or triggers.
  ///
  /// - Returns: whether the database is new.
  private static func checkSchema(_ database: Database) throws -> Bool {
    var found: [String: String] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT type, name, sql FROM sqlite_master")
    while let row = try rows.next() {
      let (type, name) = (text(row, 0) ?? "?", text(row, 1) ?? "?")
      // SQLite's own index of a table that was made otherwise, too.
      guard type == "table", found[name] == nil else { throw Damage(found: "its schema has the \(type) \(name)") }
      found[name] = (text(row, 2) ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    if found.isEmpty {
      for (_, statement) in tables.sorted(by: { $0.key < $1.key }) { try database.execute(sql: statement) }
      return true
    }
    for (name, statement) in tables where found.removeValue(forKey: name) != statement {
      throw Damage(found: "its table \(name) is missing or was changed")
    }
    if let other = found.keys.min() { throw Damage(found: "it has a table \(other)") }
    return false
  }

  /// Reads all rows, and compares them with what the database should hold.
  private func examine(_ witnessed: UInt64?, isNew: Bool) throws {
    var (kept, actual): (RowLedger?, RowLedger) = (nil, RowLedger())
    var hasLedger = false
    try queue.read { database in
      let rows = try Row.fetchCursor(database, sql: "SELECT kind, name, content FROM row")
      while let row = try rows.next() {
        guard let kind = Self.text(row, 0), let name = Self.text(row, 1), let content = Self.bytes(row, 2) else {
          flaws.append("a row of the database has values of another type")
          continue
        }
        if (kind, name) == Self.ledgerName {
          hasLedger = true
          kept = seal.open(content, name: "\(kind)/\(name)").flatMap { try? JSONDecoder().decode(RowLedger.self, from: $0) }
          continue
        }
        if kind.hasPrefix(Self.damagedPrefix) { continue }
        if Kind(rawValue: kind) == nil { flaws.append("the database has a row of the unknown kind \(kind)") }
        let stored = StoredRow(kind: kind, name: name, content: content)
        found.append(stored)
        let weight = RowLedger.weight(of: content)
        weights[stored.key] = weight
        actual.add(weight)
      }
    }
    if kept == nil, hasLedger { flaws.append("the database's ledger cannot be read") }
    // A database of a version before the ledger has none, and nobody has witnessed its commits.
    if kept == nil, !hasLedger, !isNew, let witnessed, witnessed > 0 {
      flaws.append("the database has no ledger, and had commit \(witnessed)")
    }
    if let kept, kept.commit > 0, witnessed == nil { flaws.append("the number of the database's last commit is missing") }
    if let kept {
      if let witnessed, kept.commit < witnessed {
        flaws.append("the database ends with commit \(kept.commit), and had commit \(witnessed)")
      }
      if !kept.holdsSameRows(as: actual) {
        flaws.append("the database has \(actual.rows) rows that are not the \(kept.rows) of its last commit")
      }
    }
    ledger = actual
    ledger.commit = max(kept?.commit ?? 0, witnessed ?? 0)
  }

  /// The number of the last commit.
  var commit: UInt64 { ledger.commit }

  /// - Parameter last: known from elsewhere.
  /// - Returns: how often the database has been opened, this time included; above `last` in any case.
  func nextGeneration(after last: UInt64) throws -> UInt64 {
    try queue.write { database in
      let last = Int64(clamping: min(last, UInt64(Self.greatestGeneration / 2)))
      let next = max(try Self.generation(database), last) + 1
      try database.execute(
        sql: "INSERT INTO counter VALUES ('generation', ?1) ON CONFLICT (name) DO UPDATE SET value = ?1", arguments: [next])
      return UInt64(clamping: next)
    }
  }

  private static func generation(_ database: Database) throws -> Int64 {
    let rows = try Row.fetchAll(database, sql: "SELECT value FROM counter WHERE name = 'generation'")
    guard let row = rows.first else { return 0 }
    // Deliveries and wakes have it in the upper half of their numbers.
    guard row.count > 0, case .int64(let number) = (row[0] as DatabaseValue).storage, (0..<greatestGeneration).contains(number)
    else { throw Damage(found: "its generation is no number of a daemon") }
    return number
  }

  private static let greatestGeneration: Int64 = 1 << 31

  // MARK: Reading

  struct Contents<Value> {
    /// By the rows' names.
    var values: [(name: String, value: Value)] = []
    /// Names of rows that cannot be read.
    var damaged: [String] = []
  }

  /// Decodes the rows that the database had when it was opened.
  ///
  /// - Parameter flaw: what is wrong with a value that was decoded; `nil` for nothing.
  func contents<Value: Decodable>(
    _ kind: Kind, as type: Value.Type, flaw: (_ name: String, Value) -> String? = { _, _ in nil }
  ) -> Contents<Value> {
    var contents = Contents<Value>()
    for row in found where row.kind == kind.rawValue {
      if let json = seal.open(row.content, name: row.key), let value = try? JSONDecoder().decode(type, from: json),
        flaw(row.name, value) == nil
      {
        contents.values.append((row.name, value))
      } else {
        contents.damaged.append(row.name)
      }
    }
    return contents
  }

  /// Frees what `contents` reads.
  func forgetContents() { found = [] }

  // A value is looked at before it is converted: GRDB's own conversions trap on one of another type.

  private static func text(_ row: Row, _ place: Int) -> String? {
    guard place < row.count, case .string(let text) = (row[place] as DatabaseValue).storage else { return nil }
    return text
  }

  private static func bytes(_ row: Row, _ place: Int) -> Data? {
    guard place < row.count, case .blob(let bytes) = (row[place] as DatabaseValue).storage else { return nil }
    return bytes
  }

  private static func texts(_ database: Database, _ sql: String) throws -> [String] {
    try Row.fetchAll(database, sql: sql).compactMap { text($0, 0) }
  }

  // MARK: Writing

  /// Keeps rows that cannot be read, and does not read them again.
  func setAside(_ kind: Kind, _ names: [String]) throws {
    if names.isEmpty { return }
    try commit { database, weights in
      for name in names {
        weights.updateValue(nil, forKey: "\(kind.rawValue)/\(name)")
        try database.execute(
          sql: "UPDATE OR REPLACE row SET kind = '\(Self.damagedPrefix)' || kind WHERE kind = ? AND name = ?",
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
    try commit { database, weights in
      for change in changes {
        let key = "\(change.kind.rawValue)/\(change.name)"
        guard let content = change.content else {
          weights.updateValue(nil, forKey: key)
          try database.execute(
            sql: "DELETE FROM row WHERE kind = ? AND name = ?", arguments: [change.kind.rawValue, change.name])
          continue
        }
        let bytes = try seal.close(JSONEncoder().encode(content), name: key)
        weights[key] = RowLedger.weight(of: bytes)
        try Self.put(bytes, change.kind.rawValue, change.name, database)
      }
    }
  }

  /// Makes changes together with the ledger that describes them.
  ///
  /// - Parameter change: says of each row that it changes what it adds to the ledger's sum; `nil` for a row that is gone.
  private func commit(_ change: (Database, inout [String: UInt64?]) throws -> Void) throws {
    var ledger = ledger
    let changed = try queue.write { database in
      var changed: [String: UInt64?] = [:]
      try change(database, &changed)
      for (key, weight) in changed {
        if let old = weights[key] { ledger.remove(old) }
        if let weight { ledger.add(weight) }
      }
      ledger.commit &+= 1
      let (kind, name) = Self.ledgerName
      try Self.put(seal.close(JSONEncoder().encode(ledger), name: "\(kind)/\(name)"), kind, name, database)
      return changed
    }
    self.ledger = ledger
    for (key, weight) in changed { weights[key] = weight }
  }

  private static func put(_ bytes: Data, _ kind: String, _ name: String, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO row VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET content = excluded.content",
      arguments: [kind, name, bytes])
  }
}
