import XferEvents
import XferImport
import XferReading

/// Reads the state of an earlier batch: the events of its open groups, and the places of the events of its closed ones.
struct CarriedStateReader {
  private(set) var closed: [GroupName: ClosedGroup] = [:]

  /// - Parameter take: called with each event of an open group.
  init(_ path: String, _ take: ([UInt8], ArrivedLine) throws -> Void) throws {
    if path == "-" { throw CommandExit(.wrongUsage, "standard input has the events; name a file with --state-in") }
    var lines = try InputLines(file: path)
    var (tally, isComplete) = (LineTally(), false)
    let tree = JSONTree()
    while let line = try lines.next() {
      guard !isComplete, !line.isCut else { throw Self.damage(path, line.number) }
      if let row = Self.row(line.bytes) {
        if row["kind"]?.text == "end" {
          guard tally.equals(row["lines"]?.int, row["checksum"]?.text) else { throw Self.damage(path, line.number) }
          isComplete = true
          continue
        }
        guard addClosed(row) else { throw Self.damage(path, line.number) }
      } else {
        guard var arrived = try? ArrivedLine(line.bytes, tree) else { throw Self.damage(path, line.number) }
        arrived.facts.isCarried = true
        try take(line.bytes, arrived)
      }
      tally.add(line: line.bytes)
    }
    if !isComplete { throw Self.damage(path, tally.count + 1) }
  }

  private static func row(_ bytes: [UInt8]) -> JSONValue? {
    bytes.withUnsafeBytes { bytes in
      guard bytes.hasPrefix("{\"schema\":\"xferlog.carried/1\"") else { return nil }
      return JSONValue(bytes)
    }
  }

  private mutating func addClosed(_ row: JSONValue) -> Bool {
    guard row["kind"]?.text == "closed", let log = row["log"]?.text else { return false }
    // A group with many events has several rows.
    var group = closed[GroupName(text: log)] ?? ClosedGroup()
    for lane in row["lanes"]?.elements ?? [] {
      guard let launch = lane["launch"]?.text.flatMap({ LaunchID($0) }), let number = lane["lane"]?.integer else { return false }
      let ranges = lane["ranges"]?.elements.compactMap(Self.range) ?? []
      group.add(ranges, of: .init(high: launch.high, low: launch.low, lane: number))
    }
    closed[GroupName(text: log)] = group
    return true
  }

  private static func range(_ json: JSONValue) -> Range<UInt64>? {
    guard let from = json["from"]?.integer.flatMap({ UInt64(exactly: $0) }),
      let to = json["to"]?.integer.flatMap({ UInt64(exactly: $0) }), from < to
    else { return nil }
    return from..<to
  }

  private static func damage(_ path: String, _ line: Int) -> CommandExit {
    CommandExit(
      .failed,
      "\(path) is not a complete state: line \(line) is damaged or missing; use the --state-out file of the previous batch"
    )
  }
}
