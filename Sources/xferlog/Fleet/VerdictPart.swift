import XferImport
import XferReading

/// The rows that one process of a fleet replay printed, in a file.
struct VerdictPart {
  let path: String
  /// The last row.
  let end: JSONValue
  let rows: Int

  /// Reads the rows once, and checks them against the last one.
  ///
  /// - Returns: `nil` if the last row is missing, or does not fit the others.
  init?(_ path: String) throws {
    self.path = path
    var lines = try InputLines(file: path)
    var (previous, tally): ([UInt8]?, LineTally) = (nil, LineTally())
    while let line = try lines.next() {
      if line.isCut { return nil }
      if let previous { tally.add(line: previous) }
      previous = line.bytes
    }
    guard let last = previous, let end = last.withUnsafeBytes({ JSONValue($0) }), end["kind"]?.text == "end",
      tally.equals(end["rows"]?.int, end["checksum"]?.text)
    else { return nil }
    (self.end, rows) = (end, tally.count)
  }

  func number(_ name: String) -> Int { end[name]?.int ?? 0 }
}
