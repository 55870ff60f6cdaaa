import XferReading
import XferReport

/// Writes the state for the next batch. The file appears only when it is complete.
final class CarriedStateWriter {
  private let destination: ExportDestination
  private var tally = LineTally()

  init(_ path: String, _ surroundings: Surroundings) throws {
    if path == "-" { throw CommandExit(.wrongUsage, "standard output has the verdicts; name a file with --state-out") }
    destination = try ExportDestination(path, replaces: true, isBinary: false, option: "--state-out", surroundings)
  }

  func append(_ group: LineGroup, _ places: [Int]) throws {
    for place in places {
      let start = destination.output.buffer.count
      group.line(place).withUnsafeBytes { destination.output.buffer.append($0) }
      try end(start)
    }
  }

  /// Appends the places of a group's events, in rows that are short enough to be read again.
  func append(_ name: GroupName, _ group: ClosedGroup) throws {
    var (row, size) = ([CarriedRow.Lane](), 0)
    for lane in group.lanes(atMost: Self.mostRanges) {
      if size + lane.count > Self.mostRanges {
        try append(.closed(name.text, row))
        (row, size) = ([], 0)
      }
      row.append(lane.row)
      size += lane.count
    }
    try append(.closed(name.text, row))
  }

  /// The maximum number of ranges in one row. A range takes at most 200 bytes, and a line 1 MiB.
  private static let mostRanges = 4096

  /// Completes the file and moves it to its path.
  func finish() throws {
    try append(.end(lines: tally.count, checksum: tally.checksum))
    try destination.finish()
  }

  private func append(_ row: CarriedRow) throws {
    let start = destination.output.buffer.count
    destination.output.buffer.appendJSON { row.write(to: &$0) }
    try end(start)
  }

  private func end(_ start: Int) throws {
    tally.end(start, in: &destination.output.buffer)
    try destination.output.flushIfLarge()
  }
}
