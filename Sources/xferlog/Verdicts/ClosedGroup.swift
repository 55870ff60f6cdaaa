import XferEvents
import XferReport

/// The places of the events of a group whose verdict was printed by an earlier batch.
struct ClosedGroup {
  private var lanes: [EventLineFacts.Writer: [Range<UInt64>]] = [:]

  init() {}

  /// The relation of an arriving line to a group that was closed.
  enum Arrival {
    /// The verdict already contains the event.
    case known
    /// The event belongs to a process life of the verdict, which lacks it.
    case late
    /// The event belongs to a later process life.
    case new
  }

  func arrival(of facts: EventLineFacts) -> Arrival {
    guard let place = facts.place ?? facts.foreignPlace else { return .late }
    if let ranges = lanes[place.writer], ranges.contains(where: { $0.contains(place.sequence) }) { return .known }
    return lanes.keys.contains { ($0.high, $0.low) == (place.writer.high, place.writer.low) } ? .late : .new
  }

  mutating func add(_ facts: some Sequence<EventLineFacts>) {
    var positions: [EventLineFacts.Writer: [UInt64]] = [:]
    for place in facts.lazy.compactMap({ $0.place ?? $0.foreignPlace }) {
      positions[place.writer, default: []].append(place.sequence)
    }
    for (writer, positions) in positions {
      for position in positions.sorted() where position < .max {
        if let last = lanes[writer]?.last, last.contains(position) { continue }
        if let last = lanes[writer]?.last, last.upperBound == position {
          lanes[writer]?.removeLast()
          lanes[writer]?.append(last.lowerBound..<position + 1)
        } else {
          lanes[writer, default: []].append(position..<position + 1)
        }
      }
    }
  }

  mutating func add(_ ranges: [Range<UInt64>], of writer: EventLineFacts.Writer) { lanes[writer, default: []] += ranges }

  /// Returns the lanes as the rows of a state have them, with the number of their ranges. A lane with more ranges than the maximum comes
  /// several times.
  func lanes(atMost maximum: Int) -> [(row: CarriedRow.Lane, count: Int)] {
    lanes.sorted { $0.key < $1.key }.flatMap { writer, ranges in
      stride(from: 0, to: ranges.count, by: maximum).map { start in
        let part = Array(ranges[start..<min(start + maximum, ranges.count)])
        let launch = LaunchID(high: writer.high, low: writer.low)
        return (CarriedRow.Lane(launch: launch, lane: writer.lane, ranges: part), part.count)
      }
    }
  }
}

extension EventLineFacts {
  /// The place in a foreign log; `nil` for an event of a log of this package.
  fileprivate var foreignPlace: Place? {
    guard kind == .event, let writer, writer.lane < 0 else { return nil }
    return Place(writer: writer, sequence: sequence)
  }
}
