package import XferEvents

/// The answer to a request for the rest of a resource, beside what was there of it. Few tasks have one.
final class RangeAnswer: Sendable {
  let offset: Int64
  let request: Fact
  let response: Fact
  /// Of which the bytes are that were there; `nil` when the log does not say.
  let earlier: Entity?
  let replaced: Entity.Difference?

  init?(_ attempt: AttemptLifecycle, earlier: Entity?) {
    guard let request = attempt.requestSent ?? attempt.started, let response = attempt.responseReceived else { return nil }
    (offset, self.request, self.response, self.earlier) = (attempt.offset, request, response, earlier)
    replaced = earlier.flatMap { attempt.entity?.replacement(of: $0) }
  }
}

/// A transfer that was to go on where it had stopped, and began anew.
package final class Restart: Sendable {
  /// The first byte that was asked for.
  package let offset: Int64
  package let request: Fact
  package let response: Fact
  /// The end of the attempt whose answer was refused; `nil` when the answer was taken.
  package let refused: Fact?
  /// Why the engine refused it, in its own words.
  package let reason: String?
  /// Of which the bytes are that were there; `nil` when the log does not say.
  package let earlier: Entity?
  /// What shows that the resource was replaced; `nil` when nothing does.
  package let replaced: Entity.Difference?

  init(_ answer: RangeAnswer, refused: Fact?, reason: String? = nil) {
    (offset, request, response) = (answer.offset, answer.request, answer.response)
    (earlier, replaced) = (answer.earlier, answer.replaced)
    (self.refused, self.reason) = (refused, reason)
  }
}
