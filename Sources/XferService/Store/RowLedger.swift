import Foundation

/// What the database should hold: the number of its last commit, and a sum over its rows. Stored as a row of its own in each commit.
///
/// SQLite ends its write-ahead log at the first frame that is damaged and says nothing of what followed; a page that was changed may
/// hide rows. The sum finds rows that are missing or of another commit, the commit's number a database that is older than it was.
struct RowLedger: Codable, Equatable {
  var commit: UInt64 = 0
  var rows: Int = 0
  private var sum: UInt64 = 0

  mutating func add(_ weight: UInt64) { (rows, sum) = (rows &+ 1, sum &+ weight) }
  mutating func remove(_ weight: UInt64) { (rows, sum) = (rows &- 1, sum &- weight) }

  /// What a row adds to the sum.
  ///
  /// - Parameter row: sealed. Its last bytes authenticate all the others and the row's name, so they stand for the row.
  static func weight(of row: Data) -> UInt64 { row.suffix(8).reduce(0) { $0 &<< 8 | UInt64($1) } }

  /// Whether two ledgers describe the same rows.
  func holdsSameRows(as other: RowLedger) -> Bool { (rows, sum) == (other.rows, other.sum) }
}
