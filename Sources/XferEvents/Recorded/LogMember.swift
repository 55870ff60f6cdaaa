/// One element of the input of a replay: an event, or a gap in the log.
public enum LogMember {
  case event(RecordedEvent)
  // Stored indirectly, because gaps are rare and large, and an enum is as large as its largest case.
  indirect case gap(LogGap)

  /// The kind of the event; `nil` for a gap and for an event that this reader does not know.
  @inline(__always)
  public var kind: EventKind? { if case .event(let event) = self { event.kind } else { nil } }
}

/// A place where records are missing from a log or unreadable.
public struct LogGap: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// Records of a lane are missing between two that were read.
    case missingSequence
    /// The bytes are present but invalid.
    case damaged(problem: String)
    /// The last record of a lane is incomplete, because the writer ended while writing it. No event whose `emit` had returned
    /// is lost.
    case torn
    /// The writer counted events that it could not write.
    case dropped
    /// The first segments of the log are missing.
    case missingHead
    /// Whole segments are missing from the log. The associated value is the range of their numbers; `nil` means that the segment
    /// that should continue the gap's segment is missing, and its number is unknown.
    case missingSegments(ClosedRange<UInt32>?)
    /// The segment ends before its declared end.
    case truncated
  }

  public let cause: Cause
  /// The number of the segment or file; see `EventReference`.
  public let segment: UInt32
  public let name: String
  public let launch: LaunchID?
  /// The lane; `nil` if it is unknown because of damage.
  public let lane: UInt32?
  /// The missing positions in the lane; `nil` if unknown.
  public let sequences: Range<UInt64>?
  /// The damaged range of bytes in the file.
  public let bytes: Range<UInt64>?
  /// The last known moment before the gap; `nil` if unknown.
  public let after: Moment?
  /// The first known moment after the gap; `nil` if unknown.
  public let before: Moment?
  /// The process lives that have all their segments, so that a gap of unknown writer contains none of their events.
  package var excluded: [LaunchID] = []
  /// The words for the source's parts in messages about the gap.
  public let terms: SourceTerms
  /// The installation whose writers wrote the missing records; `unknown` if the gap names none.
  package var scope = InstallationScope.unknown

  public init(
    cause: Cause, segment: UInt32, name: String, launch: LaunchID? = nil, lane: UInt32? = nil,
    sequences: Range<UInt64>? = nil, bytes: Range<UInt64>? = nil, after: Moment? = nil, before: Moment? = nil,
    terms: SourceTerms = .log
  ) {
    self.cause = cause
    self.segment = segment
    self.name = name
    self.launch = launch
    self.lane = lane
    self.sequences = sequences
    self.bytes = bytes
    self.after = after
    self.before = before
    self.terms = terms
  }
}

extension LogGap {
  /// Returns the gap with another name of its file.
  package func named(_ name: String) -> LogGap {
    var gap = LogGap(
      cause: cause, segment: segment, name: name, launch: launch, lane: lane, sequences: sequences, bytes: bytes, after: after,
      before: before, terms: terms)
    (gap.excluded, gap.scope) = (excluded, scope)
    return gap
  }

  /// The missing segments, for example "segment 3" or "segments 3–5"; `nil` if the gap has another cause.
  package var missingSegments: String? {
    switch cause {
    case .missingSegments(let numbers?) where numbers.count > 1:
      "\(terms.file.plural) \(numbers.lowerBound)–\(numbers.upperBound)"
    case .missingSegments(let numbers?): "\(terms.file.singular) \(numbers.lowerBound)"
    case .missingSegments(nil): "the \(terms.file.singular) after \(name)"
    default: nil
    }
  }

  /// The missing segments as a sentence without a full stop; `nil` if the gap has another cause.
  package var missingSegmentsSentence: String? {
    guard let missing = missingSegments, case .missingSegments(let numbers) = cause else { return nil }
    return "\(missing) \(numbers?.count ?? 1 == 1 ? "is" : "are") missing"
  }
}

extension LogGap.Cause {
  /// The word for the gap's cause in JSON and CSV output.
  package var name: String {
    switch self {
    case .missingSequence: "missing-sequence"
    case .damaged: "damaged"
    case .torn: "torn"
    case .dropped: "dropped"
    case .missingHead: "missing-head"
    case .missingSegments: "missing-segments"
    case .truncated: "truncated"
    }
  }

  /// - Returns: the cause with a name, or damage if the name is unknown.
  package init(name: String, problem: String) {
    switch name {
    case "missing-sequence": self = .missingSequence
    case "torn": self = .torn
    case "dropped": self = .dropped
    case "missing-head": self = .missingHead
    case "missing-segments": self = .missingSegments(nil)
    case "truncated": self = .truncated
    default: self = .damaged(problem: problem)
    }
  }
}
