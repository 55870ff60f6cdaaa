import XferEvents

/// Events that a log lacks, in the words of a finding's reasons.
struct Loss {
  /// The noun for the place of the lost events, for example "record 8 of lane 1 in 000002.seg".
  let place: String
  /// The verb phrase that follows `place` in a reason, for example "is damaged".
  private let state: String
  let kind: Kind

  /// The losses of one kind lower the certainty of a finding once.
  struct Kind: Hashable {
    let name: String
    let cause: String
  }

  /// The events that their writers counted because they could not write them.
  static let drops = Loss(place: "the log", state: "lacks events that could not be written", kind: Kind(name: "", cause: ""))

  private init(place: String, state: String, kind: Kind) { (self.place, self.state, self.kind) = (place, state, kind) }

  init(_ gap: LogGap) {
    kind = Kind(name: gap.name, cause: gap.cause.name)
    let isOne = gap.sequences?.count ?? 1 == 1
    switch gap.cause {
    case .truncated: (place, state) = ("the end of \(gap.name)", "is cut off")
    case .missingSegments:
      let isSeveral = if case .missingSegments(let numbers?) = gap.cause { numbers.count > 1 } else { false }
      (place, state) = (gap.missingSegments ?? gap.name, isSeveral ? "are missing" : "is missing")
    case .missingSequence, .missingHead: (place, state) = (gap.spot, isOne ? "is missing" : "are missing")
    case .dropped: (place, state) = (gap.spot, "could not be written")
    case .damaged, .torn: (place, state) = (gap.spot, isOne ? "is damaged" : "are damaged")
    }
  }

  /// The lost part with its state, for example "record 8 of lane 1 in 000002.seg, which is damaged".
  var part: String { "\(place), which \(state)" }

  /// Returns the reason why a finding is not certain.
  ///
  /// - Parameter event: the missing event; `nil` if it is an event that would excuse the fault.
  func reason(for event: EventKind?) -> String {
    "\(place), where \(event.map { "\($0.name) would be" } ?? "an event that excuses the fault may be"), \(state)"
  }
}

extension LogGap {
  /// The lost records, or the damaged bytes, with the file.
  fileprivate var spot: String {
    let stream = lane.map { " of \(terms.stream.singular) \($0)" } ?? ""
    switch sequences {
    case let range? where range.count == 1: return "\(terms.record.singular) \(range.lowerBound)\(stream) in \(name)"
    case let range? where !range.isEmpty:
      return "\(terms.record.plural) \(range.lowerBound)–\(range.upperBound - 1)\(stream) in \(name)"
    default: return lane.map { "\(terms.stream.singular) \($0) in \(name)" } ?? name
    }
  }
}
