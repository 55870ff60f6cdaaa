import Foundation

/// The expected contents of the database: the number of its last commit and a checksum over its rows. Stored as a separate row
/// in each commit.
///
/// SQLite silently ends its write-ahead log at the first damaged frame, and a changed page may hide rows. The checksum detects
/// missing and stale rows, and the commit number detects an older copy of the database.
struct RowLedger: Codable, Equatable {
  var commit: UInt64 = 0
  var rows: Int = 0
  private var sum: UInt64 = 0

  mutating func add(_ weight: UInt64) { (rows, sum) = (rows &+ 1, sum &+ weight) }
  mutating func remove(_ weight: UInt64) { (rows, sum) = (rows &- 1, sum &- weight) }

  /// Returns the value that a row adds to the checksum.
  ///
  /// - Parameter row: The encrypted row. Its last bytes are an authentication tag over the row's contents and name.
  static func weight(of row: Data) -> UInt64 { row.suffix(8).reduce(0) { $0 &<< 8 | UInt64($1) } }

  /// Returns whether two ledgers describe the same rows.
  func holdsSameRows(as other: RowLedger) -> Bool { (rows, sum) == (other.rows, other.sum) }
}
