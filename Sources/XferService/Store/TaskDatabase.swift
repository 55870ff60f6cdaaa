import CSQLite
import Foundation
import XferSQLite

/// The SQLite database of the daemon's tasks, sessions, apps and settings. A single connection reads, writes and checkpoints,
/// because concurrent checkpoints may corrupt the database in SQLite versions before 3.51.3.
///
/// The database is not `Sendable`: `Service` keeps the store in its lock, so that one thread uses the connection at a time.
final class TaskDatabase {
  private let connection: SQLiteConnection
  private let seal: RowSeal
  /// The rows that were read when the database was opened, kept until `forgetContents()` is called.
  private var found: [StoredRow] = []
  /// The value that each row adds to the ledger's checksum, by kind and name.
  private var weights: [String: UInt64] = [:]
  private var ledger = RowLedger()
  /// Descriptions of missing, stale or extra rows. Rows that cannot be decrypted are reported separately.
  private(set) var flaws: [String] = []

  enum Kind: String, CaseIterable {
    case task, session, app, device, machine
  }

  /// The kind and name of the ledger's row.
  private static let ledgerName = (kind: "ledger", name: "ledger")
  /// The prefix of the kind of a row that was marked as unreadable.
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

  /// Opens the database and checks its integrity. Throws an error for which `isDamage` is true when the file is damaged.
  ///
  /// - Parameters:
  ///   - path: The path of the database, which is created if missing.
  ///   - seal: The encryption of the rows.
  ///   - witnessed: The number of a commit that is known to have succeeded. `nil` when unknown.
  init(path: String, seal: RowSeal, witnessed: UInt64?) throws {
    self.seal = seal
    connection = try SQLiteConnection(path: path, .creating)
    // Prevents a manipulated schema from calling SQL functions.
    try connection.execute("PRAGMA trusted_schema = OFF")
    try connection.execute("PRAGMA journal_mode = WAL")
    // Each commit must survive a power loss, because the app is then told that its task is stored.
    try connection.execute("PRAGMA synchronous = FULL")
    let isNew = try connection.transaction {
      let isNew = try checkSchema()
      try checkPages()
      _ = try lastGeneration()
      return isNew
    }
    try examine(witnessed, isNew: isNew)
    // Moves all committed pages into the database file, where a damaged frame of the write-ahead log cannot affect them.
    try connection.checkpoint()
  }

  private struct Damage: Error, CustomStringConvertible {
    let found: String
    var description: String { found }
  }

  /// Returns whether an error means that the database file is damaged. Disk errors such as a full disk return `false`.
  static func isDamage(_ error: any Error) -> Bool {
    if error is Damage { return true }
    guard let error = error as? SQLiteError else { return false }
    return [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_FORMAT].contains(
      error.primaryCode)
  }

  // MARK: Opening

  /// Creates the tables of a new database, or checks the schema of an existing one. Throws when tables differ or when other
  /// tables, views or triggers exist.
  ///
  /// - Returns: Whether the database is new.
  private func checkSchema() throws -> Bool {
    var found: [String: String] = [:]
    let rows = try connection.statement("SELECT type, name, sql FROM sqlite_master")
    while try rows.step() {
      let (type, name) = (rows.value(0).text ?? "?", rows.value(1).text ?? "?")
      // This also rejects an automatic index, which exists only when a table was created with a different schema.
      guard type == "table", found[name] == nil else { throw Damage(found: "the schema contains an unexpected \(type) \(name)") }
      found[name] = (rows.value(2).text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    if found.isEmpty {
      for (_, statement) in Self.tables.sorted(by: { $0.key < $1.key }) { try connection.execute(statement) }
      return true
    }
    for (name, statement) in Self.tables where found.removeValue(forKey: name) != statement {
      throw Damage(found: "the table \(name) is missing or was changed")
    }
    if let other = found.keys.min() { throw Damage(found: "the schema contains an unexpected table \(other)") }
    return false
  }

  /// Checks the whole file, because reading rows does not find every damaged page.
  private func checkPages() throws {
    var answer: String?
    let rows = try connection.statement("PRAGMA quick_check")
    while try rows.step() { answer = answer ?? rows.value(0).text }
    guard answer == "ok" else { throw Damage(found: answer ?? "no answer") }
  }

  /// Reads all rows, and compares them with the ledger and with the number of a commit that is known to have succeeded (`nil`
  /// when unknown).
  private func examine(_ witnessed: UInt64?, isNew: Bool) throws {
    var (kept, actual): (RowLedger?, RowLedger) = (nil, RowLedger())
    var hasLedger = false
    let rows = try connection.statement("SELECT kind, name, content FROM row")
    while try rows.step() {
      // Values of a damaged database may have any type, so the types are checked.
      guard let kind = rows.value(0).text, let name = rows.value(1).text, let bytes = rows.value(2).blob else {
        flaws.append("a row of the database has values of the wrong type")
        continue
      }
      let content = Data(bytes)
      if (kind, name) == Self.ledgerName {
        hasLedger = true
        kept = seal.open(content, name: "\(kind)/\(name)").flatMap { try? JSONDecoder().decode(RowLedger.self, from: $0) }
        continue
      }
      if kind.hasPrefix(Self.damagedPrefix) { continue }
      if Kind(rawValue: kind) == nil { flaws.append("the database has a row of unknown kind \(kind)") }
      let stored = StoredRow(kind: kind, name: name, content: content)
      found.append(stored)
      let weight = RowLedger.weight(of: content)
      weights[stored.key] = weight
      actual.add(weight)
    }
    if kept == nil, hasLedger { flaws.append("the database's ledger cannot be read") }
    // A database written before ledgers were introduced has no ledger and no witnessed commits, so it is accepted.
    if kept == nil, !hasLedger, !isNew, let witnessed, witnessed > 0 {
      flaws.append("the ledger is missing, although the database had commit \(witnessed)")
    }
    if let kept, kept.commit > 0, witnessed == nil { flaws.append("the number of the database's last commit is missing") }
    if let kept {
      if let witnessed, kept.commit < witnessed {
        flaws.append("the database ends with commit \(kept.commit), but its last commit was \(witnessed)")
      }
      if !kept.holdsSameRows(as: actual) {
        flaws.append("the \(actual.rows) rows of the database differ from the \(kept.rows) rows of its last commit")
      }
    }
    ledger = actual
    ledger.commit = max(kept?.commit ?? 0, witnessed ?? 0)
  }

  /// The number of the last commit.
  var commit: UInt64 { ledger.commit }

  /// Increments and returns the generation, which counts how often a daemon has opened the database.
  ///
  /// - Parameter last: A generation that is known to have been used, for example from the log.
  /// - Returns: The new generation, which is greater than `last`.
  func nextGeneration(after last: UInt64) throws -> UInt64 {
    try connection.transaction {
      let last = Int64(clamping: min(last, UInt64(Self.maximumGeneration / 2)))
      let next = max(try lastGeneration(), last) + 1
      let statement = try connection.statement(
        "INSERT INTO counter VALUES ('generation', ?1) ON CONFLICT (name) DO UPDATE SET value = ?1")
      statement.bind(next, at: 1)
      try statement.run()
      return UInt64(clamping: next)
    }
  }

  private func lastGeneration() throws -> Int64 {
    guard let value = try connection.value("SELECT value FROM counter WHERE name = 'generation'") else { return 0 }
    // The generation must fit into the upper half of delivery and wake IDs, so a larger one is rejected.
    guard let number = value.integer, (0..<Self.maximumGeneration).contains(number) else {
      throw Damage(found: "the generation number is invalid")
    }
    return number
  }

  private static let maximumGeneration: Int64 = 1 << 31

  // MARK: Reading

  struct Contents<Value> {
    /// The decoded values with the names of their rows.
    var values: [(name: String, value: Value)] = []
    /// The names of unreadable rows.
    var damaged: [String] = []
  }

  /// Decodes the rows of a kind that the database contained when it was opened.
  ///
  /// - Parameter flaw: Returns a description of what is invalid in a decoded value, or `nil` when it is valid.
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

  /// Frees the rows that were read when the database was opened.
  func forgetContents() { found = [] }

  // MARK: Writing

  /// Marks rows as unreadable. They stay in the database but are not read again.
  func markUnreadable(_ kind: Kind, _ names: [String]) throws {
    if names.isEmpty { return }
    try commit { weights in
      for name in names {
        weights.updateValue(nil, forKey: "\(kind.rawValue)/\(name)")
        try run(
          "UPDATE OR REPLACE row SET kind = '\(Self.damagedPrefix)' || kind WHERE kind = ? AND name = ?", kind.rawValue, name)
      }
    }
  }

  /// A new state of a row. A `nil` content deletes the row.
  struct Change {
    let kind: Kind
    let name: String
    let content: (any Encodable)?
  }

  /// Applies changes atomically.
  func store(_ changes: [Change]) throws {
    try commit { weights in
      for change in changes {
        let key = "\(change.kind.rawValue)/\(change.name)"
        guard let content = change.content else {
          weights.updateValue(nil, forKey: key)
          try run("DELETE FROM row WHERE kind = ? AND name = ?", change.kind.rawValue, change.name)
          continue
        }
        let bytes = try seal.close(JSONEncoder().encode(content), name: key)
        weights[key] = RowLedger.weight(of: bytes)
        try put(bytes, change.kind.rawValue, change.name)
      }
    }
  }

  /// Applies changes and updates the ledger in one transaction.
  ///
  /// - Parameter change: Writes rows and adds each changed row's new weight to its dictionary argument. A `nil` weight means
  ///   that the row was deleted.
  private func commit(_ change: (inout [String: UInt64?]) throws -> Void) throws {
    var ledger = ledger
    let changed = try connection.transaction {
      var changed: [String: UInt64?] = [:]
      try change(&changed)
      for (key, weight) in changed {
        if let old = weights[key] { ledger.remove(old) }
        if let weight { ledger.add(weight) }
      }
      ledger.commit &+= 1
      let (kind, name) = Self.ledgerName
      try put(seal.close(JSONEncoder().encode(ledger), name: "\(kind)/\(name)"), kind, name)
      return changed
    }
    self.ledger = ledger
    for (key, weight) in changed { weights[key] = weight }
  }

  private func put(_ bytes: Data, _ kind: String, _ name: String) throws {
    let statement = try connection.statement(
      "INSERT INTO row VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET content = excluded.content")
    statement.bind(kind, at: 1)
    statement.bind(name, at: 2)
    bytes.withUnsafeBytes { statement.bind(blob: $0, at: 3) }
    try statement.run()
  }

  /// Runs a statement whose parameters are the kind and the name of a row.
  private func run(_ sql: String, _ kind: String, _ name: String) throws {
    let statement = try connection.statement(sql)
    statement.bind(kind, at: 1)
    statement.bind(name, at: 2)
    try statement.run()
  }
}
