public import XferEvents

extension LogReader {
  /// A reason why a log is not intact.
  public enum Flaw: Sendable {
    case gap(LogGap)
    /// A segment that cannot be read, or a damaged header that was replaced by its copy.
    case problem(LogError)
  }

  /// Returns the first flaw of a log; `nil` if the log is intact.
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
