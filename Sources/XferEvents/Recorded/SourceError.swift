/// An error of a source: the input or file in which it occurred, the problem, and advice.
package struct SourceError: Error, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The input cannot be opened or decoded.
    case unreadable
    case cannotFollow = "cannot-follow"
    case cannotVerify = "cannot-verify"
    case cannotSalvage = "cannot-salvage"
    /// The input has no recovery modes.
    case cannotRecover = "cannot-recover"
    /// The input does not say what its bytes are used for.
    case cannotAccount = "cannot-account"
  }

  package let code: Code
  /// The input, as the user named it, or the file within it.
  package let place: String
  package let problem: String
  package let advice: String

  package init(_ code: Code, place: String, problem: String, advice: String) {
    self.code = code
    self.place = place
    self.problem = problem
    self.advice = advice
  }

  package var description: String { "\(place): \(problem).\n\(advice)" }
}
