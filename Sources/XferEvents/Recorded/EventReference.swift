/// The position of an event in a log, which evidence refers to.
public enum EventReference: Hashable, Sendable {
  /// A record of an xferlog log: the segment's number, the lane (one thread of the writer) and the position within the lane. Segments of
  /// different logs may have the same number, so the log is the place of the record's log among the logs that are read together, from 0.
  case record(segment: UInt32, lane: UInt32, sequence: UInt64, log: UInt16 = 0)
  /// A line of a foreign log: the number of the input, and the line from 1.
  case line(file: UInt32, line: UInt64)
}

extension EventReference: Comparable {
  private var key: (UInt16, UInt32, UInt32, UInt64) {
    switch self {
    case .record(let segment, let lane, let sequence, let log): (log, segment, lane, sequence)
    case .line(let file, let line): (0, file, .max, line)
    }
  }

  public static func < (left: EventReference, right: EventReference) -> Bool { left.key < right.key }
}

extension EventReference: CustomStringConvertible {
  /// A text such as `1/2/19`, `2:1/2/19` for a record of the second log, or `1:57` for a line of the first file.
  public var description: String {
    switch self {
    case .record(let segment, let lane, let sequence, 0): "\(segment)/\(lane)/\(sequence)"
    case .record(let segment, let lane, let sequence, let log): "\(Int(log) + 1):\(segment)/\(lane)/\(sequence)"
    case .line(let file, let line): "\(file):\(line)"
    }
  }
}
