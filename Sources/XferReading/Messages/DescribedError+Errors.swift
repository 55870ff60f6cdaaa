package import XferEvents
package import XferLogStore
package import XferRules

extension SourceError: DescribedError {
  package var message: UserMessage { "\(place): \(problem).\n\(advice)" }
}

extension LogError: DescribedError {
  package var message: UserMessage { "\(place): \(problem).\n\(advice)" }
}

extension RuleError: DescribedError {
  package var message: UserMessage {
    let name = place.map { "\($0): " } ?? ""
    // A problem that shows a part of the file has several lines and its own full stop.
    let problem: UserMessage = problem.contains("\n") ? UserMessage(linesOf: problem) : "\(problem)."
    return "\(name)\(problem)\n\(advice)"
  }
}

extension RuleErrors: DescribedError {
  package var message: UserMessage { UserMessage(errors.map(\.message)) }
}
