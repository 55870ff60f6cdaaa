public import XferEvents

extension LogReader {
  /// Why a log is not whole.
  public enum Flaw: Sendable {
    case gap(LogGap)
    /// A segment that cannot be read, or a header that was read from its copy.
    case problem(LogError)
  }

  /// The first thing that is not as it was written; `nil` for a log that is whole.
  static func flaw(of inputs: [Input]) -> Flaw? {
    let reader = LogReader(inputs)
    if let problem = reader.problems.first { return .problem(problem.error) }
    while let member = reader.next() {
      if case .gap(let gap) = member { return .gap(gap) }
    }
    for segment in reader.segments {
      if let problem = segment.repairs.first {
        return .problem(
          LogError(
            .damagedHeader, place: segment.path, problem: problem.text,
            advice: "Nothing is lost; read it with --recovery tail."))
      }
    }
    return nil
  }
}
