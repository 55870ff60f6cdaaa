package import XferEvents

/// The integrity of a log: the parts that are damaged, edited or missing, and the times and tasks that cannot be judged for this reason.
package struct VerificationDocument {
  package var segments: [Segment] = []
  package var problems: [Problem] = []

  package struct Segment {
    package let number: UInt32
    package let name: String
    /// How the segment is stored in its file: `live` (written through a memory mapping), `appended` (written record by record) or
    /// `sealed` (rewritten in compressed, hash-chained blocks).
    package let form: String
    /// The state in which the writer left the segment: `open` (still being written, or the writer was killed), `closed` (the
    /// writer closed the log) or `rotated` (the writer continued in another segment).
    package let state: String
    package let writer: WriterContext
    package let bytes: Int
    package let isSalvaged: Bool
    /// The last link of the hash chain; `nil` for an unsealed segment, in which edits cannot be detected.
    package let lastLink: String?
    package var events = 0

    package init(
      number: UInt32, name: String, form: String, state: String, writer: WriterContext, bytes: Int, isSalvaged: Bool,
      lastLink: String?
    ) {
      self.number = number
      self.name = name
      self.form = form
      self.state = state
      self.writer = writer
      self.bytes = bytes
      self.isSalvaged = isSalvaged
      self.lastLink = lastLink
    }
  }

  package struct Problem {
    package enum Kind: String, Sendable, CaseIterable {
      /// A record was being written when its writer ended. Nothing is lost.
      case torn
      /// A damaged part was read from its copy. Nothing is lost.
      case repaired
      /// Bytes that no record uses were changed. Nothing is lost.
      case altered
      /// A checksum does not match.
      case damaged
      /// All checksums match, but the hash chain does not.
      case edited
      case missing, truncated
      /// A segment could not be opened, for example without the permission to read it. It may be intact.
      case unreadable
    }

    package var kind: Kind
    package let segment: UInt32
    package let name: String
    package let what: String
    package var launch: LaunchID?
    package var lane: UInt32?
    package var sequences: Range<UInt64>?
    package var bytes: Range<UInt64>?
    /// The time of the lane's last event before the problem. Events between `from` and `to` cannot be judged. `nil` means that no
    /// such event is known, so the period has no known beginning.
    package var from: Moment?
    /// The time of the lane's first event after the problem. `nil` means that no such event is known.
    package var to: Moment?
    /// The tasks that were open between `from` and `to`.
    package var tasks: [TaskIdentity] = []
    /// Whether any task of the process life may be affected, because `from` is unknown.
    package var concernsAnyTask = false

    package init(kind: Kind, segment: UInt32, name: String, what: String) {
      self.kind = kind
      self.segment = segment
      self.name = name
      self.what = what
    }

    /// Whether the problem means that records are lost or untrustworthy.
    package var isLoss: Bool {
      switch kind {
      case .torn, .repaired, .altered, .unreadable: false
      case .damaged, .edited, .missing, .truncated: true
      }
    }
  }

  package init() {}

  package enum Verdict: String, CaseIterable { case whole, torn, unreadable, damaged, edited }

  package var verdict: Verdict {
    if problems.contains(where: { $0.kind == .edited }) { return .edited }
    if problems.contains(where: isDifference) { return .damaged }
    if problems.contains(where: { $0.kind == .unreadable }) { return .unreadable }
    return problems.isEmpty ? .whole : .torn
  }

  /// Whether a problem shows that the log differs from what was written. What is missing may be in a segment that could not be opened.
  package func isDifference(_ problem: Problem) -> Bool {
    switch problem.kind {
    case .torn, .unreadable: false
    case .missing: !problems.contains { $0.kind == .unreadable }
    case .repaired, .altered, .damaged, .edited, .truncated: true
    }
  }

  /// The segments in which edits cannot be detected.
  package var unsealed: [Segment] { segments.filter { $0.lastLink == nil } }

  /// The last sealed segment of each writer. A copy of its last link, kept elsewhere, makes later edits of the chain detectable.
  package var lastLinks: [Segment] {
    var places: [LaunchID?: Int] = [:]
    var last: [Segment] = []
    for segment in segments where segment.lastLink != nil {
      if let place = places[segment.writer.launch] {
        last[place] = segment
      } else {
        places[segment.writer.launch] = last.count
        last.append(segment)
      }
    }
    return last
  }
}
