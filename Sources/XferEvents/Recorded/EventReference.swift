/// The position of an event in a log, which evidence refers to.
public enum EventReference: Hashable, Sendable {
  /// A record of an xferlog log: the segment's number, the lane (one thread of the writer) and the position within the lane.
  case record(segment: UInt32, lane: UInt32, sequence: UInt64)
  /// A line of a foreign log: the number of the input, and the line from 1.
  case line(file: UInt32, line: UInt64)
}

extension EventReference: Comparable {
  private var key: (UInt32, UInt32, UInt64) {
    switch self {
    case .record(let segment, let lane, let sequence): (segment, lane, sequence)
    case .line(let file, let line): (file, .max, line)
    }
  }

  public static func < (left: EventReference, right: EventReference) -> Bool { left.key < right.key }
}

extension EventReference: CustomStringConvertible {
  public var description: String {
    switch self {
    case .record(let segment, let lane, let sequence): "\(segment)/\(lane)/\(sequence)"
    case .line(let file, let line): "\(file):\(line)"
    }
  }
}
