public import XferEvents

extension LogReader {
  /// A reason why a log is not intact.
  public enum Flaw: Sendable {
    case gap(LogGap)
    /// A segment that cannot be read, or a damaged header that was replaced by its copy.
    case problem(LogError)
    /// The log of a process that other processes mention is missing. The name of the process, for example "kettle (pid 26660)".
    case missingLog(String)
  }

  /// Returns the first flaw of a log; `nil` if the log is intact.
  static func flaw(of inputs: [Input]) -> Flaw? {
    let reader = LogReader(inputs)
    if let problem = reader.problems.first { return .problem(problem.error) }
    var mentions = WriterMentions()
    while let member = reader.next() {
      switch member {
      case .gap(let gap): return .gap(gap)
      case .event(let event): mentions.note(event.view)
      }
    }
    let seen = Set(reader.segments.map(\.header.launch))
    if let missing = mentions.missing(seen: { seen }).first { return .missingLog(missing.name) }
    for segment in reader.readSegments {
      if let problem = segment.repairs.first?.text ?? UnusedBytes.flaws(of: segment).first?.text {
        return .problem(
          LogError(
            .damagedHeader, place: segment.path, problem: problem,
            advice: "Nothing is lost; read it with --recovery tail."))
      }
    }
    return nil
  }
}
