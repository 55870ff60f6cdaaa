import CXferPlatform
import XferReport

/// The number and the CRC-32C of lines, by which the last row of verdicts or of a state shows that all lines before it are there.
struct LineTally {
  private(set) var count = 0
  private(set) var checksum: UInt32 = 0

  /// - Parameter line: the bytes of the line, with its line feed.
  mutating func add(_ line: UnsafeRawBufferPointer) {
    checksum = xp_crc32c(checksum, line.baseAddress, line.count)
    count += 1
  }

  /// - Parameter line: the bytes of the line, without its line feed.
  mutating func add(line: [UInt8]) {
    checksum = line.withUnsafeBytes { xp_crc32c(checksum, $0.baseAddress, $0.count) }
    withUnsafeBytes(of: UInt8(ascii: "\n")) { add($0) }
  }

  /// Ends the line that begins at an offset of the buffer, and adds it.
  mutating func end(_ start: Int, in buffer: inout TextBuffer) {
    buffer.append(UInt8(ascii: "\n"))
    add(UnsafeRawBufferPointer(rebasing: buffer.bytes[start...]))
  }

  /// Whether a number and a checksum in a last row are those of the lines.
  func equals(_ count: Int?, _ checksum: String?) -> Bool { count == self.count && checksum == CarriedRow.text(self.checksum) }
}
