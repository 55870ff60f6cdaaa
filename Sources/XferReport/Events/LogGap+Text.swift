package import XferEvents

extension LogGap {
  /// A description of the gap in one line: the missing records, why they are missing, and where in the log.
  package var text: String { "\(what) (\(place))" }

  /// A description of the missing records and of why they are missing.
  package var what: String {
    switch cause {
    case .missingSequence: "\(records) missing"
    case .missingHead: "\(records) missing: the log begins later"
    case .damaged(let problem): sequences == nil ? "damaged\(ofStream): \(problem)" : "\(records) damaged: \(problem)"
    case .torn: "the last \(terms.record.singular)\(ofStream) was being written when its writer ended"
    case .missingSegments: missingSegmentsSentence ?? ""
    case .dropped: "\(records) not written"
    case .truncated: "the \(terms.file.singular) is truncated"
    }
  }

  private var ofStream: String { lane.map { " of \(terms.stream.singular) \($0)" } ?? "" }

  private var records: String {
    switch sequences?.count {
    case nil: "\(terms.record.plural)\(ofStream) are"
    case 1?: "1 \(terms.record.singular)\(ofStream) is"
    case let count?: "\(count) \(terms.record.plural)\(ofStream) are"
    }
  }

  private var place: String {
    var place = name
    if let sequences {
      place +=
        sequences.count == 1
        ? ", \(terms.record.singular) \(sequences.lowerBound)"
        : ", \(terms.record.plural) \(sequences.lowerBound)–\(sequences.upperBound - 1)"
    }
    if let bytes {
      place += bytes.count <= 1 ? ", byte \(bytes.lowerBound)" : ", bytes \(bytes.lowerBound)–\(bytes.upperBound - 1)"
    }
    return place
  }
}
