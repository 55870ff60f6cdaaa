import XferReport
import XferSQLite

/// The file of an index.
package struct IndexFile {
  package let path: String

  package init(path: String) { self.path = path }

  /// Returns the metadata of an index with this origin.
  static func meta(_ origin: IndexOrigin) -> [(key: String, value: String)] {
    [("program", origin.program), ("sql", digest(IndexSQL.schema + IndexSQL.views))]
  }

  /// Whether the index was made from exactly this origin. `false` for a file that cannot be read.
  package func isMade(from origin: IndexOrigin) -> Bool {
    (try? describes(origin)) ?? false
  }

  private func describes(_ origin: IndexOrigin) throws(SQLiteError) -> Bool {
    let connection = try SQLiteConnection(path: path, .readingOnly)
    guard try Self.isIndex(connection) else { return false }
    for (key, value) in Self.meta(origin) {
      let statement = try connection.statement("SELECT value FROM meta WHERE key = ?")
      statement.bind(key, at: 1)
      guard try statement.step(), statement.value(0) == .text(value) else { return false }
    }
    let statement = try connection.statement(
      "SELECT log, path, size, modified_ns, inode, checksum FROM sources ORDER BY id")
    for source in origin.sources {
      guard try statement.step() else { return false }
      for (column, entry) in source.columns.enumerated() where statement.value(Int32(column)) != entry.value { return false }
    }
    return try !statement.step()
  }

  /// Whether the file is an index of any version. Only such a file may be overwritten.
  package var isIndex: Bool {
    guard let connection = try? SQLiteConnection(path: path, .readingOnly) else { return false }
    return (try? Self.isIndex(connection)) ?? false
  }

  package var hasEvents: Bool {
    guard let connection = try? SQLiteConnection(path: path, .readingOnly) else { return false }
    return (try? connection.value("SELECT id FROM events LIMIT 1")) != nil
  }

  /// The application id "xflg", which schema.sql sets.
  private static let applicationID: Int64 = 0x7866_6c67

  private static func isIndex(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
    try connection.value("PRAGMA application_id")?.integer == applicationID
  }

  /// Returns the FNV-1a hash of a text, in hexadecimal. The hash distinguishes versions but is not collision-resistant.
  package static func digest(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
      hash ^= UInt64(byte)
      hash = hash &* 0x0000_0100_0000_01b3
    }
    var digits = TextBuffer(capacity: 64)
    digits.append(hexadecimal: hash)
    return digits.string
  }
}
