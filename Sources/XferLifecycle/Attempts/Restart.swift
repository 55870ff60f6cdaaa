package import XferEvents

/// The response to a request for the rest of a resource, with the entity of the bytes that the client already had. A class,
/// because few tasks have such a response.
final class RangeAnswer: Sendable {
  let offset: Int64
  let request: Fact
  let response: Fact
  /// The entity of the bytes that the client had; `nil` if unknown.
  let earlier: Entity?
  let replaced: Entity.Difference?

  init?(_ attempt: AttemptLifecycle, earlier: Entity?) {
    guard let request = attempt.requestSent ?? attempt.started, let response = attempt.responseReceived else { return nil }
    (offset, self.request, self.response, self.earlier) = (attempt.offset, request, response, earlier)
    replaced = earlier.flatMap { attempt.entity?.replacement(of: $0) }
  }
}

/// A transfer that should have continued but started again from the beginning.
package final class Restart: Sendable {
  /// The offset in the resource of the first byte that was requested.
  package let offset: Int64
  package let request: Fact
  package let response: Fact
  /// The end of the attempt whose response was refused; `nil` if the response was accepted.
  package let refused: Fact?
  /// The reason for the refusal, in the engine's words.
  package let reason: String?
  /// The entity of the bytes that the client had; `nil` if unknown.
  package let earlier: Entity?
  /// The difference that shows that the resource was replaced; `nil` if none does.
  package let replaced: Entity.Difference?

  init(_ answer: RangeAnswer, refused: Fact?, reason: String? = nil) {
    (offset, request, response) = (answer.offset, answer.request, answer.response)
    (earlier, replaced) = (answer.earlier, answer.replaced)
    (self.refused, self.reason) = (refused, reason)
  }
}
