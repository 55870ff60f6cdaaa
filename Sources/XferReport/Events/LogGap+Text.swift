package import XferEvents

extension LogGap {
  /// What is missing, why, and where, in a line.
  package var text: String { "\(what) (\(place))" }

  /// What is missing, and why.
  package var what: String {
    switch cause {
    case .missingSequence: "\(records) missing"
    case .missingHead: "\(records) missing: the log begins later"
    case .damaged(let problem): sequences == nil ? "damaged\(ofLane): \(problem)" : "\(records) damaged: \(problem)"
    case .torn: "the last record\(ofLane) was being written when its writer ended"
    case .dropped: "\(records) not written"
    case .truncated: "the segment is cut off before its end"
    }
  }

  private var ofLane: String { lane.map { " of lane \($0)" } ?? "" }

  private var records: String {
    switch sequences?.count {
    case nil: "records\(ofLane) are"
    case 1?: "1 record\(ofLane) is"
    case let count?: "\(count) records\(ofLane) are"
    }
  }

  private var place: String {
    var place = TerminalText.escaped(name)
    if let sequences {
      place +=
        sequences.count == 1
        ? ", record \(sequences.lowerBound)" : ", records \(sequences.lowerBound)–\(sequences.upperBound - 1)"
    }
    if let bytes {
      place += bytes.count <= 1 ? ", byte \(bytes.lowerBound)" : ", bytes \(bytes.lowerBound)–\(bytes.upperBound - 1)"
    }
    return place
  }
}
