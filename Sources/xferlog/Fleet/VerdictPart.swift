import CXferPlatform
import XferEvents
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
    var (previous, rows, checksum): ([UInt8]?, Int, UInt32) = (nil, 0, 0)
    while let line = try lines.next() {
      if line.isCut { return nil }
      if let previous {
        rows += 1
        checksum = (previous + [UInt8(ascii: "\n")]).withUnsafeBytes { xp_crc32c(checksum, $0.baseAddress, $0.count) }
      }
      previous = line.bytes
    }
    guard let last = previous, let end = last.withUnsafeBytes({ JSONValue($0) }), end["kind"]?.text == "end",
      end["rows"]?.int == rows, end["checksum"]?.text == String(UInt64(checksum).hexadecimal.suffix(8))
    else { return nil }
    (self.end, self.rows) = (end, rows)
  }

  func number(_ name: String) -> Int { end[name]?.int ?? 0 }
}
