/// One element of what a replay is given: an event, or a place where something is missing.
public enum LogMember {
  case event(RecordedEvent)
  // Boxed: gaps are rare and large, and events are passed by the million.
  indirect case gap(LogGap)

  /// `nil` for a gap, and for an event that this reader does not know.
  @inline(__always)
  public var kind: EventKind? { if case .event(let event) = self { event.kind } else { nil } }
}

/// A place where a log has less than was written.
public struct LogGap: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// Positions of the lane are missing between two that are there.
    case missingSequence
    /// Bytes are there but cannot be right.
    case damaged(problem: String)
    /// The lane's last record was being written when its writer ended: nothing whose call had returned.
    case torn
    /// The writer counted events that it could not write.
    case dropped
    /// The log's first segments are gone.
    case missingHead
    /// The segment is cut off before its end.
    case truncated
  }

  public let cause: Cause
  /// The source's number and name.
  public let segment: UInt32
  public let name: String
  public let launch: LaunchID?
  /// `nil` when damage leaves open which.
  public let lane: UInt32?
  /// Missing positions; `nil` when they cannot be told.
  public let sequences: Range<UInt64>?
  /// Damaged bytes of the file.
  public let bytes: Range<UInt64>?
  /// What was seen last before and first after.
  public let after: Moment?
  public let before: Moment?
  /// The words for the source's parts in messages about the gap.
  public let terms: SourceTerms

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

extension LogGap.Cause {
  /// The word in documents.
  package var name: String {
    switch self {
    case .missingSequence: "missing-sequence"
    case .damaged: "damaged"
    case .torn: "torn"
    case .dropped: "dropped"
    case .missingHead: "missing-head"
    case .truncated: "truncated"
    }
  }
}
