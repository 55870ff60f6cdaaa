import XferReading
import XferReport

/// The rows of the verdicts about many logs on standard output, with their number and their checksum.
final class VerdictOutput {
  private let output: StandardOutput
  private var tally = LineTally()
  /// Whether no later batch can change the rows that are appended.
  var isFinal = true

  init(_ output: StandardOutput) { self.output = output }

  func append(_ row: VerdictRow) {
    var row = row
    row.isFinal = isFinal
    let start = output.buffer.count
    output.buffer.appendJSON { row.write(to: &$0) }
    tally.end(start, in: &output.buffer)
  }

  /// Appends a row that another process wrote.
  func append(line: [UInt8]) throws {
    let start = output.buffer.count
    line.withUnsafeBytes { output.buffer.append($0) }
    tally.end(start, in: &output.buffer)
    try output.flushIfLarge()
  }

  func flushIfLarge() throws { try output.flushIfLarge() }

  /// Writes everything, so that the reader of a pipe sees progress.
  func flush() throws { try output.flush() }

  func finish(_ end: VerdictRow.End) throws {
    var end = end
    (end.rows, end.checksum) = (tally.count, tally.checksum)
    append(.end(end))
    try output.flush()
  }

  /// Appends the last row of a run of several processes.
  func finish(logs: Int, unreadable: Int, lines: (read: Int, unreadable: Int, duplicate: Int)?) throws {
    var end = VerdictRow.End()
    (end.logs, end.unreadable) = (logs, unreadable)
    if let lines {
      var sum = VerdictRow.End.Lines()
      (sum.read, sum.unreadable, sum.duplicate) = lines
      end.lines = sum
    }
    try finish(end)
  }
}
