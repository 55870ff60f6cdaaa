import CXferPlatform
import XferReading
import XferReport

/// The rows of the verdicts about many logs on standard output, with their number and their checksum.
final class VerdictOutput {
  private let output: StandardOutput
  private var rows = 0
  private var checksum: UInt32 = 0

  init(_ output: StandardOutput) { self.output = output }

  func append(_ row: VerdictRow) {
    let start = output.buffer.count
    output.buffer.appendJSON { row.write(to: &$0) }
    output.buffer.append(UInt8(ascii: "\n"))
    let line = UnsafeRawBufferPointer(rebasing: output.buffer.bytes[start...])
    checksum = xp_crc32c(checksum, line.baseAddress, line.count)
    rows += 1
  }

  func flushIfLarge() throws { try output.flushIfLarge() }

  /// Writes everything, so that the reader of a pipe sees progress.
  func flush() throws { try output.flush() }

  func finish(logs: Int, unreadable: Int) throws {
    append(.end(VerdictRow.End(logs: logs, unreadable: unreadable, rows: rows, checksum: checksum)))
    try output.flush()
  }
}
