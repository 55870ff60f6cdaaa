package import XferEvents
package import XferReading

/// The final remarks and the exit code of a command that lists events.
package struct ReadingOutcome {
  private let inputs: LogInputs
  private let source: any EventSource
  private let counts: EventListing.Counts
  /// Whether a cursor excluded the events that an earlier run printed.
  private let isContinued: Bool

  package init(inputs: LogInputs, source: any EventSource, counts: EventListing.Counts, isContinued: Bool = false) {
    self.inputs = inputs
    self.source = source
    self.counts = counts
    self.isContinued = isContinued
  }

  /// Reports the inputs that could not be read on standard error, and throws a `CommandExit` for an exit code other than 0.
  ///
  /// - Parameter filter: the options that filtered the events, as typed.
  package func conclude(filter: String, isStrict: Bool, allowsEmpty: Bool) throws {
    for part in source.unreadable { StandardError.remark("left out: \(part.error)") }
    if source.origins.isEmpty, let part = source.unreadable.first {
      throw CommandExit(.failed, "nothing could be read: \(part.error.problem)")
    }
    if let incompleteness, !isStrict { StandardError.remark("incomplete: \(incompleteness)") }
    if counts.undecided > 0 {
      StandardError.remark(
        "\(grouped(counts.undecided)) event\(counts.undecided == 1 ? "" : "s") could not be compared, because values are masked, "
          + "truncated or lost")
    }
    if counts.hidden > 0, counts.hidden == counts.matched {
      let events = counts.hidden == 1 ? "1 event" : "\(grouped(counts.hidden)) events"
      StandardError.remark("\(events) of the log's own bookkeeping left out; --all shows them")
    }
    if counts.matched == 0, !allowsEmpty { throw CommandExit(.nothingAnalysed, UserMessage(emptiness(filter))) }
    if let incompleteness, isStrict { throw CommandExit(.incomplete, UserMessage(incompleteness)) }
  }

  private func emptiness(_ filter: String) -> String {
    let events = counts.events + source.passedOver
    let place = isContinued ? " after the cursor" : ""
    if events > 0 { return "0 of \(grouped(events)) events\(place) matched \(filter)" }
    let paths = inputs.inputs.map(\.path).joined(separator: ", ")
    return "\(paths) has no events\(place)"
  }

  private var incompleteness: String? {
    var parts: [String] = []
    if counts.gaps > 0 {
      let missing = counts.missing == 0 ? "" : ", \(grouped(counts.missing)) record\(counts.missing == 1 ? "" : "s") missing"
      parts.append("\(grouped(counts.gaps)) gap\(counts.gaps == 1 ? "" : "s")\(missing)")
    }
    // Without any input, there is nothing that could be incomplete.
    if inputs.inputs.isEmpty { return nil }
    let leftOut = source.unreadable.count + inputs.unread.count
    if leftOut > 0 { parts.append("\(leftOut.counted("input")) left out") }
    parts += source.incompleteness.map(\.reason)
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
