package import XferEvents

/// Whether a log is what was written: what of it is damaged, edited or missing, and what can therefore not be judged any more.
package struct VerificationDocument {
  package var segments: [Segment] = []
  package var problems: [Problem] = []

  package struct Segment {
    package let number: UInt32
    package let name: String
    /// live, appended or sealed.
    package let form: String
    /// open, closed or rotated.
    package let state: String
    package let writer: WriterContext
    package let bytes: Int
    package let isSalvaged: Bool
    /// The last link of the hash chain; `nil` for a segment that is not sealed, whose edits cannot be told from what was written.
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
      /// A record whose call had not returned; nothing is lost.
      case torn
      /// Damaged, and read from its copy; nothing is lost.
      case repaired
      /// A checksum does not fit.
      case damaged
      /// All checksums fit, but the hash chain does not.
      case edited
      case missing, truncated
    }

    package var kind: Kind
    package let segment: UInt32
    package let name: String
    package let what: String
    package var launch: LaunchID?
    package var lane: UInt32?
    package var sequences: Range<UInt64>?
    package var bytes: Range<UInt64>?
    /// The event of the lane before the place and the one behind it: what happened between them cannot be judged. `nil` where
    /// nothing limits it.
    package var from: Moment?
    package var to: Moment?
    /// Tasks that were open in that time.
    package var tasks: [TaskIdentity] = []
    /// Whether any task of the launch may be concerned, because nothing limits it.
    package var concernsAnyTask = false

    package init(kind: Kind, segment: UInt32, name: String, what: String) {
      self.kind = kind
      self.segment = segment
      self.name = name
      self.what = what
    }

    /// Whether less can be said of the log because of it.
    package var isLoss: Bool {
      switch kind {
      case .torn, .repaired: false
      case .damaged, .edited, .missing, .truncated: true
      }
    }
  }

  package init() {}

  package enum Verdict: String { case whole, torn, damaged, edited }

  package var verdict: Verdict {
    if problems.contains(where: { $0.kind == .edited }) { return .edited }
    if problems.contains(where: { $0.kind != .torn }) { return .damaged }
    return problems.isEmpty ? .whole : .torn
  }

  /// Segments whose edits nobody could tell.
  package var unsealed: [Segment] { segments.filter { $0.lastLink == nil } }

  /// The last link of each writer's last sealed segment, to be noted elsewhere.
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
