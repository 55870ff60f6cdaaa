import Foundation
import LogTestSupport
import XferCrypto
import XferSQLite

@testable import XferService

/// A change of the daemon's state directory as caused by an attacker, a failing disk or a restored backup.
enum StateDamage: String, CaseIterable {
  case bitOfLog, bitOfDatabase, manyBits, zeroedPage
  case logCut, logRemoved, databaseCut, databaseRemoved, olderDatabase
  case columnMissing, columnType, viewForTable, trigger, extraTable, counterText, counterHuge
  case nullName, textContent, otherKind, rowRemoved, absurdValue
  case keyEmpty, keyCut, keyBit, keyRemoved, keyLink, keyOpen, commitsBit, commitsRemoved

  /// Whether the change may have no effect on the daemon.
  var mayBeHarmless: Bool {
    switch self {
    case .bitOfLog, .bitOfDatabase, .manyBits, .zeroedPage, .logCut, .logRemoved, .databaseCut, .absurdValue, .olderDatabase,
      .commitsBit, .commitsRemoved:
      true
    default: false
    }
  }

  /// Applies the change.
  ///
  /// - Parameters:
  ///   - directory: The daemon's state directory.
  ///   - older: A copy of the state directory from an earlier time.
  func apply(to directory: String, older: String, _ random: inout SeededRandom) throws {
    let (database, log, key) = ("\(directory)/tasks.sqlite", "\(directory)/tasks.sqlite-wal", "\(directory)/rows.key")
    let commits = "\(directory)/tasks.commits"
    switch self {
    case .bitOfLog: try Self.flip(log, 1, &random)
    case .bitOfDatabase: try Self.flip(database, 1, &random)
    case .manyBits:
      try Self.flip(log, Int.random(in: 0...16, using: &random), &random)
      try Self.flip(database, Int.random(in: 0...16, using: &random), &random)
    case .zeroedPage:
      try Self.change(Bool.random(using: &random) ? log : database) { bytes in
        let start = Int.random(in: 0..<bytes.count, using: &random) & ~4095
        for place in start..<min(bytes.count, start + 4096) { bytes[place] = 0 }
      }
    case .logCut: try Self.change(log) { $0.removeLast(Int.random(in: 1...$0.count, using: &random)) }
    case .databaseCut: try Self.change(database) { $0.removeLast(Int.random(in: 1...$0.count, using: &random)) }
    case .logRemoved: unlink(log)
    case .databaseRemoved: unlink(database)
    case .olderDatabase:
      for suffix in ["", "-wal", "-shm"] {
        unlink(database + suffix)
        try? FileManager.default.copyItem(atPath: "\(older)/tasks.sqlite\(suffix)", toPath: database + suffix)
      }
    case .columnMissing:
      try Self.sql(database, "CREATE TABLE x AS SELECT kind, name FROM row; DROP TABLE row; ALTER TABLE x RENAME TO row")
    case .columnType:
      try Self.sql(
        database,
        """
        CREATE TABLE x (kind INTEGER, name BLOB, content TEXT); INSERT INTO x SELECT kind, CAST(name AS BLOB), hex(content) FROM row;
        DROP TABLE row; ALTER TABLE x RENAME TO row
        """)
    case .viewForTable:
      try Self.sql(database, "ALTER TABLE row RENAME TO x; CREATE VIEW row AS SELECT kind, name, content FROM x WHERE 0")
    case .trigger:
      try Self.sql(database, "CREATE TRIGGER t AFTER UPDATE ON row BEGIN DELETE FROM row; END")
    case .extraTable: try Self.sql(database, "CREATE TABLE more (a)")
    case .counterText: try Self.sql(database, "UPDATE counter SET value = 'many'")
    case .counterHuge: try Self.sql(database, "UPDATE counter SET value = 9223372036854775807")
    case .nullName: try Self.sql(database, "UPDATE row SET name = CAST(x'ff00fe' AS BLOB) WHERE name = \(Self.someTask)")
    case .textContent: try Self.sql(database, "UPDATE row SET content = 'text' WHERE name = \(Self.someTask)")
    case .otherKind: try Self.sql(database, "UPDATE row SET kind = 'tasc' WHERE name = \(Self.someTask)")
    case .rowRemoved: try Self.sql(database, "DELETE FROM row WHERE name = \(Self.someTask)")
    case .absurdValue: try Self.makeAbsurd(directory, &random)
    case .keyEmpty: try Data().write(to: URL(fileURLWithPath: key))
    case .keyCut: try Self.change(key) { $0.removeLast() }
    case .keyBit: try Self.flip(key, 1, &random)
    case .keyRemoved: unlink(key)
    case .keyLink:
      rename(key, "\(directory)/other")
      symlink("\(directory)/other", key)
    case .keyOpen: chmod(key, 0o644)
    case .commitsBit: try Self.flip(commits, 1, &random)
    case .commitsRemoved: unlink(commits)
    }
  }

  private static let someTask = "(SELECT name FROM row WHERE kind = 'task' ORDER BY name LIMIT 1)"

  private static func change(_ path: String, _ act: (inout [UInt8]) -> Void) throws {
    guard var bytes = FileManager.default.contents(atPath: path).map(Array.init), !bytes.isEmpty else { return }
    act(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
  }

  private static func flip(_ path: String, _ count: Int, _ random: inout SeededRandom) throws {
    let places = (0..<count).map { _ in (UInt64.random(in: .min ... .max, using: &random), Int.random(in: 0..<8, using: &random))
    }
    try change(path) { bytes in
      for (place, bit) in places { bytes[Int(place % UInt64(bytes.count))] ^= 1 << UInt8(bit) }
    }
  }

  // MARK: SQL

  private static func sql(_ path: String, _ text: String) throws { try SQLiteConnection(path: path, .writing).execute(text) }

  /// Writes an invalid value into a random row, encrypted with the daemon's key.
  private static func makeAbsurd(_ directory: String, _ random: inout SeededRandom) throws {
    let seal = try RowSeal(file: "\(directory)/rows.key")
    let connection = try SQLiteConnection(path: "\(directory)/tasks.sqlite", .writing)
    var rows: [(kind: String, name: String, content: Data)] = []
    let statement = try connection.statement(
      "SELECT kind, name, content FROM row WHERE kind != 'ledger' ORDER BY kind, name")
    while try statement.step() {
      rows.append((statement.value(0).text ?? "", statement.value(1).text ?? "", Data(statement.value(2).blob ?? [])))
    }
    guard let row = rows.randomElement(using: &random),
      let json = seal.open(row.content, name: "\(row.kind)/\(row.name)"),
      let object = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    else { return }
    var leaves = count(object)
    leaves = leaves > 0 ? Int.random(in: 0..<leaves, using: &random) : 0
    let changed = replace(object, &leaves, absurd.randomElement(using: &random) ?? 0)
    let bytes = try seal.close(
      JSONSerialization.data(withJSONObject: changed, options: .fragmentsAllowed), name: "\(row.kind)/\(row.name)")
    let update = try connection.statement("UPDATE row SET content = ? WHERE kind = ? AND name = ?")
    bytes.withUnsafeBytes { update.bind(blob: $0, at: 1) }
    update.bind(row.kind, at: 2)
    update.bind(row.name, at: 3)
    try update.run()
  }

  private static let absurd: [any Sendable] = [
    Int64.max, Int64.min, -1, UInt64.max, 1e300, -1e300, 0, "", "\u{0}", "../../../etc/passwd",
    String(repeating: "a", count: 100_000),
    [Int](), Int32.max, true,
  ]

  private static func count(_ value: Any) -> Int {
    switch value {
    case let object as [String: Any]: object.values.reduce(0) { $0 + count($1) }
    case let array as [Any]: array.reduce(0) { $0 + count($1) }
    default: 1
    }
  }

  /// Replaces one value in a JSON document.
  ///
  /// - Parameter leaf: The number of values to skip. Decremented for each skipped value.
  private static func replace(_ value: Any, _ leaf: inout Int, _ other: Any) -> Any {
    switch value {
    case let object as [String: Any]:
      var result = object
      for key in object.keys.sorted() { result[key] = replace(object[key]!, &leaf, other) }
      return result
    case let array as [Any]: return array.map { replace($0, &leaf, other) }
    default:
      leaf -= 1
      return leaf == -1 ? other : value
    }
  }
}
