package import XferLogStore

/// What a reading command says when it is done, and how it ends.
package struct ReadingOutcome {
  private let inputs: LogInputs
  private let reader: LogReader
  private let counts: EventListing.Counts

  package init(inputs: LogInputs, reader: LogReader, counts: EventListing.Counts) {
    self.inputs = inputs
    self.reader = reader
    self.counts = counts
  }

  /// Says on standard error what could not be read.
  ///
  /// - Parameter filter: the options that chose the events, as typed.
  package func conclude(filter: String, isStrict: Bool, allowsEmpty: Bool) throws {
    for problem in reader.problems { StandardError.remark("left out: \(problem.error)") }
    if reader.segmentNames.isEmpty, let problem = reader.problems.first {
      throw CommandExit(.failed, "nothing could be read: \(problem.error.problem)")
    }
    if let incompleteness, !isStrict { StandardError.remark("incomplete: \(incompleteness)") }
    if counts.matched == 0, !allowsEmpty { throw CommandExit(.nothingAnalysed, emptiness(filter)) }
    if let incompleteness, isStrict { throw CommandExit(.incomplete, incompleteness) }
  }

  private func emptiness(_ filter: String) -> String {
    let events = counts.events + reader.passedOver
    if events > 0 { return "0 of \(grouped(events)) events matched \(filter)" }
    let paths = inputs.inputs.map(\.path).joined(separator: ", ")
    return "\(paths) has no events"
  }

  private var incompleteness: String? {
    var parts: [String] = []
    if counts.gaps > 0 {
      let missing = counts.missing == 0 ? "" : ", \(grouped(counts.missing)) records missing"
      parts.append("\(grouped(counts.gaps)) gap\(counts.gaps == 1 ? "" : "s")\(missing)")
    }
    let leftOut = reader.problems.count + inputs.refusals.count + inputs.missing.count
    if leftOut > 0 { parts.append("\(leftOut) input\(leftOut == 1 ? "" : "s") left out") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
